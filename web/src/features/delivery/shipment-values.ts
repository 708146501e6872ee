import type { DeliveryRateRequest, Sale } from 'kasir-client'
import { nameOf } from '../../office/use-outlet-options.ts'

export type ParcelRow = { name: string; quantity: number | null; weight: number | null; value: number | null }

/** The form of a shipment. Fields have the names by which the service refuses them. */
export type ShipmentValues = {
  'destination.contactName': string
  'destination.contactPhone': string
  'destination.address': string
  'destination.postalCode': string | null
  'destination.note': string | null
  items: readonly ParcelRow[]
  insurance: boolean
  courierCode: string
  courierServiceCode: string
}

export const EMPTY_ROW: ParcelRow = { name: '', quantity: 1, weight: null, value: null }

export const NEW_SHIPMENT: ShipmentValues = {
  'destination.contactName': '',
  'destination.contactPhone': '',
  'destination.address': '',
  'destination.postalCode': null,
  'destination.note': null,
  items: [EMPTY_ROW],
  insurance: false,
  courierCode: '',
  courierServiceCode: '',
}

/** A shipment of the goods of a sale, without cancelled items. Goods by weight are one item with the grams that were sold. */
export const valuesFromSale = ({ customer, items }: Sale): ShipmentValues => ({
  ...NEW_SHIPMENT,
  'destination.contactName': customer?.name ?? '',
  'destination.contactPhone': customer?.phone ?? '',
  items: items
    .filter(({ isActive }) => isActive)
    .map(({ productName, variantName, soldBy, quantity, unitPrice, lineTotal }) => ({
      name: nameOf(productName, variantName).slice(0, 120),
      ...(soldBy === 'WEIGHT'
        ? { quantity: 1, weight: quantity, value: lineTotal }
        : { quantity, weight: null, value: unitPrice }),
    })),
})

/** The parcel of the form, as the service asks for it. The service refuses what is missing. */
export const parcelFrom = (values: ShipmentValues): DeliveryRateRequest => ({
  destination: {
    contactName: values['destination.contactName'],
    contactPhone: values['destination.contactPhone'],
    address: values['destination.address'],
    postalCode: values['destination.postalCode'],
    note: values['destination.note'],
  },
  items: values.items.map(({ name, quantity, weight, value }) => ({
    name,
    quantity: quantity ?? 0,
    weight: weight ?? 0,
    value: value ?? 0,
  })),
  insurance: values.insurance,
})
