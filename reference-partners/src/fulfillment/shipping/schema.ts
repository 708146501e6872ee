import { Instant, Nullable, Rupiah, Text, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { SERVICE_TYPES } from './couriers.ts'

export const PostalCode = Type.String({ minLength: 1, maxLength: 10, description: 'Five digits' })
const where = {
  note: Type.Optional(Nullable(Type.String({ maxLength: 300 }))),
  postalCode: Type.Optional(Nullable(PostalCode)),
  areaId: Type.Optional(
    Nullable(Type.String({ minLength: 5, maxLength: 64, description: 'Ends in the postal code' })),
  ),
  latitude: Type.Optional(Nullable(Type.Number({ minimum: -90, maximum: 90 }))),
  longitude: Type.Optional(Nullable(Type.Number({ minimum: -180, maximum: 180 }))),
}
const ContactName = Text(120)
const ContactPhone = Type.String({ minLength: 6, maxLength: 20 })
const Address = Text(500)

/** The destination or origin of a parcel, by postal code, area or coordinates. */
export const PlaceInput = Type.Object(
  { contactName: ContactName, contactPhone: ContactPhone, address: Address, ...where },
  { title: 'PlaceInput' },
)
export type PlaceInput = Static<typeof PlaceInput>

/** A quote needs no contact names. */
export const RatePlace = Type.Object(
  {
    contactName: Type.Optional(ContactName),
    contactPhone: Type.Optional(ContactPhone),
    address: Type.Optional(Address),
    ...where,
  },
  { title: 'RatePlace' },
)
export type RatePlace = Static<typeof RatePlace>
export const OriginPatch = Type.Object(RatePlace.properties, { title: 'OriginPatch' })
export type OriginPatch = Static<typeof OriginPatch>

const text = Nullable(Type.String())
const place = {
  note: text,
  postalCode: text,
  areaId: text,
  latitude: Nullable(Type.Number()),
  longitude: Nullable(Type.Number()),
}
export const ShippingPlace = Type.Object(
  { contactName: Type.String(), contactPhone: Type.String(), address: Type.String(), ...place },
  { title: 'Place' },
)
export type ShippingPlace = Static<typeof ShippingPlace>

/** Every field is null until an origin was saved. */
export const Origin = Type.Object(
  { contactName: text, contactPhone: text, address: text, ...place, updatedAt: Nullable(Instant) },
  { title: 'Origin' },
)
export type Origin = Static<typeof Origin>

const Centimetres = Type.Integer({ minimum: 1, maximum: 1_000, description: 'Centimetres' })
export const Item = Type.Object(
  {
    name: Text(120),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000 }),
    weight: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Grams of one' }),
    value: Rupiah,
    length: Type.Optional(Centimetres),
    width: Type.Optional(Centimetres),
    height: Type.Optional(Centimetres),
    sku: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { title: 'Item' },
)
export type Item = Static<typeof Item>
export const Items = Type.Array(Item, { minItems: 1, maxItems: 100 })

export const Insurance = Type.Union(
  [
    // First, so that a refusal names the amount.
    Type.Object({ amount: Rupiah }),
    Type.Boolean({ description: '`true` insures what the items are declared to be worth' }),
  ],
  { title: 'Insurance' },
)
export type Insurance = Static<typeof Insurance>

export const RatesBody = Type.Object(
  {
    origin: Type.Optional(RatePlace),
    destination: RatePlace,
    items: Items,
    insurance: Type.Optional(Insurance),
  },
  { title: 'RatesRequest' },
)

export const Rate = Type.Object(
  {
    courierCode: Type.String(),
    courierName: Type.String(),
    courierServiceCode: Type.String(),
    courierServiceName: Type.String(),
    price: Rupiah,
    insuranceFee: Type.Integer({ description: 'Comes on top of the price' }),
    duration: Type.String(),
    type: Words(SERVICE_TYPES),
  },
  { title: 'Rate' },
)
export type Rate = Static<typeof Rate>

export const CourierShape = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    services: Type.Array(
      Type.Object({
        code: Type.String(),
        name: Type.String(),
        type: Words(SERVICE_TYPES),
        description: Type.String(),
      }),
    ),
  },
  { title: 'Courier' },
)
