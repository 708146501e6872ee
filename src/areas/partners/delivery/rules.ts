import { conflict, invalid } from '../../../core/errors.ts'
import { IN_VAIN } from '../../../core/shipments.ts'
import { addMs, msBetween } from '../../../core/time.ts'

/** The states of a shipment, those of a successful delivery first (B-delivery-5). */
export const STATES = [
  'draft',
  'confirmed',
  'allocated',
  'picking_up',
  'picked',
  'dropping_off',
  'delivered',
  'on_hold',
  'rejected',
  'courier_not_found',
  'cancelled',
  'return_in_transit',
  'returned',
  'disposed',
] as const
export type ShipmentState = (typeof STATES)[number]

/** Final states; later reports do not change them. */
const ENDED: readonly ShipmentState[] = [
  'delivered',
  'rejected',
  'courier_not_found',
  'cancelled',
  'returned',
  'disposed',
]
const BEFORE_PICKUP: readonly ShipmentState[] = ['draft', 'confirmed', 'allocated', 'picking_up', 'on_hold']

export const hasEnded = (status: ShipmentState) => ENDED.includes(status)
export const isLive = (status: ShipmentState) => !(IN_VAIN as readonly ShipmentState[]).includes(status)
/** Returns true if a courier is booked, so that reports will follow. */
export const isUnderWay = (status: ShipmentState) => status !== 'draft' && !hasEnded(status)

export type HistoryEntry = { status: ShipmentState; note: string | null; at: string }

/** The fields of a shipment that a report can change. */
export type ShipmentProgress = {
  providerRef: string
  status: ShipmentState
  reportedAt: string
  courierName: string | null
  courierServiceName: string | null
  price: number
  insuranceFee: number
  waybillId: string | null
  trackingUrl: string | null
  history: readonly HistoryEntry[]
}

const LONGEST_HISTORY = 100

function historyOf(known: readonly HistoryEntry[], told: readonly HistoryEntry[]): HistoryEntry[] {
  const steps = new Map([...told, ...known].map((step) => [`${step.status} ${step.at}`, step]))
  return [...steps.values()]
    .toSorted((a, b) => a.at.localeCompare(b.at) || STATES.indexOf(a.status) - STATES.indexOf(b.status))
    .slice(-LONGEST_HISTORY)
}

/**
 * Applies a report. Reports can arrive late, twice and in any order (B-delivery-6). The newer one by the partner's
 * clock wins. For equal times the more advanced state wins, and for equal states the one that arrived later. A final
 * state stays.
 */
export function progressed(known: ShipmentProgress, told: ShipmentProgress): ShipmentProgress {
  const more = told.history.length - known.history.length
  const hasStayed = told.status === known.status
  const isFurther =
    hasStayed || more > 0 || (more === 0 && STATES.indexOf(told.status) > STATES.indexOf(known.status))
  const isNewer = told.reportedAt > known.reportedAt || (told.reportedAt === known.reportedAt && isFurther)
  const [later, earlier] = isNewer ? [told, known] : [known, told]
  return {
    providerRef: later.providerRef,
    status: hasEnded(known.status) ? known.status : later.status,
    reportedAt: later.reportedAt,
    courierName: later.courierName ?? earlier.courierName,
    courierServiceName: later.courierServiceName ?? earlier.courierServiceName,
    price: later.price,
    insuranceFee: later.insuranceFee,
    waybillId: later.waybillId ?? earlier.waybillId,
    trackingUrl: later.trackingUrl ?? earlier.trackingUrl,
    history: historyOf(known.history, told.history),
  }
}

/** Returns whether the shipment is already booked. Throws 409 if its state does not allow a booking (B-delivery-5). */
export function requireBookable(status: ShipmentState): { isDone: boolean } {
  if (!hasEnded(status)) return { isDone: status !== 'draft' }
  throw conflict(`This shipment is ${status}, so no courier can be booked for it. Create another one`)
}
export function requireCancellable(status: ShipmentState): { isDone: boolean } {
  if (status === 'cancelled') return { isDone: true }
  if (BEFORE_PICKUP.includes(status)) return { isDone: false }
  throw conflict(
    hasEnded(status)
      ? `This shipment is ${status}: there is nothing to cancel`
      : `This shipment is ${status}: the courier already has the parcel. Ask the courier to bring it back`,
  )
}

/** Throws 422 for a place that a courier could not find (B-delivery-2). */
export function requireFindable(
  place: {
    postalCode?: string | null
    areaId?: string | null
    latitude?: number | null
    longitude?: number | null
  },
  param: string,
): void {
  const has = (value: unknown) => value !== undefined && value !== null
  if (has(place.latitude) !== has(place.longitude)) {
    const missing = has(place.latitude) ? 'longitude' : 'latitude'
    throw invalid(`${param}${missing}`, 'Send both latitude and longitude, or neither')
  }
  if (has(place.postalCode) || has(place.areaId) || has(place.latitude)) return
  throw invalid(`${param}postalCode`, 'Say where it is: send a postalCode, an areaId, or coordinates')
}

const MINUTE_MS = 60_000
const SOONEST_MS = 15 * MINUTE_MS
const LATEST_MS = 24 * 60 * MINUTE_MS
const GIVEN_UP_MS = 60 * LATEST_MS

/** The delays of checks after a booking or cancellation without a usable answer: the partner may carry it out late. */
const UNDECIDED_LOOKS_MS = [
  5_000,
  15_000,
  ...[1, 5, 20, 60, 4 * 60, 12 * 60, 24 * 60].map((m) => m * MINUTE_MS),
]

/** The fields that decide the time of the next check. */
type PolledShipment = { status: ShipmentState; changedAt: string; undecidedSince: string | null }

/**
 * Returns the time of the next check at the partner. The longer nothing has changed, the later. While a booking or
 * cancellation is undecided, checks are more frequent for a day (B-delivery-7). Returns null if no change is
 * expected.
 */
export function nextCheck({ status, changedAt, undecidedSince }: PolledShipment, now: string): string | null {
  if (hasEnded(status)) return null
  const checks = [undecidedCheck(undecidedSince, now), regularCheck(status, changedAt, now)]
  return checks.filter((at) => at !== null).toSorted()[0] ?? null
}

function undecidedCheck(since: string | null, now: string): string | null {
  if (since === null) return null
  const elapsedMs = msBetween(since, now)
  const look = UNDECIDED_LOOKS_MS.find((ms) => ms > elapsedMs)
  return look === undefined ? null : addMs(since, look)
}

function regularCheck(status: ShipmentState, changedAt: string, now: string): string | null {
  const idleMs = msBetween(changedAt, now)
  if (!isUnderWay(status) || idleMs > GIVEN_UP_MS) return null
  return addMs(now, Math.min(LATEST_MS, Math.max(SOONEST_MS, Math.floor(idleMs / 4))))
}
