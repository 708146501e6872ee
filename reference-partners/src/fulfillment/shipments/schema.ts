import { FilterId, Instant, Nullable, PageQuery, Rupiah, Timestamps, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { Metadata } from '../../kit/http/metadata.ts'
import { Insurance, Items, PlaceInput, ShippingPlace } from '../shipping/schema.ts'
import { STATUSES } from './states.ts'

const Code = Type.String({ minLength: 1, maxLength: 40 })
const Reference = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'What the caller calls the shipment; several may have one',
})

const HistoryEntry = Type.Object({
  status: Words(STATUSES),
  note: Nullable(Type.String()),
  at: Instant,
})
export type HistoryEntry = Static<typeof HistoryEntry>

export const Shipment = Type.Object(
  {
    id: Type.String(),
    reference: Nullable(Type.String()),
    status: Words(STATUSES),
    origin: ShippingPlace,
    destination: ShippingPlace,
    courierCode: Type.String(),
    courierName: Type.String(),
    courierServiceCode: Type.String(),
    courierServiceName: Type.String(),
    price: Rupiah,
    insuredAmount: Type.Integer(),
    insuranceFee: Type.Integer({ description: 'Comes on top of the price' }),
    chargeableWeight: Type.Integer({ description: 'Grams, by weight or by volume' }),
    waybillId: Nullable(Type.String({ description: 'From the confirmation on' })),
    trackingUrl: Nullable(
      Type.String({ description: 'The tracking page for the recipient, from the confirmation on' }),
    ),
    labelUrl: Nullable(
      Type.String({ description: 'From the confirmation on: a PDF, with the workspace’s key' }),
    ),
    items: Items,
    metadata: Metadata,
    history: Type.Array(HistoryEntry, { description: 'The oldest first' }),
    ...Timestamps,
  },
  { title: 'Shipment' },
)
export type Shipment = Static<typeof Shipment>

export const ShipmentCreate = Type.Object(
  {
    origin: Type.Optional(PlaceInput),
    destination: PlaceInput,
    courierCode: Code,
    courierServiceCode: Code,
    items: Items,
    insurance: Type.Optional(Insurance),
    reference: Type.Optional(Nullable(Reference)),
    metadata: Type.Optional(Metadata),
  },
  { title: 'ShipmentCreate' },
)
export type ShipmentCreate = Static<typeof ShipmentCreate>

export const ShipmentQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(Words(STATUSES)),
  reference: FilterId,
})

export const ShipmentAdvance = Type.Object(
  {
    status: Type.Optional(Words(STATUSES)),
    note: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
  },
  { title: 'ShipmentAdvance' },
)
