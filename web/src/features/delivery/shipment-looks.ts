import type { Shipment } from 'kasir-client'
import type { DeliveryTranslate } from '../../texts/delivery/texts.ts'

export type ShipmentState = Shipment['status']

/** The colour of each state of a shipment, in the order of a delivery. */
const LOOKS = {
  draft: 'muted',
  confirmed: 'warn',
  allocated: 'warn',
  picking_up: 'warn',
  picked: 'warn',
  dropping_off: 'warn',
  delivered: 'good',
  on_hold: 'danger',
  rejected: 'danger',
  courier_not_found: 'danger',
  cancelled: 'danger',
  return_in_transit: 'warn',
  returned: 'danger',
  disposed: 'danger',
} as const satisfies Record<ShipmentState, string>

export const SHIPMENT_STATES = Object.keys(LOOKS) as readonly ShipmentState[]

export const isShipmentState = (text: string | null | undefined): text is ShipmentState =>
  SHIPMENT_STATES.includes(text as ShipmentState)

/** The colour of a state; a partner may report states that this version does not know. */
export const lookOf = (state: string | null) => (isShipmentState(state) ? LOOKS[state] : 'muted')

/** The word for the state of a shipment, or of a sale that has none yet. */
export function stateText(d: DeliveryTranslate, state: string | null): string {
  if (isShipmentState(state)) return d(`status.${state}`)
  if (state === 'awaiting_dispatch') return d('status.awaiting_dispatch')
  return state ?? d('status.none')
}

/** The parcel is not with a courier yet, so the shipment can be cancelled. */
export const isCancellable = (state: string): boolean =>
  ['draft', 'confirmed', 'allocated', 'picking_up', 'on_hold'].includes(state)

/** No parcel will arrive, so the sale can be sent again. */
export const hasFailed = (state: string | null): boolean =>
  ['rejected', 'courier_not_found', 'cancelled'].includes(state ?? '')
