import { type Static, Type } from 'typebox'
import {
  Amount,
  Id,
  Instant,
  Nullable,
  PageQuery,
  Rupiah,
  Text,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'
import { STATES } from './rules.ts'

/**
 * The place of a pick-up or delivery. Postal code, area or coordinates locate it; one of them is enough
 * (B-delivery-2).
 */
const PLACE = {
  contactName: Text(120),
  contactPhone: Type.String({ minLength: 6, maxLength: 20 }),
  address: Text(500),
  note: Type.Optional(Nullable(Type.String({ maxLength: 300 }))),
  postalCode: Type.Optional(
    Nullable(
      Type.String({ pattern: '^\\d{5}$', 'x-form': 'five digits', maxLength: 5, description: 'Five digits' }),
    ),
  ),
  areaId: Type.Optional(Nullable(Text(64))),
  latitude: Type.Optional(Nullable(Type.Number({ minimum: -90, maximum: 90 }))),
  longitude: Type.Optional(Nullable(Type.Number({ minimum: -180, maximum: 180 }))),
}
const PlaceIn = Type.Object(PLACE, { title: 'DeliveryPlaceIn' })
export const ShipmentPlace = Type.Object(PLACE, { title: 'DeliveryPlace' })
export const OriginPatch = Type.Object(
  {
    ...PLACE,
    contactName: Type.Optional(PLACE.contactName),
    contactPhone: Type.Optional(PLACE.contactPhone),
    address: Type.Optional(PLACE.address),
  },
  { title: 'DeliveryOriginPatch' },
)

const Centimetres = Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1_000 })))
const ITEM = {
  name: Text(120),
  quantity: Type.Integer({ minimum: 1, maximum: 1_000 }),
  weight: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Grams per unit' }),
  value: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Whole rupiah per unit' }),
  length: Centimetres,
  width: Centimetres,
  height: Centimetres,
  sku: Type.Optional(Nullable(Text(64))),
  category: Type.Optional(Nullable(Text(64))),
}
const ParcelItemIn = Type.Object(ITEM, { title: 'ParcelItemIn' })
export const ParcelItem = Type.Object(ITEM, { title: 'ParcelItem' })
const Items = Type.Array(ParcelItemIn, { minItems: 1, maxItems: 100 })
const Insurance = Type.Union([Type.Boolean(), Type.Object({ amount: Rupiah })], {
  description: 'true insures the total value of the items; a number insures that amount, in whole rupiah',
})
const Code = Text(40)

export const RateIn = Type.Object(
  { destination: PlaceIn, items: Items, insurance: Type.Optional(Insurance) },
  { title: 'DeliveryRateRequest' },
)
/** A parcel with its courier: the body of a shipment, and the draft on a sale. */
const PARCEL = { ...RateIn.properties, courierCode: Code, courierServiceCode: Code }
export const Parcel = Type.Object(PARCEL)
export const ShipmentIn = Type.Object(
  {
    ...PARCEL,
    transactionId: Type.Optional(
      Nullable(Type.Unsafe<string>({ ...Id, description: 'The sale to deliver; a sale has one shipment' })),
    ),
  },
  { title: 'ShipmentCreate' },
)

export const Courier = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    services: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
  },
  { title: 'Courier' },
)
export const Rate = Type.Object(
  {
    courierCode: Type.String(),
    courierName: Type.String(),
    courierServiceCode: Type.String(),
    courierServiceName: Type.String(),
    price: Amount,
    insuranceFee: Amount,
    duration: Nullable(Type.String({ description: 'The delivery time as the courier describes it' })),
    type: Nullable(Type.String()),
  },
  { title: 'DeliveryRate' },
)

const Step = Type.Object({
  status: Words(STATES, { title: 'ShipmentStatus' }),
  note: Nullable(Type.String()),
  at: Instant,
})
export const Shipment = Type.Object(
  {
    id: Id,
    providerRef: Type.String({ description: 'The id of the shipment at the fulfillment partner' }),
    transactionId: Nullable(Id),
    status: Words(STATES, { title: 'ShipmentStatus' }),
    destination: ShipmentPlace,
    courierCode: Type.String(),
    courierName: Nullable(Type.String()),
    courierServiceCode: Type.String(),
    courierServiceName: Nullable(Type.String()),
    price: Amount,
    insuranceFee: Amount,
    waybillId: Nullable(Type.String()),
    trackingUrl: Nullable(Type.String()),
    items: Type.Array(ParcelItem),
    history: Type.Array(Step, { description: 'The last hundred steps, oldest first' }),
    ...Timestamps,
  },
  { title: 'Shipment' },
)

export const ShipmentQuery = Type.Object({
  status: Type.Optional(Words(STATES, { title: 'ShipmentStatus' })),
  ...PageQuery,
})

export type ShipmentPlace = Static<typeof ShipmentPlace>
export type OriginPatch = Static<typeof OriginPatch>
export type RateIn = Static<typeof RateIn>
export type Parcel = Static<typeof Parcel>
/** A parcel as the partner gets it; `origin` is for a partner that does not store it. */
export type SentParcel = Parcel & { origin?: ShipmentPlace }
export type ShipmentIn = Static<typeof ShipmentIn>
export type Courier = Static<typeof Courier>
export type Rate = Static<typeof Rate>
export type Shipment = Static<typeof Shipment>
export type ShipmentQuery = Static<typeof ShipmentQuery>
