import type { Shipment } from 'kasir-client'
import {
  linkIn,
  momentIn,
  numberIn,
  type PartnerRecord,
  recordIn,
  recordsIn,
  textIn,
} from '../../office/partner-data.ts'
import { formatMoment } from '../../ui/time.ts'

/** A shipment as its page shows it, whether this service or another program created it. */
export type ShownShipment = {
  status: string
  to: { contactName: string; contactPhone: string; address: string; postalCode: string; note: string }
  courier: string
  price: number
  insuranceFee: number
  waybillId: string | null
  trackingUrl: string | null
  items: readonly { name: string; quantity: number; weight: number; value: number }[]
  history: readonly { status: string; note: string | null; at: string }[]
}

export function shownFrom(shipment: Shipment): ShownShipment {
  const { status, destination, price, insuranceFee, waybillId, trackingUrl, items, history } = shipment
  const { contactName, contactPhone, address, postalCode, note } = destination
  return {
    status,
    to: { contactName, contactPhone, address, postalCode: postalCode ?? '', note: note ?? '' },
    courier: `${shipment.courierName ?? shipment.courierCode} · ${shipment.courierServiceName ?? shipment.courierServiceCode}`,
    price,
    insuranceFee,
    waybillId,
    trackingUrl,
    items,
    history: history.map((step) => ({ ...step, at: formatMoment(step.at) })),
  }
}

/** The same of a record of the partner. */
export function shownFromPartner(record: PartnerRecord): ShownShipment {
  const to = recordIn(record, 'destination')
  return {
    status: textIn(record, 'status'),
    to: {
      contactName: textIn(to, 'contactName'),
      contactPhone: textIn(to, 'contactPhone'),
      address: textIn(to, 'address'),
      postalCode: textIn(to, 'postalCode'),
      note: textIn(to, 'note'),
    },
    courier: courierIn(record),
    price: numberIn(record, 'price'),
    insuranceFee: numberIn(record, 'insuranceFee'),
    waybillId: textIn(record, 'waybillId') || null,
    trackingUrl: linkIn(record, 'trackingUrl'),
    items: recordsIn(record, 'items').map((item) => ({
      name: textIn(item, 'name'),
      quantity: numberIn(item, 'quantity'),
      weight: numberIn(item, 'weight'),
      value: numberIn(item, 'value'),
    })),
    history: recordsIn(record, 'history').map((step) => ({
      status: textIn(step, 'status'),
      note: textIn(step, 'note') || null,
      at: momentIn(step, 'at'),
    })),
  }
}

const courierText = (...names: readonly (string | null)[]) => names.filter(Boolean).join(' · ')

export const courierIn = (record: PartnerRecord): string =>
  courierText(
    textIn(record, 'courierName') || textIn(record, 'courierCode'),
    textIn(record, 'courierServiceName') || textIn(record, 'courierServiceCode'),
  )
