import { ApiError, conflict } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { retrying } from '../../../platform/http/idempotency.ts'
import type { Scope } from '../../../platform/scope.ts'
import { CLAIM_MS, isUndecided, waitUntil } from './claim.ts'
import { couriersOf } from './couriers.ts'
import type { CourierContext, Couriers } from './port.ts'
import {
  nextCheck,
  requireBookable,
  requireCancellable,
  type ShipmentProgress,
  type ShipmentState,
} from './rules.ts'
import type { Shipment } from './schema.ts'
import { apply, getShipment, requireShipment } from './shipments.ts'
import * as store from './store.ts'

/**
 * A request to the partner about a shipment. `allows` throws if the state forbids the request, and says whether the
 * state already includes its effect.
 */
type Verb = {
  allows(status: ShipmentState): { isDone: boolean }
  ask(by: Couriers, row: store.ShipmentRow): Promise<ShipmentProgress>
}
const BOOK: Verb = { allows: requireBookable, ask: (by, row) => by.book(row) }
const CANCEL: Verb = { allows: requireCancellable, ask: (by, row) => by.cancel(row) }

/** A shipment with the partner's answer to store, or null if there is nothing to store. */
export type ShipmentResult = { id: string; told: ShipmentProgress | null }

export const confirmPickup = (means: CourierContext, id: string) => act(means, id, BOOK)
export const cancel = (means: CourierContext, id: string) => act(means, id, CANCEL)

/** Sends the request to the partner, one caller at a time (B-delivery-5). */
async function act(means: CourierContext, id: string, verb: Verb): Promise<ShipmentResult> {
  const { deps, scope, partner } = means
  const by = await couriersOf(means)
  for (;;) {
    const step = await retrying(scope, () => partner.inTx((tx) => claim(tx, means, { id, verb, by })))
    if (step === 'done') return { id, told: null }
    if (step !== 'busy') return askTo(means, by, step, verb)
    await waitUntil(async () => {
      const { claimedUntil } = await partner.read((db) => requireShipment(store.find(db, scope, id)))
      return claimedUntil === null || claimedUntil <= deps.clock.now()
    })
  }
}

async function claim(
  tx: Tx,
  { deps, scope }: CourierContext,
  { id, verb, by }: { id: string; verb: Verb; by: Couriers },
): Promise<'done' | 'busy' | store.ShipmentRow> {
  const row = await requireShipment(store.lock(tx, scope, id))
  if (verb.allows(row.status).isDone) return 'done'
  if (row.partner !== by.id) {
    throw conflict(
      'This shipment is at a fulfillment partner that this installation no longer uses. Contact that partner',
    )
  }
  const now = deps.clock.now()
  if (row.claimedUntil !== null && row.claimedUntil > now) return 'busy'
  const until = addMs(now, CLAIM_MS)
  // The outcome is undecided until the partner answers: this process can end before that.
  await store.update(tx, scope, id, { claimedUntil: until, checkAt: until, undecidedSince: now })
  return row
}

async function askTo(
  means: CourierContext,
  by: Couriers,
  row: store.ShipmentRow,
  verb: Verb,
): Promise<ShipmentResult> {
  const { deps } = means
  const { id } = row
  try {
    return { id, told: await verb.ask(by, row) }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'CONFLICT') {
      const isDone = await isDoneThere(means, by, row, verb)
      if (isDone) return { id, told: null }
      throw error
    }
    await endClaim(means, id, isUndecided(error) ? deps.clock.now() : row.undecidedSince)
    throw error
  }
}

/** Ends a claim without an answer to apply. Reads the row again, because a report can have changed it meanwhile. */
const endClaim = ({ deps, scope, partner }: CourierContext, id: string, undecidedSince: string | null) =>
  partner.inTx(async (tx) => {
    const row = await store.lock(tx, scope, id)
    if (!row) return
    const checkAt = nextCheck({ ...row, undecidedSince }, deps.clock.now())
    await store.update(tx, scope, id, { claimedUntil: null, checkAt, undecidedSince })
  })

/**
 * Reads the state at the partner, which replaces the stored one. Returns true if it already includes the effect of
 * the request.
 */
async function isDoneThere(
  means: CourierContext,
  by: Couriers,
  row: store.ShipmentRow,
  verb: Verb,
): Promise<boolean> {
  const { scope, partner } = means
  const told = await by.read(row)
  if (told === null) {
    await endClaim(means, row.id, row.undecidedSince)
    return false
  }
  const { status } = await retrying(scope, () =>
    partner.inTx((tx) =>
      // A rejected request leaves an earlier undecided outcome undecided.
      apply(tx, scope, row.id, { told, endsClaim: true, undecidedSince: row.undecidedSince }),
    ),
  )
  return verb.allows(status).isDone
}

/** Stores the partner's answer. */
export const conclude = (tx: Tx, scope: Scope, { id, told }: ShipmentResult): Promise<Shipment> =>
  told === null ? getShipment(tx, scope, id) : apply(tx, scope, id, { told, endsClaim: true })
