import { invalid, notFound } from '../../../core/errors.ts'
import { isTimezone, nearestTimezone } from '../../../core/timezones.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { actorOf } from '../../../platform/events/actor.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import { outletDeleted } from './events.ts'
import type { Outlet, OutletIn, OutletPatch } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

/**
 * Returns the outlet. Throws 404 if it does not exist; `param` names the field of the body that contained the id
 * (B-ids-2).
 */
export async function getOutlet(db: Db, scope: Scope, id: string, param?: string): Promise<Outlet> {
  const outlet = await store.find(db, scope, id)
  if (!outlet) throw notFound('outlet', param)
  return outlet
}

/** Does the same as `getOutlet` outside of transactions; concurrent calls share a statement. */
export async function readOutlet(db: Db, scope: Scope, id: string): Promise<Outlet> {
  const outlet = await store.findShared(db, scope.accountId, id)
  if (!outlet) throw notFound('outlet')
  return outlet
}

/**
 * Returns the time zone of plain dates in a filter: that of the outlet, or UTC without an outlet or with an unknown
 * one (B-ids-3).
 */
export async function clockOfFilter(db: Db, scope: Scope, outletId: string | undefined): Promise<string> {
  const outlet = outletId === undefined ? undefined : await store.find(db, scope, outletId)
  return outlet?.timezone ?? 'UTC'
}

/** Does the same as `getOutlet`, and throws 422 if the outlet is inactive and so accepts nothing new (B-outlet-2). */
export async function getActiveOutlet(db: Db, scope: Scope, id: string, param = 'outletId'): Promise<Outlet> {
  const outlet = await getOutlet(db, scope, id, param)
  if (!outlet.isActive) throw invalid(param, `${outlet.name} is inactive; activate it first`)
  return outlet
}

export async function createOutlet(tx: Tx, scope: Scope, input: OutletIn): Promise<Outlet> {
  await requireTimezone(tx, input.timezone)
  await requireUnderCap(tx, scope, { cap: 'outlets', countLive: store.countLive })
  const id = await store.insert(tx, scope, input)
  touchCatalogue(scope, 'outlet', [id])
  return getOutlet(tx, scope, id)
}

export async function updateOutlet(tx: Tx, scope: Scope, id: string, patch: OutletPatch): Promise<Outlet> {
  const outlet = await getOutlet(tx, scope, id)
  // A client can send a record back unchanged, also one with an older spelling of its zone.
  if (patch.timezone !== outlet.timezone) await requireTimezone(tx, patch.timezone)
  if (patch.isActive && !outlet.isActive)
    await requireUnderCap(tx, scope, { cap: 'outlets', countLive: store.countLive })
  if (Object.keys(patch).length > 0) await store.update(tx, scope, id, patch)
  touchCatalogue(scope, 'outlet', [id])
  return getOutlet(tx, scope, id)
}

/**
 * Deletes an outlet without history and all its records, and writes an audit event with their numbers. Deactivates an
 * outlet with history (B-outlet-1).
 */
export async function deleteOutlet(tx: Tx, scope: Scope, id: string) {
  if (!(await store.lock(tx, scope, id))) throw notFound('outlet')
  touchCatalogue(scope, 'outlet', [id])
  if (await store.hasHistory(tx, scope, id)) {
    await store.update(tx, scope, id, { isActive: false })
    return { outlet: await getOutlet(tx, scope, id), deactivated: true as const }
  }
  const outlet = await getOutlet(tx, scope, id)
  const removed = await statements.countBelongings(tx, scope, id)
  await store.remove(tx, scope, id)
  await emit(tx, scope, outletDeleted, id, { outlet, removed, actor: actorOf(scope) })
  return { id, deleted: true as const }
}

/** Throws 422 unless the text is the exact name of a zone in the IANA database, and PostgreSQL knows it (B-time-3). */
async function requireTimezone(db: Db, timezone: string | undefined) {
  if (timezone === undefined) return
  if (!isTimezone(timezone)) throw invalid('timezone', unknownZone(timezone, nearestTimezone(timezone)))
  // Reports compute their days in the database.
  if (!(await statements.isZoneOfDatabase(db, timezone)))
    throw invalid(
      'timezone',
      `The database of this service does not know the time zone ${timezone}; choose another one with the same time`,
    )
}

const unknownZone = (timezone: string, meant: string | null) =>
  meant === null
    ? `${timezone} is not an IANA time zone; for example Asia/Jakarta, Asia/Makassar, Asia/Jayapura`
    : `${timezone} is not an IANA time zone; did you mean ${meant}?`
