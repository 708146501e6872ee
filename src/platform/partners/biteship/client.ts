import { ApiError } from '../../../core/errors.ts'
import type { PartnerAnswer } from '../answer.ts'
import { type Asked, guardOf, type PartnerClient, pulseOf, readerOf, type Told } from '../client.ts'
import type { Forward } from '../forward.ts'
import { ownerOf } from '../orders.ts'
import { type BiteshipOptions, openBiteship } from './api.ts'
import { isSecret, orderIn, placeAt, type ShipmentView, shipmentOf, shipmentOfDraft } from './messages.ts'
import { catalogueOf, quotesOf } from './quotes.ts'
import { shipmentsAt, unlessUnknown } from './shipments.ts'

const cannot = (what: string) =>
  new ApiError('NOT_FOUND', `Biteship offers no ${what} here; look into its own dashboard`)

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

  const { read, confirm, cancel } = shipmentsAt(api, now)

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
    if (name === 'shipping/couriers')
      return { status: 200, data: await catalogueOf(api, forward), cursor: null }
    if (name === 'shipping/rates')
      return { status: 200, data: await quotesOf(api, asked, forward), cursor: null }
    throw cannot(name.replaceAll('/', ' '))
  }

  /** The secret in a header says who sends it and nothing of what is sent, so Biteship is asked about the order. */
  async function noticeIn(body: unknown, forward: Forward): Promise<Told | null> {
    const orderId = orderIn(body)
    const found = orderId && (await api.order(orderId, forward).catch(unlessUnknown))
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
    books: 'biteship',
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
