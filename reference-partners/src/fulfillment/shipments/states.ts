import { conflict } from 'kasir/partner-tools'

export const STATUSES = [
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
export type Status = (typeof STATUSES)[number]
/** The states in which a shipment can be held, and in which it continues after the hold. */
export type HoldableStatus = Exclude<Status, 'on_hold'>

/** The states that may follow each state. The first is the default. */
const NEXT: Readonly<Record<HoldableStatus, readonly Status[]>> = {
  draft: ['confirmed', 'cancelled'],
  confirmed: ['allocated', 'on_hold', 'courier_not_found', 'rejected', 'cancelled'],
  allocated: ['picking_up', 'on_hold', 'courier_not_found', 'rejected', 'cancelled'],
  picking_up: ['picked', 'on_hold', 'courier_not_found', 'rejected', 'cancelled'],
  picked: ['dropping_off', 'on_hold', 'return_in_transit', 'disposed'],
  dropping_off: ['delivered', 'on_hold', 'return_in_transit', 'disposed'],
  delivered: [],
  rejected: [],
  courier_not_found: [],
  cancelled: [],
  return_in_transit: ['returned', 'on_hold', 'disposed'],
  returned: [],
  disposed: [],
}

/** Ended before a courier had the parcel: what was paid for it is given back. */
const UNCARRIED: ReadonlySet<Status> = new Set(['cancelled', 'rejected', 'courier_not_found'])
export const isUncarried = (status: Status): boolean => UNCARRIED.has(status)

/** The most entries of a history; beyond that a shipment is no longer put on hold. */
const HOLDS_UNTIL = 50

export type ShipmentStanding = {
  status: Status
  heldFrom: HoldableStatus | null
  history: readonly unknown[]
}

/**
 * The states that may follow each state of a shipment. A hold ends in the state it began in, or in one that follows
 * that.
 */
export function nextStatuses({ status, heldFrom, history }: ShipmentStanding): readonly Status[] {
  if (status === 'on_hold')
    return heldFrom === null ? [] : [heldFrom, ...NEXT[heldFrom].filter((next) => next !== 'on_hold')]
  return history.length < HOLDS_UNTIL ? NEXT[status] : NEXT[status].filter((next) => next !== 'on_hold')
}

/** Throws 409 unless the shipment may enter that state from its current one. */
export function requireWay(standing: ShipmentStanding, to: Status) {
  if (nextStatuses(standing).includes(to)) return
  throw conflict(
    `This shipment is ${words(standing.status)} and cannot become ${words(to)}; it can become: ${
      nextStatuses(standing).map(words).join(', ') || 'nothing else'
    }`,
  )
}

const words = (status: Status): string => status.replaceAll('_', ' ')
