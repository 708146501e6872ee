import { ApiError } from '../../../core/errors.ts'
import type { PartnerAnswer } from '../answer.ts'
import {
  guardOf,
  type PartnerClient,
  type PartnerEvent,
  type PartnerRequest,
  pulseOf,
  readerOf,
} from '../client.ts'
import type { Forward } from '../forward.ts'
import { ownerOf } from '../orders.ts'
import { type BiteshipOptions, openBiteship } from './api.ts'
import { accountIdAt, isSecret, orderIn, type ShipmentView, shipmentOf } from './messages.ts'
import { catalogueOf, quotesOf } from './quotes.ts'
import { nullIfUnknown, shipmentsAt } from './shipments.ts'

const cannot = (what: string) =>
  new ApiError('NOT_FOUND', `Biteship offers no ${what} here; look into its own dashboard`)

type Options = BiteshipOptions & {
  now(): string
  /** The header that Biteship is configured to send with its notices, and its value; null if none is configured. */
  notices: { header: string; secret: string } | null
}

/**
 * Adapts Biteship to the partner protocol: couriers, rates and shipments only. One account serves the whole
 * installation. So the "key" of a workspace is the name of the workspace, and the reference of an order identifies
 * its workspace.
 */
export function biteshipClientOf({ now, notices, ...options }: Options): PartnerClient {
  const { url, apiKey, tuning } = options
  const guarded = guardOf('fulfillment', tuning)
  const api = openBiteship(options)

  const { read, viewOfDraft, confirm, cancel } = shipmentsAt(api, now)

  async function shipments(
    [id, verb]: readonly string[],
    asked: PartnerRequest,
    forward: Forward,
  ): Promise<PartnerAnswer> {
    const { method, key } = asked
    const ok = (data: ShipmentView, status = 200) => ({ status, data, cursor: null })
    if (id === undefined) {
      if (method === 'GET') throw cannot('list of shipments')
      return ok(await viewOfDraft(await api.create(asked, forward), key, forward), 201)
    }
    if (method === 'GET' && verb === undefined) return ok(await read(id, key, forward))
    if (verb === 'confirm-pickup') return ok(await confirm(id, key, forward))
    if (verb === 'cancel') return ok(await cancel(id, key, forward))
    throw cannot(`way to ${verb} a shipment`)
  }

  async function ask(asked: PartnerRequest, forward: Forward): Promise<PartnerAnswer> {
    const [family = '', ...rest] = asked.path.split('/').slice(2).map(decodeURIComponent)
    if (family === 'workspaces') {
      const { externalId } = asked.body as { externalId: string }
      return { status: 200, data: { workspaceId: accountIdAt(apiKey), apiKey: externalId }, cursor: null }
    }
    if (family === 'shipments') return shipments(rest, asked, forward)
    const name = [family, ...rest].join('/')
    if (name === 'shipping/couriers')
      return { status: 200, data: await catalogueOf(api, forward), cursor: null }
    if (name === 'shipping/rates')
      return { status: 200, data: await quotesOf(api, asked, forward), cursor: null }
    throw cannot(name.replaceAll('/', ' '))
  }

  /** The secret header proves the sender, but does not sign the content, so the order is fetched from Biteship. */
  async function noticeIn(body: unknown, forward: Forward): Promise<PartnerEvent | null> {
    const orderId = orderIn(body)
    const found = orderId && (await api.order(orderId, forward).catch(nullIfUnknown))
    const owner = found && ownerOf(found.reference_id ?? '')
    // The account may ship for other systems as well.
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
    id: accountIdAt(apiKey),
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
