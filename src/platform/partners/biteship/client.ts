import { ApiError, conflict, notFound } from '../../../core/errors.ts'
import type { PartnerAnswer } from '../answer.ts'
import { type Asked, guardOf, type PartnerClient, pulseOf, readerOf, type Told } from '../client.ts'
import type { Forward } from '../forward.ts'
import { ownerOf } from '../midtrans/messages.ts'
import { type BiteshipOptions, openBiteship } from './api.ts'
import {
  type Draft,
  draftIdIn,
  isSecret,
  orderIn,
  placeAt,
  type ShipmentView,
  shipmentOf,
  shipmentOfDraft,
} from './messages.ts'

const cannot = (what: string) =>
  new ApiError('NOT_FOUND', `Biteship offers no ${what} here; look into its own dashboard`)

const ENDED: readonly string[] = ['cancelled', 'rejected', 'courier_not_found']

type Options = BiteshipOptions & {
  now(): string
  /** The header that Biteship is told to send with its notices, and what is in it; null: it sends none. */
  notices: { header: string; secret: string } | null
}

/**
 * Biteship behind the protocol of partners: couriers, rates and shipments, and nothing else. One account serves the whole
 * installation, so the "key" of a workspace there is the name of the workspace, and the reference of an order says whose it is.
 */
export function biteshipClientOf({ now, notices, ...options }: Options): PartnerClient {
  const { url, apiKey, tuning } = options
  const guarded = guardOf('fulfillment', tuning)
  const api = openBiteship(options)

  const owned = <T extends { reference_id?: string | null }>(found: T, key: string): T => {
    if (ownerOf(found.reference_id ?? '') === key) return found
    throw notFound('shipment')
  }
  const readOrder = async (id: string, key: string, forward: Forward) =>
    shipmentOf(owned(await api.order(id, forward), key), now())

  /** The order once there is one, else the draft. */
  async function read(id: string, key: string, forward: Forward): Promise<ShipmentView> {
    const draftId = draftIdIn(id)
    if (draftId === null) return readOrder(id, key, forward)
    const draft = owned(await api.draft(draftId, forward), key)
    return draft.order_id ? readOrder(draft.order_id, key, forward) : shipmentOfDraft(draft, now())
  }

  async function confirm(id: string, key: string, forward: Forward): Promise<ShipmentView> {
    const before = await read(id, key, forward)
    const draftId = draftIdIn(before.id)
    if (ENDED.includes(before.status)) throw conflict(`This shipment is ${before.status}`)
    if (draftId === null) return before
    // The answer to a confirmation has no history, by which reports are put in order.
    return readOrder(await api.confirm(draftId, forward), key, forward)
  }

  async function cancel(id: string, key: string, forward: Forward): Promise<ShipmentView> {
    const before = await read(id, key, forward).catch(unlessUnknown)
    // A draft that was deleted may not be found any more.
    if (!before) return goneDraft(id, now())
    if (before.status === 'cancelled') return before
    const draftId = draftIdIn(before.id)
    if (draftId === null) {
      await api.cancel(before.id, forward)
      return readOrder(before.id, key, forward)
    }
    const draft: Draft = owned(await api.draft(draftId, forward), key)
    await api.discard(draftId, forward)
    return shipmentOfDraft({ ...draft, deleted_at: now() }, now())
  }

  async function catalogue(forward: Forward) {
    const rows = await api.services(forward)
    return [...new Set(rows.map((row) => row.courier_code))].map((code) => {
      const services = rows.filter((row) => row.courier_code === code)
      return {
        code,
        name: services[0]?.courier_name ?? code,
        services: services.map((one) => ({
          code: one.courier_service_code,
          name: one.courier_service_name,
        })),
      }
    })
  }

  const rates = async (asked: Asked, forward: Forward) =>
    (await api.rates(asked, forward)).map((row) => {
      const insuranceFee = Math.round(row.insurance_fee ?? 0)
      return {
        courierCode: row.courier_code,
        courierName: row.courier_name,
        courierServiceCode: row.courier_service_code,
        courierServiceName: row.courier_service_name,
        price: Math.max(0, Math.round(row.price) - insuranceFee),
        insuranceFee,
        duration: row.duration ?? null,
        type: row.type ?? null,
      }
    })

  async function shipments(
    [id, verb]: readonly string[],
    asked: Asked,
    forward: Forward,
  ): Promise<PartnerAnswer> {
    const { method, key } = asked
    const ok = (data: ShipmentView, status = 200) => ({ status, data, cursor: null })
    if (id === undefined) {
      if (method === 'GET') throw cannot('list of shipments')
      return ok(shipmentOfDraft(await api.create(asked, forward), now()), 201)
    }
    if (method === 'GET' && verb === undefined) return ok(await read(id, key, forward))
    if (verb === 'confirm-pickup') return ok(await confirm(id, key, forward))
    if (verb === 'cancel') return ok(await cancel(id, key, forward))
    throw cannot(`way to ${verb} a shipment`)
  }

  async function ask(asked: Asked, forward: Forward): Promise<PartnerAnswer> {
    const [family = '', ...rest] = asked.path.split('/').slice(2).map(decodeURIComponent)
    if (family === 'workspaces') {
      const { externalId } = asked.body as { externalId: string }
      return { status: 200, data: { workspaceId: placeAt(apiKey), apiKey: externalId }, cursor: null }
    }
    if (family === 'shipments') return shipments(rest, asked, forward)
    const name = [family, ...rest].join('/')
    if (name === 'shipping/couriers') return { status: 200, data: await catalogue(forward), cursor: null }
    if (name === 'shipping/rates') return { status: 200, data: await rates(asked, forward), cursor: null }
    throw cannot(name.replaceAll('/', ' '))
  }

  /** The secret in a header says who sends it and nothing of what is sent, so Biteship is asked about the order. */
  async function noticeIn(body: unknown, forward: Forward): Promise<Told | null> {
    const orderId = orderIn(body)
    if (orderId === null) return null
    const found = await api.order(orderId, forward).catch(unlessUnknown)
    const owner = found && ownerOf(found.reference_id ?? '')
    // The account may ship for others as well.
    if (!found || !owner) return null
    const shipment = shipmentOf(found, now())
    const { status, updatedAt, waybillId, price, insuranceFee } = shipment
    return {
      id: [orderId, status, updatedAt, waybillId ?? '-', price, insuranceFee].join(' ').slice(0, 200),
      type: 'shipment.status_changed',
      data: { workspaceExternalId: owner, shipment },
    }
  }

  return {
    module: 'fulfillment',
    id: placeAt(apiKey),
    platformKey: apiKey,
    keepsGiftCards: false,
    keepsOrigin: false,
    signed: ({ headers }) => notices !== null && isSecret(notices.secret, headers[notices.header]),
    noticeIn: ({ body }, forward) => guarded({ method: 'GET' }, forward, () => noticeIn(body, forward)),
    ask: (asked, forward) => guarded(asked, forward, () => ask(asked, forward)),
    fetch: () => Promise.reject(cannot('label')),
    ownAddress: () => null,
    pulse: pulseOf(readerOf(options.outgoing), `${url}/`),
  }
}

function goneDraft(id: string, now: string): ShipmentView {
  const draftId = draftIdIn(id)
  if (draftId === null) throw notFound('shipment')
  return shipmentOfDraft({ id: draftId, status: 'deleted', courier: {}, deleted_at: now }, now)
}

const unlessUnknown = (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
