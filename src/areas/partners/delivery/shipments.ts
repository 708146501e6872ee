import { isDeepStrictEqual } from 'node:util'
import { Check } from 'typebox/value'
import { pageOf } from '../../../core/cursor.ts'
import { ApiError, conflict, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { retrying } from '../../../platform/http/idempotency.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { eraseEndedShipment } from '../../selling/customers/index.ts'
import { lockDelivered, lockDraft, lockSendable, stampDelivery } from '../../selling/sales/index.ts'
import { couriersOf } from './couriers.ts'
import { shipmentCancelled, shipmentCreated, shipmentUpdated } from './events.ts'
import type { Couriers, Means } from './port.ts'
import { hasEnded, isLive, nextCheck, type Progress, progressed, requireFindable } from './rules.ts'
import { Parcel, type Shipment, type ShipmentIn, type ShipmentQuery } from './schema.ts'
import * as store from './store.ts'
import { CLAIM_MS, isUndecided, waitUntil } from './turns.ts'

export function shipmentView(row: store.ShipmentRow): Shipment {
  const {
    partner: _,
    saleId,
    reportedAt: _at,
    claimedUntil: _until,
    checkAt: _check,
    changedAt: _since,
    ...shown
  } = row
  return { ...shown, transactionId: saleId }
}

export async function getShipment(db: Db, scope: Scope, id: string): Promise<Shipment> {
  return shipmentView(await orNotFound(store.find(db, scope, id)))
}

export const listShipments = async (db: Db, scope: Scope, query: ShipmentQuery) =>
  pageOf((await store.list(db, scope, query)).map(shipmentView), query.limit)

export async function orNotFound(row: Promise<store.ShipmentRow | undefined>): Promise<store.ShipmentRow> {
  const found = await row
  if (!found) throw notFound('shipment')
  return found
}

/** A shipment that is to be made. `lock` holds the sale that it brings, and answers what to make of it. */
type Wanted = {
  saleId: string | null
  /** Where the parcel is in what the caller sees, in front of the field that the partner refuses. */
  within?: string
  lock(tx: Tx): Promise<() => Parcel>
}

/** Null where the draft describes no parcel any more. */
function orNone(parcelOf: () => Parcel): Parcel | null {
  try {
    return parcelOf()
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** A shipment that there is, or what the partner has answered and is yet to be written. */
export type Begun = { known: string } | { request: store.Request; told: Progress; isAsked: boolean }

/** `isOwn`: made by this caller; `isAsked`: of the parcel that the caller has asked for. */
type Step =
  | { known: string }
  | { busy: string }
  | { request: store.Request; isOwn: boolean; isAsked: boolean }

/** What to do about a shipment that is wanted, decided while its sale is held. */
async function stepOf(tx: Tx, { deps, scope, partner }: Means, wanted: Wanted, by: Couriers): Promise<Step> {
  const { saleId } = wanted
  const requestKey = saleId === null ? partner.key : null
  const parcelOf = await wanted.lock(tx)
  const known =
    saleId === null
      ? requestKey === null
        ? undefined
        : await store.findByKey(tx, scope, requestKey)
      : (await store.listOfSale(tx, scope, saleId)).find(({ status }) => isLive(status))
  if (known) return { known: known.id }
  const now = deps.clock.now()
  const claimedUntil = addMs(now, CLAIM_MS)
  const of = saleId === null ? (requestKey === null ? null : { requestKey }) : { saleId }
  const open = of && (await store.lockRequest(tx, scope, of))
  if (open && open.partner === by.id) {
    if (!(await store.claimRequest(tx, scope, open.id, now, claimedUntil))) return { busy: open.id }
    return { request: open, isOwn: false, isAsked: isDeepStrictEqual(open.parcel, orNone(parcelOf)) }
  }
  // What was asked of a partner that is not ours any more is forgotten.
  if (open) await store.deleteRequest(tx, scope, open.id)
  const request = {
    id: newId('shipment'),
    saleId,
    requestKey,
    partner: by.id,
    parcel: parcelOf(),
    claimedUntil,
    createdAt: scope.now,
  }
  if (await store.insertRequest(tx, scope, request)) return { request, isOwn: true, isAsked: true }
  const other = of && (await store.lockRequest(tx, scope, of))
  return { busy: other?.id ?? request.id }
}

/**
 * Has the partner make a shipment, once: of all who want one for the same sale, or under the same key, one asks, and the
 * others wait for what becomes of it. The request is kept before the partner is asked, so an answer that was lost is asked
 * for again under the same id, by the caller or by the job (B-delivery-4).
 */
async function begin(means: Means, wanted: Wanted): Promise<Begun> {
  const { deps, scope, partner } = means
  const by = await couriersOf(means)
  for (;;) {
    const step = await retrying(scope, () => partner.inTx((tx) => stepOf(tx, means, wanted, by)))
    if ('known' in step) return step
    if ('busy' in step) {
      await waitUntil(async () => {
        const open = await partner.read((db) => store.findRequest(db, scope, step.busy))
        return !open || open.claimedUntil <= deps.clock.now()
      })
      continue
    }
    const told = await askFor(means, by, step.request)
    if (!(told instanceof ApiError)) return { request: step.request, told, isAsked: step.isAsked }
    // What somebody asked for before was refused: now it is our turn.
    if (step.isOwn) throw wanted.within === undefined ? told : within(wanted.within, told)
  }
}

/** A refusal of the partner that names a field of the parcel names it where the caller finds it. */
function within(field: string, refusal: ApiError): ApiError {
  const { code, message, status, param, headers } = refusal
  if (param === undefined) return refusal
  return new ApiError(code, message, {
    status,
    param: `${field}.${param}`,
    cause: refusal,
    ...(headers === undefined ? {} : { headers }),
  })
}

/** The partner's answer, or its refusal; 5xx are thrown, and the request waits for the next who asks. */
async function askFor(
  { deps, scope, partner }: Means,
  by: Couriers,
  request: store.Request,
): Promise<Progress | ApiError> {
  try {
    return await by.create(request.id, request.parcel)
  } catch (error) {
    const isOpen = isUndecided(error)
    await partner.inTx(async (tx) => {
      if (isOpen) await store.releaseRequest(tx, scope, request.id, deps.clock.now())
      else await store.deleteRequest(tx, scope, request.id)
    })
    if (isOpen) throw error
    return error as ApiError
  }
}

/** Asks for a shipment of a parcel; 404, 409 and 422 as B-delivery-3 has them. */
export async function create(means: Means, { transactionId, ...parcel }: ShipmentIn): Promise<Begun> {
  requireFindable(parcel.destination, 'destination.')
  const saleId = transactionId ?? null
  return begin(means, {
    saleId,
    lock: async (tx) => {
      if (saleId !== null) await lockSendable(tx, means.scope, saleId, 'transactionId')
      return () => parcel
    },
  })
}

/** Asks for the shipment that the draft of a delivery describes (B-delivery-3). */
export const dispatch = (means: Means, saleId: string): Promise<Begun> =>
  begin(means, {
    within: 'deliveryDraft',
    saleId,
    lock: async (tx) => {
      const draft = await lockDraft(tx, means.scope, saleId)
      return () => parcelIn(draft)
    },
  })

function parcelIn(draft: unknown): Parcel {
  if (draft === null || draft === undefined) {
    throw conflict(
      'This sale has no deliveryDraft: add destination, courier and items to it, or create the shipment',
    )
  }
  if (!Check(Parcel, draft)) {
    throw conflict(
      'The deliveryDraft of this sale cannot be dispatched: it needs destination, courierCode, courierServiceCode and items, as POST /delivery/shipments takes them',
    )
  }
  const { destination, courierCode, courierServiceCode, items, insurance } = draft as Parcel
  try {
    requireFindable(destination, 'destination.')
  } catch (error) {
    throw error instanceof ApiError
      ? conflict(`The deliveryDraft of this sale cannot be dispatched: ${error.message}`)
      : error
  }
  return {
    destination,
    courierCode,
    courierServiceCode,
    items,
    ...(insurance === undefined ? {} : { insurance }),
  }
}

/**
 * Writes what the partner has made, with its sale; whoever wrote it first, it is answered. `isNew` where the caller's own
 * parcel was made of it: one that somebody else had asked for is the one that the sale has.
 */
export async function finish(
  tx: Tx,
  scope: Scope,
  begun: Begun,
): Promise<{ isNew: boolean; shipment: Shipment }> {
  if ('known' in begun) return { isNew: false, shipment: await getShipment(tx, scope, begun.known) }
  const { request, told, isAsked } = begun
  const { id, saleId } = request
  if (saleId !== null) await lockDelivered(tx, scope, saleId)
  if (!(await store.deleteRequest(tx, scope, id))) {
    const row = await store.find(tx, scope, id)
    if (!row) throw conflict('This shipment was given up in the meantime: ask for it again')
    return { isNew: false, shipment: shipmentView(row) }
  }
  await store.insert(tx, scope, request, told, nextCheck(told.status, scope.now, scope.now))
  if (saleId !== null) {
    await stampDelivery(tx, scope, saleId, { shipmentId: id, status: told.status, isNew: true })
  }
  const shipment = await getShipment(tx, scope, id)
  await emit(tx, scope, shipmentCreated, id, { shipment })
  return { isNew: isAsked, shipment }
}

/** Gives what the partner says of a shipment its effect, once, in whatever order it comes (B-delivery-6). */
export async function apply(
  tx: Tx,
  scope: Scope,
  id: string,
  told: Progress,
  { endsClaim }: { endsClaim: boolean },
): Promise<Shipment> {
  const { saleId } = await orNotFound(store.find(tx, scope, id))
  if (saleId !== null) await lockDelivered(tx, scope, saleId)
  const before = await orNotFound(store.lock(tx, scope, id))
  const after = progressed(before, told)
  const isChanged = (Object.keys(after) as (keyof Progress)[]).some(
    (field) => !isDeepStrictEqual(after[field], before[field]),
  )
  const hasMoved = after.status !== before.status
  const changedAt = hasMoved ? scope.now : before.changedAt
  const isClaimed = !endsClaim && before.claimedUntil !== null && before.claimedUntil > scope.now
  await store.update(tx, scope, id, {
    ...(isChanged ? { ...after, updatedAt: scope.now } : {}),
    changedAt,
    // Whoever is at it has said when to look after it.
    ...(isClaimed ? {} : { claimedUntil: null, checkAt: nextCheck(after.status, changedAt, scope.now) }),
  })
  const shipment = await getShipment(tx, scope, id)
  if (!isChanged) return shipment
  if (hasMoved && saleId !== null) {
    await stampDelivery(tx, scope, saleId, { shipmentId: id, status: after.status, isNew: false })
  }
  const type = hasMoved && after.status === 'cancelled' ? shipmentCancelled : shipmentUpdated
  await emit(tx, scope, type, id, { shipment })
  if (!hasMoved || saleId === null || !hasEnded(after.status)) return shipment
  await eraseEndedShipment(tx, scope, { id, saleId })
  return getShipment(tx, scope, id)
}

/** Where a shipment is according to the partner, for one that was not heard of (B-delivery-7). */
export async function check(means: Means, id: string): Promise<void> {
  const { deps, scope, partner } = means
  const row = await partner.read((db) => store.find(db, scope, id))
  if (!row || row.checkAt === null || row.checkAt > deps.clock.now()) return
  const by = await couriersOf(means)
  const told = row.partner === by.id ? await by.read(row) : null
  await retrying(scope, () =>
    partner.inTx(async (tx) => {
      const checkAt = row.partner === by.id ? nextCheck(row.status, row.changedAt, scope.now) : null
      if (told) await apply(tx, scope, id, told, { endsClaim: false })
      else await store.update(tx, scope, id, { checkAt })
    }),
  )
}

/** A request that nobody came back for is given up after so long; what the partner made of it is a draft that costs nothing. */
const GIVEN_UP_MS = 24 * 3_600_000

/**
 * Asks again for what was asked before by somebody who is gone (B-delivery-4). One whose workspace has no place at the partner
 * goes behind the others until its day is over.
 */
export async function resume(means: Means, id: string): Promise<void> {
  const { scope, partner } = means
  const request = await takeOver(means, id)
  if (!request) return
  const by = await couriersOf(means).catch(async (error: unknown) => {
    await partner.inTx((tx) => store.releaseRequest(tx, scope, id, means.deps.clock.now()))
    throw error
  })
  if (request.partner !== by.id) return void (await partner.inTx((tx) => store.deleteRequest(tx, scope, id)))
  const told = await askFor(means, by, request)
  if (told instanceof ApiError) return
  await retrying(scope, () => partner.inTx((tx) => finish(tx, scope, { request, told, isAsked: true })))
}

/** The request, for the time that it takes to ask; null where somebody is at it, or it has waited too long. */
const takeOver = ({ deps, scope, partner }: Means, id: string): Promise<store.Request | null> =>
  partner.inTx(async (tx) => {
    const now = deps.clock.now()
    if (!(await store.claimRequest(tx, scope, id, now, addMs(now, CLAIM_MS)))) return null
    const open = await store.findRequest(tx, scope, id)
    if (!open || open.createdAt > addMs(now, -GIVEN_UP_MS)) return open ?? null
    await store.deleteRequest(tx, scope, id)
    return null
  })
