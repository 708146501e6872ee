import { isDeepStrictEqual } from 'node:util'
import { Check } from 'typebox/value'
import { pageOf } from '../../../core/cursor.ts'
import { ApiError, conflict, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { retrying } from '../../../platform/http/idempotency.ts'
import type { Scope } from '../../../platform/scope.ts'
import { eraseEndedShipment } from '../../selling/customers/index.ts'
import { lockDelivered, lockDraft, lockSendable, stampDelivery } from '../../selling/sales/index.ts'
import { CLAIM_MS, isUndecided, waitUntil } from './claim.ts'
import { couriersOf } from './couriers.ts'
import { shipmentCancelled, shipmentCreated, shipmentUpdated } from './events.ts'
import type { CourierContext, Couriers } from './port.ts'
import { hasEnded, isLive, nextCheck, progressed, requireFindable, type ShipmentProgress } from './rules.ts'
import { Parcel, type SentParcel, type Shipment, type ShipmentIn, type ShipmentQuery } from './schema.ts'
import * as store from './store.ts'

export function shipmentView(row: store.ShipmentRow): Shipment {
  const {
    partner: _,
    saleId,
    reportedAt: _at,
    claimedUntil: _until,
    checkAt: _check,
    undecidedSince: _undecided,
    changedAt: _since,
    ...shown
  } = row
  return { ...shown, transactionId: saleId }
}

export async function getShipment(db: Db, scope: Scope, id: string): Promise<Shipment> {
  return shipmentView(await requireShipment(store.find(db, scope, id)))
}

export const listShipments = async (db: Db, scope: Scope, query: ShipmentQuery) =>
  pageOf((await store.list(db, scope, query)).map(shipmentView), query.limit)

export async function requireShipment(
  row: Promise<store.ShipmentRow | undefined>,
): Promise<store.ShipmentRow> {
  const found = await row
  if (!found) throw notFound('shipment')
  return found
}

/** A shipment to create. `lock` locks its sale and returns a function that builds the parcel. */
type NewShipment = {
  saleId: string | null
  /** The path of the parcel in the caller's request; it precedes the field that the partner refuses. */
  within?: string
  lock(tx: Tx): Promise<() => Parcel>
}

/** Returns null if the draft no longer describes a valid parcel. */
function parcelOrNull(parcelOf: () => SentParcel): SentParcel | null {
  try {
    return parcelOf()
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** An existing shipment, or the partner's answer that is not stored yet. */
export type ShipmentStart =
  | { known: string }
  | { request: store.Request; told: ShipmentProgress; isAsked: boolean }

/**
 * `isOwn` is true if this caller created the request. `isAsked` is true if the request is for the parcel of this
 * caller.
 */
type RequestStep =
  | { known: string }
  | { busy: string }
  | { request: store.Request; isOwn: boolean; isAsked: boolean }

/** An open request keeps its origin, so that a retry after a correction of the origin is another parcel. */
async function withOrigin(tx: Tx, by: Couriers, parcelOf: () => Parcel): Promise<() => SentParcel> {
  const origin = await by.originOf?.(tx)
  return origin ? () => ({ ...parcelOf(), origin }) : parcelOf
}

/** Decides the next step for a shipment while its sale is locked. */
async function stepOf(
  tx: Tx,
  { deps, scope, partner }: CourierContext,
  wanted: NewShipment,
  by: Couriers,
): Promise<RequestStep> {
  const { saleId } = wanted
  const requestKey = saleId === null ? partner.key : null
  const parcelOf = await withOrigin(tx, by, await wanted.lock(tx))
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
    if (!(await store.claimRequest(tx, scope, { id: open.id, now, until: claimedUntil })))
      return { busy: open.id }
    return { request: open, isOwn: false, isAsked: isDeepStrictEqual(open.parcel, parcelOrNull(parcelOf)) }
  }
  // A request to a partner that this installation no longer uses is dropped.
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
 * Creates the shipment at the partner once. If requests for one sale or with one key are concurrent, one calls the
 * partner and the others wait for its result. The request is stored first, so that the caller or the job can retry it
 * under the same id (B-delivery-4).
 */
async function begin(means: CourierContext, wanted: NewShipment): Promise<ShipmentStart> {
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
    // The earlier request was rejected, so this one is sent.
    if (step.isOwn) throw wanted.within === undefined ? told : within(wanted.within, told)
  }
}

/** Prefixes the field of a partner's rejection with its path in the caller's request. */
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

/** Returns the partner's answer or its rejection. Throws 5xx; the stored request then waits for the next retry. */
async function askFor(
  { deps, scope, partner }: CourierContext,
  by: Couriers,
  request: store.Request,
): Promise<ShipmentProgress | ApiError> {
  try {
    return await by.create(request)
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

/** Creates a shipment for a parcel. B-delivery-3 has the cases of 404, 409 and 422. */
export async function create(
  means: CourierContext,
  { transactionId, ...parcel }: ShipmentIn,
): Promise<ShipmentStart> {
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

/** Creates the shipment that the draft of a delivery sale describes (B-delivery-3). */
export const dispatch = (means: CourierContext, saleId: string): Promise<ShipmentStart> =>
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
      'This sale has no deliveryDraft. Add destination, courier and items to it, or create the shipment',
    )
  }
  if (!Check(Parcel, draft)) {
    throw conflict(
      'The deliveryDraft of this sale cannot be dispatched. It needs destination, courierCode, courierServiceCode and items, as in POST /delivery/shipments',
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
 * Stores the shipment that the partner created, and links its sale. If a concurrent request stored it first, returns
 * that one. `isNew` is true if it was created for the caller's own parcel, not for an earlier request of the same
 * sale.
 */
export async function finish(
  tx: Tx,
  scope: Scope,
  begun: ShipmentStart,
): Promise<{ isNew: boolean; shipment: Shipment }> {
  if ('known' in begun) return { isNew: false, shipment: await getShipment(tx, scope, begun.known) }
  const { request, told, isAsked } = begun
  const { id, saleId } = request
  if (saleId !== null) await lockDelivered(tx, scope, saleId)
  if (!(await store.deleteRequest(tx, scope, id))) {
    const row = await store.find(tx, scope, id)
    if (!row) throw conflict('The request for this shipment has expired. Send it again')
    return { isNew: false, shipment: shipmentView(row) }
  }
  const watched = { status: told.status, changedAt: scope.now, undecidedSince: null }
  await store.insert(tx, scope, { request, told, checkAt: nextCheck(watched, scope.now) })
  if (saleId !== null) {
    await stampDelivery(tx, scope, saleId, { shipmentId: id, status: told.status, isNew: true })
  }
  const shipment = await getShipment(tx, scope, id)
  await emit(tx, scope, shipmentCreated, id, { shipment })
  return { isNew: isAsked, shipment }
}

/**
 * Applies the partner's report to a shipment once, in whatever order reports arrive (B-delivery-6). Only a change of
 * state settles an undecided booking or cancellation.
 */
export async function apply(
  tx: Tx,
  scope: Scope,
  id: string,
  {
    told,
    endsClaim,
    undecidedSince,
  }: { told: ShipmentProgress; endsClaim: boolean; undecidedSince?: string | null },
): Promise<Shipment> {
  const { saleId } = await requireShipment(store.find(tx, scope, id))
  if (saleId !== null) await lockDelivered(tx, scope, saleId)
  const before = await requireShipment(store.lock(tx, scope, id))
  const after = progressed(before, told)
  const isChanged = (Object.keys(after) as (keyof ShipmentProgress)[]).some(
    (field) => !isDeepStrictEqual(after[field], before[field]),
  )
  const hasMoved = after.status !== before.status
  const changedAt = hasMoved ? scope.now : before.changedAt
  const watched = {
    status: after.status,
    changedAt,
    undecidedSince: hasMoved ? null : undecidedSince === undefined ? before.undecidedSince : undecidedSince,
  }
  const isClaimed = !endsClaim && before.claimedUntil !== null && before.claimedUntil > scope.now
  await store.update(tx, scope, id, {
    ...(isChanged ? { ...after, updatedAt: scope.now } : {}),
    changedAt,
    undecidedSince: watched.undecidedSince,
    // The process that has claimed the shipment has set the time of the next check.
    ...(isClaimed ? {} : { claimedUntil: null, checkAt: nextCheck(watched, scope.now) }),
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

/** Reads the state of a shipment without recent reports at the partner (B-delivery-7). */
export async function check(means: CourierContext, id: string): Promise<void> {
  const { deps, scope, partner } = means
  const row = await partner.read((db) => store.find(db, scope, id))
  if (!row || row.checkAt === null || row.checkAt > deps.clock.now()) return
  const by = await couriersOf(means)
  const told = row.partner === by.id ? await by.read(row) : null
  await retrying(scope, () =>
    partner.inTx(async (tx) => {
      if (told) await apply(tx, scope, id, { told, endsClaim: false })
      // A shipment of another partner is checked again when that partner is configured again.
      else await store.update(tx, scope, id, { checkAt: nextCheck(row, scope.now) })
    }),
  )
}

/** An abandoned request is dropped after this time. The draft that the partner may have created costs nothing. */
const GIVEN_UP_MS = 24 * 3_600_000

/**
 * Retries an abandoned request (B-delivery-4). If the workspace has no account at the partner, the request moves to
 * the end of the queue until it is dropped.
 */
export async function resume(means: CourierContext, id: string): Promise<void> {
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

/**
 * Claims the request for the call to the partner. Returns null if another process has claimed it or it has waited too
 * long.
 */
const takeOver = ({ deps, scope, partner }: CourierContext, id: string): Promise<store.Request | null> =>
  partner.inTx(async (tx) => {
    const now = deps.clock.now()
    if (!(await store.claimRequest(tx, scope, { id, now, until: addMs(now, CLAIM_MS) }))) return null
    const open = await store.findRequest(tx, scope, id)
    if (!open || open.createdAt > addMs(now, -GIVEN_UP_MS)) return open ?? null
    await store.deleteRequest(tx, scope, id)
    return null
  })
