import { invalid, notFound } from '../../../core/errors.ts'
import { isTimezone, nearestTimezone } from '../../../core/timezones.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { actorOf } from '../../../platform/event-actor.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { outletDeleted } from './events.ts'
import type { Outlet, OutletIn, OutletPatch } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

/** The outlet, or 404; `param` names the field when the id stood in a body (B-ids-2). */
export async function getOutlet(db: Db, scope: Scope, id: string, param?: string): Promise<Outlet> {
  const outlet = await store.find(db, scope, id)
  if (!outlet) throw notFound('outlet', param)
  return outlet
}

/** As `getOutlet`, for a read outside of any transaction: the crowd of a busy minute shares its statements. */
export async function readOutlet(db: Db, scope: Scope, id: string): Promise<Outlet> {
  const outlet = await store.findShared(db, scope.accountId, id)
  if (!outlet) throw notFound('outlet')
  return outlet
}

/** The clock by which a filter reads plain dates: the outlet's, UTC without one and for one nobody knows (B-ids-3). */
export async function clockOfFilter(db: Db, scope: Scope, outletId: string | undefined): Promise<string> {
  const outlet = outletId === undefined ? undefined : await store.find(db, scope, outletId)
  return outlet?.timezone ?? 'UTC'
}

/** As `getOutlet`, and 422 when it is inactive: nothing new begins there (B-outlet-2). */
export async function getActiveOutlet(db: Db, scope: Scope, id: string, param = 'outletId'): Promise<Outlet> {
  const outlet = await getOutlet(db, scope, id, param)
  if (!outlet.isActive) throw invalid(param, `${outlet.name} is inactive; activate it first`)
  return outlet
}

export async function createOutlet(tx: Tx, scope: Scope, input: OutletIn): Promise<Outlet> {
  requireTimezone(input.timezone)
  await requireUnderCap(tx, scope, 'outlets', store.countLive)
  const id = await store.insert(tx, scope, input)
  return getOutlet(tx, scope, id)
}

export async function updateOutlet(tx: Tx, scope: Scope, id: string, patch: OutletPatch): Promise<Outlet> {
  const outlet = await getOutlet(tx, scope, id)
  // A record may be sent back as it is, also one from before a zone had a single spelling.
  if (patch.timezone !== outlet.timezone) requireTimezone(patch.timezone)
  if (patch.isActive && !outlet.isActive) await requireUnderCap(tx, scope, 'outlets', store.countLive)
  if (Object.keys(patch).length > 0) await store.update(tx, scope, id, patch)
  return getOutlet(tx, scope, id)
}

/**
 * Deletes an outlet that never sold, with everything that belongs to it, and leaves an audit event of what went;
 * otherwise deactivates it (B-outlet-1).
 */
export async function deleteOutlet(tx: Tx, scope: Scope, id: string) {
  if (!(await store.lock(tx, scope, id))) throw notFound('outlet')
  if (await store.hasSales(tx, scope, id)) {
    await store.update(tx, scope, id, { isActive: false })
    return { outlet: await getOutlet(tx, scope, id), deactivated: true as const }
  }
  const outlet = await getOutlet(tx, scope, id)
  const removed = await statements.countBelongings(tx, scope, id)
  await store.remove(tx, scope, id)
  await emit(tx, scope, outletDeleted, id, { outlet, removed, actor: actorOf(scope) })
  return { id, deleted: true as const }
}

/** 422 unless it is a time zone of the IANA database in its own spelling (B-time-3). */
function requireTimezone(timezone: string | undefined) {
  if (timezone === undefined || isTimezone(timezone)) return
  const meant = nearestTimezone(timezone)
  throw invalid(
    'timezone',
    meant === null
      ? `${timezone} is not an IANA time zone; for example Asia/Jakarta, Asia/Makassar, Asia/Jayapura`
      : `${timezone} is not an IANA time zone; did you mean ${meant}?`,
  )
}
