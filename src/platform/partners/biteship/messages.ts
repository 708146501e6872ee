import { timingSafeEqual } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { invalid } from '../../../core/errors.ts'
import { parseInstant } from '../../../core/time.ts'
import { sha256 } from '../../secrets/secrets.ts'
import { InvalidContent } from '../answer.ts'

const OrNull = <T extends TSchema>(of: T) => Type.Optional(Type.Union([of, Type.Null()]))
const Text = OrNull(Type.String({ maxLength: 2_000 }))
const Money = OrNull(Type.Number({ minimum: 0, maximum: 1_000_000_000 }))

const Carried = {
  id: Type.String({ minLength: 1, maxLength: 100 }),
  reference_id: Text,
  status: Type.String({ maxLength: 40 }),
  price: Money,
  courier: Type.Object({
    company: Text,
    type: Text,
    waybill_id: Text,
    link: Text,
    insurance: OrNull(Type.Object({ fee: Money })),
    history: OrNull(
      Type.Array(Type.Object({ status: Type.String({ maxLength: 40 }), note: Text, updated_at: Text }), {
        maxItems: 1_000,
      }),
    ),
  }),
  created_at: Text,
  updated_at: Text,
}
/** The fields in use of an order and of a draft, as Biteship returns them. */
export const BiteshipOrder = Type.Object(Carried)
export const Draft = Type.Object({ ...Carried, order_id: Text, deleted_at: Text })
export type BiteshipOrder = Static<typeof BiteshipOrder>
export type Draft = Static<typeof Draft>

/** One service of one courier per row. */
export const Services = Type.Object({
  couriers: Type.Array(
    Type.Object({
      courier_code: Type.String(),
      courier_name: Type.String(),
      courier_service_code: Type.String(),
      courier_service_name: Type.String(),
    }),
    { maxItems: 2_000 },
  ),
})
export const Pricing = Type.Object({
  pricing: Type.Array(
    Type.Object({
      courier_code: Type.String(),
      courier_name: Type.String(),
      courier_service_code: Type.String(),
      courier_service_name: Type.String(),
      price: Type.Number({ minimum: 0, maximum: 1_000_000_000 }),
      insurance_fee: Money,
      duration: Text,
      type: Text,
    }),
    { maxItems: 2_000 },
  ),
})
export const Made = Type.Object({ id: Carried.id })
export const Drafts = Type.Object({ drafts: Type.Array(Draft, { maxItems: 1_000 }) })

/** @throws {InvalidContent} */
export function shaped<S extends TSchema>(shape: S, answer: unknown, what: string): Static<S> {
  if (Check(shape, answer)) return answer as Static<S>
  throw new InvalidContent(`the answer of Biteship is not a valid ${what}`)
}

/** Its order statuses, each with the status of the protocol. */
const STATUSES: Readonly<Record<string, string>> = {
  confirmed: 'confirmed',
  scheduled: 'confirmed',
  allocated: 'allocated',
  picking_up: 'picking_up',
  picked: 'picked',
  dropping_off: 'dropping_off',
  delivered: 'delivered',
  on_hold: 'on_hold',
  rejected: 'rejected',
  courier_not_found: 'courier_not_found',
  cancelled: 'cancelled',
  return_in_transit: 'return_in_transit',
  returned: 'returned',
  disposed: 'disposed',
}
/** Biteship has written `dropping_off` as `droppingOff` as well. */
const statusOf = (word: string): string | undefined =>
  STATUSES[word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]

const instantOf = (time: string | null | undefined): string | null => (time ? parseInstant(time) : null)

/** A shipment of the protocol; the price from Biteship includes the insurance. */
function viewOf(order: BiteshipOrder, id: string, told: { status: string; at: string; history: object[] }) {
  const { courier, reference_id, price } = order
  const insuranceFee = Math.round(courier.insurance?.fee ?? 0)
  return {
    id,
    reference: reference_id ?? null,
    status: told.status,
    courierCode: courier.company ?? null,
    courierName: courier.company?.toUpperCase() ?? null,
    courierServiceCode: courier.type ?? null,
    courierServiceName: courier.type?.toUpperCase() ?? null,
    price: Math.max(0, Math.round(price ?? 0) - insuranceFee),
    insuranceFee,
    waybillId: courier.waybill_id ?? null,
    trackingUrl: courier.link ?? null,
    labelUrl: null,
    history: told.history,
    createdAt: instantOf(order.created_at) ?? told.at,
    updatedAt: told.at,
  }
}
export type ShipmentView = ReturnType<typeof viewOf>

/** The time of the last change is the time of the last history entry. */
export function shipmentOf(order: BiteshipOrder, now: string): ShipmentView {
  const status = statusOf(order.status)
  if (status === undefined) throw new InvalidContent(`Biteship has a status ${order.status}`)
  const history = (order.courier.history ?? [])
    .map((step) => ({
      status: statusOf(step.status),
      note: step.note?.slice(0, 500) ?? null,
      at: instantOf(step.updated_at),
    }))
    .filter((step) => step.status !== undefined && step.at !== null)
  const last = history
    .map(({ at }) => String(at))
    .toSorted()
    .at(-1)
  const at = last ?? instantOf(order.updated_at) ?? instantOf(order.created_at) ?? now
  return viewOf(order, order.id, { status, at, history })
}

