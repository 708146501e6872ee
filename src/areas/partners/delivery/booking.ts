import { ApiError, conflict } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { retrying } from '../../../platform/http/idempotency.ts'
import type { Scope } from '../../../platform/scope.ts'
import { couriersOf } from './couriers.ts'
import type { Couriers, Means } from './port.ts'
import { nextCheck, type Progress, requireBookable, requireCancellable, type State } from './rules.ts'
import type { Shipment } from './schema.ts'
import { apply, getShipment, orNotFound } from './shipments.ts'
import * as store from './store.ts'
import { CLAIM_MS, isUndecided, waitUntil } from './turns.ts'

/** What is asked of the partner about a shipment, and whether the state lets it, or has it already. */
type Verb = {
  allows(status: State): { isDone: boolean }
  ask(by: Couriers, row: store.ShipmentRow): Promise<Progress>
}
const BOOK: Verb = { allows: requireBookable, ask: (by, row) => by.book(row) }
const CANCEL: Verb = { allows: requireCancellable, ask: (by, row) => by.cancel(row) }

/** An answer of the partner to be written, or nothing to write. */
export type Acted = { id: string; told: Progress | null }

export const confirmPickup = (means: Means, id: string) => act(means, id, BOOK)
export const cancel = (means: Means, id: string) => act(means, id, CANCEL)

/** After an answer that was lost the partner is asked what became of it, this much later. */
const UNSURE_MS = 5_000

/** Asks the partner for the verb, one caller at a time (B-delivery-5). */
async function act(means: Means, id: string, verb: Verb): Promise<Acted> {
  const { deps, scope, partner } = means
  const by = await couriersOf(means)
  for (;;) {
    const step = await retrying(scope, () => partner.inTx((tx) => claim(tx, means, id, verb, by)))
    if (step === 'done') return { id, told: null }
    if (step !== 'busy') return askTo(means, by, step, verb)
    await waitUntil(async () => {
      const { claimedUntil } = await partner.read((db) => orNotFound(store.find(db, scope, id)))
      return claimedUntil === null || claimedUntil <= deps.clock.now()
    })
  }
}

async function claim(
  tx: Tx,
  { deps, scope }: Means,
  id: string,
  verb: Verb,
  by: Couriers,
): Promise<'done' | 'busy' | store.ShipmentRow> {
  const row = await orNotFound(store.lock(tx, scope, id))
  if (verb.allows(row.status).isDone) return 'done'
  if (row.partner !== by.id) {
    throw conflict(
      'This shipment is at a fulfillment partner that this installation no longer uses: ask them',
    )
  }
  const now = deps.clock.now()
  if (row.claimedUntil !== null && row.claimedUntil > now) return 'busy'
  const until = addMs(now, CLAIM_MS)
  await store.update(tx, scope, id, { claimedUntil: until, checkAt: until })
  return row
}

async function askTo(means: Means, by: Couriers, row: store.ShipmentRow, verb: Verb): Promise<Acted> {
  const { deps, scope, partner } = means
  const { id } = row
  try {
    return { id, told: await verb.ask(by, row) }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'CONFLICT') {
      const isDone = await isDoneThere(means, by, row, verb)
      if (isDone) return { id, told: null }
      throw error
    }
    const checkAt = isUndecided(error)
      ? addMs(deps.clock.now(), UNSURE_MS)
      : nextCheck(row.status, row.changedAt, scope.now)
    await partner.inTx((tx) => store.update(tx, scope, id, { claimedUntil: null, checkAt }))
    throw error
  }
}

/** The partner knows better where it is: its state is ours from now on, whatever was asked for. */
async function isDoneThere(means: Means, by: Couriers, row: store.ShipmentRow, verb: Verb): Promise<boolean> {
  const { scope, partner } = means
  const told = await by.read(row)
  if (told === null) {
    await partner.inTx((tx) => store.update(tx, scope, row.id, { claimedUntil: null }))
    return false
  }
  const { status } = await retrying(scope, () =>
    partner.inTx((tx) => apply(tx, scope, row.id, told, { endsClaim: true })),
  )
  return verb.allows(status).isDone
}

/** Writes what the partner has answered. */
export const conclude = (tx: Tx, scope: Scope, { id, told }: Acted): Promise<Shipment> =>
  told === null ? getShipment(tx, scope, id) : apply(tx, scope, id, told, { endsClaim: true })
