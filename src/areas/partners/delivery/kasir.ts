import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError } from '../../../core/errors.ts'
import { webAddressIn } from '../../../core/links.ts'
import { parseInstant } from '../../../core/time.ts'
import type { Partner } from '../../../platform/http/partner.ts'
import { Nullable, Words } from '../../../platform/http/shapes.ts'
import {
  invalidRecordError,
  type PartnerClient,
  type PartnerRequest,
  pathOf,
} from '../../../platform/partners/client.ts'
import { keyed } from '../../../platform/partners/forward.ts'
import type { Couriers } from './port.ts'
import { type ShipmentProgress, STATES } from './rules.ts'
import { Courier, Rate, ShipmentPlace } from './schema.ts'

// Implements the delivery protocol of docs/partners.md.

const Line = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })))
const Time = Type.String({ maxLength: 40 })
const Money = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
/** The fields of a partner's shipment that the service uses. */
const PartnerShipment = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  status: Words(STATES),
  courierName: Line(200),
  courierServiceName: Line(200),
  price: Money,
  insuranceFee: Type.Optional(Nullable(Money)),
  waybillId: Line(200),
  trackingUrl: Line(2_000),
  history: Type.Array(Type.Object({ status: Words(STATES), note: Line(500), at: Time }), { maxItems: 1_000 }),
  updatedAt: Time,
})
/** Before an origin is set, all its fields are null. */
const Origin = Type.Object({ contactName: Nullable(Type.String()) })
const Catalogue = Type.Array(Courier, { maxItems: 1_000 })
const Quotes = Type.Array(Rate, { maxItems: 1_000 })

/** Reads a shipment of the partner. Returns null if it is invalid. */
export function progressIn(data: unknown): ShipmentProgress | null {
  if (!Check(PartnerShipment, data)) return null
  const told = data as Static<typeof PartnerShipment>
  const reportedAt = parseInstant(told.updatedAt)
  const history = told.history.map(({ status, note, at }) => ({
    status,
    note: note ?? null,
    at: parseInstant(at),
  }))
  if (reportedAt === null || history.some(({ at }) => at === null)) return null
  return {
    providerRef: told.id,
    status: told.status,
    reportedAt,
    courierName: told.courierName ?? null,
    courierServiceName: told.courierServiceName ?? null,
    price: told.price,
    insuranceFee: told.insuranceFee ?? 0,
    waybillId: told.waybillId ?? null,
    trackingUrl: webAddress(told.trackingUrl),
    history: history.map((step) => ({ ...step, at: step.at ?? reportedAt })),
  }
}

/** Returns the address if a page can link to it, else null. */
export const webAddress = (text: string | null | undefined): string | null =>
  text && webAddressIn(text) !== null ? text : null

/** Keeps only the fields of the shape: a partner may add others. */
const only = <T extends object>(shape: { properties: object }, value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name in shape.properties)) as T

/** Removes the fields that are null: leaving a field out means the same. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const set = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(set.map(([name, field]) => [name, withoutNulls(field)]))
}

type CourierRequest = Pick<PartnerRequest, 'method' | 'body' | 'lookAt'> & {
  path: readonly string[]
  /** The idempotency key of the service. */
  once?: string
  /** Whether a request of the caller without a key finds this one again. */
  isRepeatable?: boolean
}

/** Sends requests of the port to the partner, and reads the records in its answers. */
function createRequests(client: PartnerClient, key: string, partner: Partner) {
  const canRepeat = ({ isRepeatable = false }: CourierRequest) => isRepeatable || partner.isRepeatable
  const invalid = (record: string, asked: CourierRequest) =>
    invalidRecordError(client.module, record, { ...asked, isRepeatable: canRepeat(asked) })
  async function ask<S extends TSchema>(record: string, shape: S, asked: CourierRequest): Promise<Static<S>> {
    const { path, once, isRepeatable: _, ...request } = asked
    const { data } = await partner.call((forward) =>
      client.ask(
        { ...request, path: pathOf('v1', ...path), key },
        keyed({ ...forward, isRepeatable: canRepeat(asked) }, once),
      ),
    )
    if (!Check(shape, data)) throw invalid(record, asked)
    return data as Static<S>
  }
  const shipment = async (asked: CourierRequest) => {
    const told = progressIn(await ask('shipment', Type.Unknown(), asked))
    if (told === null) throw invalid('shipment', asked)
    return told
  }
  const origin = async (asked: CourierRequest) => {
    const found: unknown = await ask('origin', Origin, asked)
    if ((found as Static<typeof Origin>).contactName === null) return null
    if (!Check(ShipmentPlace, found)) throw invalid('origin', asked)
    return only(ShipmentPlace, found as ShipmentPlace)
  }
  return { ask, shipment, origin, invalid }
}

/** Creates the port for a partner that follows docs/partners.md. */
export function createKasirCouriers(client: PartnerClient, key: string, partner: Partner): Couriers {
  const { ask, shipment, origin, invalid } = createRequests(client, key, partner)
  return {
    id: client.books,
    readOrigin: () => origin({ method: 'GET', path: ['shipping', 'origin'] }),
    writeOrigin: async (body) => {
      const asked = { method: 'PATCH', path: ['shipping', 'origin'], lookAt: 'the origin', body } as const
      const place = await origin(asked)
      if (place === null) throw invalid('origin', asked)
      return place
    },
    listCouriers: async () => {
      const couriers = await ask('couriers', Catalogue, { method: 'GET', path: ['shipping', 'couriers'] })
      return couriers.map(({ code, name, services }) => ({
        code,
        name,
        services: services.map((one) => ({ code: one.code, name: one.name })),
      }))
    },
    quote: async (parcel) => {
      const rates = await ask('rates', Quotes, {
        method: 'POST',
        path: ['shipping', 'rates'],
        isRepeatable: true,
        body: withoutNulls(parcel),
      })
      return rates.map((rate) => only(Rate, rate))
    },
    create: ({ id, saleId, parcel }) =>
      shipment({
        method: 'POST',
        path: ['shipments'],
        once: id,
        isRepeatable: saleId !== null,
        lookAt: 'the shipments',
        body: { ...(withoutNulls(parcel) as object), reference: id },
      }),
    read: async ({ providerRef }) => {
      try {
        return await shipment({ method: 'GET', path: ['shipments', providerRef] })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
        throw error
      }
    },
    // Booking and canceling are idempotent by the state of the shipment.
    book: ({ providerRef }) =>
      shipment({
        method: 'POST',
        path: ['shipments', providerRef, 'confirm-pickup'],
        lookAt: 'the shipment',
      }),
    cancel: ({ providerRef }) =>
      shipment({ method: 'POST', path: ['shipments', providerRef, 'cancel'], lookAt: 'the shipment' }),
  }
}