const DRAFT = 'draft_'
/** Drafts and orders have different ids. A shipment uses the id of its draft until it is confirmed. */
export const draftIdIn = (id: string): string | null => (id.startsWith(DRAFT) ? id.slice(DRAFT.length) : null)

export function shipmentOfDraft(draft: Draft, now: string): ShipmentView {
  const begun = instantOf(draft.created_at) ?? now
  const deleted = instantOf(draft.deleted_at)
  const at = deleted ?? instantOf(draft.updated_at) ?? begun
  const history = [
    { status: 'draft', note: null, at: begun },
    ...(deleted === null ? [] : [{ status: 'cancelled', note: null, at: deleted }]),
  ]
  const status = deleted === null ? 'draft' : 'cancelled'
  return viewOf(draft, `${DRAFT}${draft.id}`, { status, at, history })
}

const BiteshipLocation = Type.Object({
  contactName: Text,
  contactPhone: Text,
  address: Text,
  note: Text,
  postalCode: OrNull(Type.String({ pattern: '^\\d{5}$' })),
  areaId: Text,
  latitude: OrNull(Type.Number()),
  longitude: OrNull(Type.Number()),
})
type BiteshipLocation = Static<typeof BiteshipLocation>
const Size = OrNull(Type.Integer({ minimum: 1 }))
const Wanted = Type.Object({
  origin: BiteshipLocation,
  destination: BiteshipLocation,
  items: Type.Array(
    Type.Object({
      name: Type.String(),
      quantity: Type.Integer({ minimum: 1 }),
      weight: Type.Integer({ minimum: 1 }),
      value: Type.Integer({ minimum: 0 }),
      length: Size,
      width: Size,
      height: Size,
      sku: Text,
    }),
    { minItems: 1, maxItems: 100 },
  ),
  insurance: OrNull(Type.Union([Type.Boolean(), Type.Object({ amount: Type.Integer({ minimum: 0 }) })])),
  courierCode: Text,
  courierServiceCode: Text,
  reference: Text,
})
export type BiteshipRateRequest = Static<typeof Wanted>

export function rateRequestIn(body: unknown): BiteshipRateRequest {
  if (Check(Wanted, body)) return body as BiteshipRateRequest
  throw invalid('origin', 'Biteship needs origin, destination and items of a parcel')
}

/** Omits empty fields. */
const withoutEmpty = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

const insuredOf = ({ insurance, items }: BiteshipRateRequest): number | undefined => {
  if (insurance === true) return items.reduce((sum, { value, quantity }) => sum + value * quantity, 0)
  return insurance ? insurance.amount : undefined
}

const parcelOf = (wanted: BiteshipRateRequest) => ({
  courier_insurance: insuredOf(wanted),
  items: wanted.items.map(({ name, quantity, weight, value, length, width, height, sku }) =>
    withoutEmpty({ name, quantity, weight, value, length, width, height, sku }),
  ),
})

const postal = ({ postalCode }: BiteshipLocation) => (postalCode ? Number(postalCode) : null)

export function ratesAsked(wanted: BiteshipRateRequest, couriers: string) {
  const where = (end: 'origin' | 'destination', place: BiteshipLocation) => ({
    [`${end}_area_id`]: place.areaId,
    [`${end}_postal_code`]: postal(place),
    [`${end}_latitude`]: place.latitude,
    [`${end}_longitude`]: place.longitude,
  })
  const { origin, destination } = wanted
  return withoutEmpty({
    ...where('origin', origin),
    ...where('destination', destination),
    couriers,
    ...parcelOf(wanted),
  })
}

export function draftAsked(wanted: BiteshipRateRequest, reference: string) {
  const where = (end: 'origin' | 'destination', place: BiteshipLocation) => ({
    [`${end}_contact_name`]: place.contactName,
    [`${end}_contact_phone`]: place.contactPhone,
    [`${end}_address`]: place.address,
    [`${end}_note`]: place.note,
    [`${end}_area_id`]: place.areaId,
    [`${end}_postal_code`]: postal(place),
    [`${end}_coordinate`]:
      typeof place.latitude === 'number' ? { latitude: place.latitude, longitude: place.longitude } : null,
  })
  const { origin, destination, courierCode, courierServiceCode } = wanted
  return withoutEmpty({
    ...where('origin', origin),
    ...where('destination', destination),
    courier_company: courierCode,
    courier_type: courierServiceCode,
    delivery_type: 'now',
    reference_id: reference,
    ...parcelOf(wanted),
  })
}

const EVENTS: readonly unknown[] = ['order.status', 'order.price', 'order.waybill_id']
/** The order of a notice; null for other notices, such as the empty one sent when a webhook is set up. */
export function orderIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  const { event, order_id: id } = body as Readonly<Record<string, unknown>>
  return EVENTS.includes(event) && typeof id === 'string' && /^[\w-]{1,100}$/.test(id) ? id : null
}

/** Compares hashes, so the time is the same for any content and length. */
export const isSecret = (secret: string, sent: unknown): boolean =>
  typeof sent === 'string' && timingSafeEqual(Buffer.from(sha256(sent)), Buffer.from(sha256(secret)))

/** An id of the account at Biteship that does not reveal its key. */
export const accountIdAt = (apiKey: string): string => `biteship ${sha256(apiKey).slice(0, 12)}`
