import { conflict, invalid } from '../../../core/errors.ts'
import { IN_VAIN } from '../../../core/shipments.ts'
import { addMs, msBetween } from '../../../core/time.ts'

/** Where a shipment can be, the way of one that goes well first (B-delivery-5). */
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
export type State = (typeof STATES)[number]

/** Nothing follows any more, whatever is reported late. */
const ENDED: readonly State[] = [
  'delivered',
  'rejected',
  'courier_not_found',
  'cancelled',
  'returned',
  'disposed',
]
const BEFORE_PICKUP: readonly State[] = ['draft', 'confirmed', 'allocated', 'picking_up', 'on_hold']

export const hasEnded = (status: State) => ENDED.includes(status)
export const isLive = (status: State) => !(IN_VAIN as readonly State[]).includes(status)
/** A courier is on it, so something will be reported. */
export const isUnderWay = (status: State) => status !== 'draft' && !hasEnded(status)

export type Step = { status: State; note: string | null; at: string }

/** What can change about a shipment by what the partner says. */
export type Progress = {
  providerRef: string
  status: State
  reportedAt: string
  courierName: string | null
  courierServiceName: string | null
  price: number
  insuranceFee: number
  waybillId: string | null
  trackingUrl: string | null
  history: readonly Step[]
}

const LONGEST_HISTORY = 100

function historyOf(known: readonly Step[], told: readonly Step[]): Step[] {
  const steps = new Map([...told, ...known].map((step) => [`${step.status} ${step.at}`, step]))
  return [...steps.values()]
    .toSorted((a, b) => a.at.localeCompare(b.at) || STATES.indexOf(a.status) - STATES.indexOf(b.status))
    .slice(-LONGEST_HISTORY)
}

/**
 * What is known once a report has come in: reports come late, twice, and in any order (B-delivery-6). The newer one by the
 * clock of the partner counts, of two of one instant the one with more behind it, or, where
 * both say the same state, the one heard later; what has ended stays so.
 */
export function progressed(known: Progress, told: Progress): Progress {
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

/** Whether there is anything left to ask of the partner; 409 where the state does not allow it (B-delivery-5). */
export function requireBookable(status: State): { isDone: boolean } {
  if (!hasEnded(status)) return { isDone: status !== 'draft' }
  throw conflict(`This shipment is ${status}: no courier can be booked for it; create another one`)
}
export function requireCancellable(status: State): { isDone: boolean } {
  if (status === 'cancelled') return { isDone: true }
  if (BEFORE_PICKUP.includes(status)) return { isDone: false }
  throw conflict(
    hasEnded(status)
      ? `This shipment is ${status}: there is nothing to cancel`
      : `This shipment is ${status}: the courier has the parcel, ask them to bring it back`,
  )
}

/** 422 for a place that nobody could find (B-delivery-2). */
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
    throw invalid(`${param}${missing}`, 'Latitude and longitude tell a place together: send both or neither')
  }
  if (has(place.postalCode) || has(place.areaId) || has(place.latitude)) return
  throw invalid(`${param}postalCode`, 'Say where it is: send a postalCode, an areaId, or coordinates')
}

const MINUTE_MS = 60_000
const SOONEST_MS = 15 * MINUTE_MS
const LATEST_MS = 24 * 60 * MINUTE_MS
const GIVEN_UP_MS = 60 * LATEST_MS

/**
 * When the partner is asked next about a shipment that last changed at `changedAt`: the longer nothing has changed, the
 * later (B-delivery-7). Null where nothing is expected, or no more.
 */
export function nextCheck(status: State, changedAt: string, now: string): string | null {
  const idleMs = msBetween(changedAt, now)
  if (!isUnderWay(status) || idleMs > GIVEN_UP_MS) return null
  return addMs(now, Math.min(LATEST_MS, Math.max(SOONEST_MS, Math.floor(idleMs / 4))))
}
