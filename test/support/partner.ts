import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newId } from '../../src/core/ids.ts'
import { newSigningSecret } from '../../src/platform/webhooks/signature.ts'
import { giftCards } from './partner-cards.ts'

/** A request as it reached the partner. */
export type PartnerRequest = {
  method: string
  path: string
  query: string
  headers: IncomingMessage['headers']
  body: string
}
type Answers = (request: PartnerRequest, response: ServerResponse) => void | Promise<void>

/** A partner on loopback that answers as a test says, and keeps what it was asked. */
export type TestPartner = {
  url: string
  /** The key of the installation. */
  platformKey: string
  asked: PartnerRequest[]
  couriers: TestCouriers
  /** A healthy partner. */
  well: Answers
  /** What it answers from now on; without an argument what a healthy partner does: places for workspaces, and echoes. */
  answers(by?: Answers): void
  close(): Promise<void>
}

export const sendJson = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** The key that a workspace gets at this partner. */
export const keyAtPartner = (externalId: string) => `pk_${externalId}`

class BadBody extends Error {}

/** A body that must be a JSON object. */
// oxlint-disable-next-line typescript/no-explicit-any -- a partner of the tests trusts the fields that it is sent
function read(body: string): any {
  try {
    return Object.assign(JSON.parse(body) as object, {})
  } catch {
    throw new BadBody()
  }
}

/** Opens a checkout session as the partner does; each has an id of its own. */
export function sessionOf(body: string) {
  const { amount, currency, method = 'hosted', metadata = {} } = read(body)
  const id = `cks_${newId('event').slice(4)}`
  return {
    id,
    amount,
    currency,
    method,
    metadata,
    status: 'open',
    hostedUrl: `https://pay.example/${id}`,
    qrString: method === 'qris' ? `00020101021226${id}` : null,
    qrImageUrl: method === 'qris' ? `https://pay.example/${id}.png` : null,
    vaNumber: method === 'va' ? '8808123456789012' : null,
    vaBank: method === 'va' ? 'BCA' : null,
    expiresAt: '2099-01-01T00:00:00.000Z',
    paidAt: null,
    paymentId: null,
  }
}

const FILES = {
  '/pdf': 'application/pdf',
  '/label': 'application/pdf',
  '/html': 'text/html; charset=utf-8',
  '/escpos': 'application/octet-stream',
  '.csv': 'text/csv; charset=utf-8',
}

const LISTS =
  /^\/v1\/(checkout-sessions|plans|subscriptions|invoices|receipts|customers|payouts|ledger\/entries|shipments|shipping-credits\/transactions|warehouses|inventory\/(products|stock|movements)|licenses)$/

/** Couriers and shipments of a test's partner, each shipment by its id; `clock` ticks with every change. */
export const newCouriers = () => ({
  shipments: new Map<string, PartnerShipment>(),
  byKey: new Map<string, string>(),
  clock: 0,
})
export type TestCouriers = ReturnType<typeof newCouriers>
export type PartnerShipment = {
  id: string
  status: string
  updatedAt: string
  history: { status: string; note: string | null; at: string }[]
} & Record<string, unknown>

/** An instant that is later than the one before. */
const tick = (couriers: TestCouriers) =>
  new Date(Date.UTC(2026, 0, 1) + 1_000 * (couriers.clock += 1)).toISOString()

/** Moves a shipment on, as its courier would; answers the shipment. */
export function moveOn(couriers: TestCouriers, id: string, status: string): PartnerShipment {
  const shipment = couriers.shipments.get(id)
  if (!shipment) throw new Error(`the partner has no shipment ${id}`)
  const at = tick(couriers)
  const moved = {
    ...shipment,
    status,
    updatedAt: at,
    history: [...shipment.history, { status, note: null, at }],
    waybillId: status === 'draft' ? null : `JNE-${id.slice(-6)}`,
    trackingUrl: `https://track.example/${id}`,
  }
  couriers.shipments.set(id, moved)
  return moved
}

const ORIGIN = {
  contactName: 'Toko Sari',
  contactPhone: '081234567890',
  address: 'Jl. Kemang Raya 1',
  note: null,
  postalCode: '12730',
  areaId: null,
  latitude: null,
  longitude: null,
}
const rate = (courierCode: string, service: string, price: number) => ({
  courierCode,
  courierName: courierCode.toUpperCase(),
  courierServiceCode: service,
  courierServiceName: service.toUpperCase(),
  price,
  insuranceFee: 0,
  duration: '1 - 2 days',
  type: 'parcel',
})

const BEFORE_PICKUP = ['draft', 'confirmed', 'allocated', 'picking_up']

/** What a fulfillment partner answers to what Kasir asks of it by itself; undefined for any other request. */
function courierAnswer(
  couriers: TestCouriers,
  { method, path, body, headers }: PartnerRequest,
): { status: number; body: unknown } | undefined {
  const ok = (data: unknown, status = 200) => ({ status, body: { data } })
  const no = (status: number, code: string) => ({ status, body: { error: { code, message: `no: ${code}` } } })
  if (path === '/v1/shipping/origin') return ok(method === 'GET' ? ORIGIN : { ...ORIGIN, ...read(body) })
  if (path === '/v1/shipping/couriers')
    return ok([{ code: 'jne', name: 'JNE', services: [{ code: 'reg', name: 'Reguler' }] }])
  if (path === '/v1/shipping/rates')
    return ok([rate('sicepat', 'reg', 12_000), rate('jne', 'yes', 24_000), rate('jne', 'reg', 11_000)])
  if (path === '/v1/shipments' && method === 'POST') {
    const key = String(headers['idempotency-key'])
    const known = couriers.shipments.get(couriers.byKey.get(key) ?? '')
    if (known) return ok(known)
    const id = `shp_${newId('event').slice(4)}`
    const at = tick(couriers)
    const made = {
      ...read(body),
      id,
      status: 'draft',
      price: 11_000,
      insuranceFee: 0,
      courierName: 'JNE',
      courierServiceName: 'Reguler',
      waybillId: null,
      trackingUrl: null,
      history: [{ status: 'draft', note: null, at }],
      createdAt: at,
      updatedAt: at,
    }
    couriers.shipments.set(id, made)
    couriers.byKey.set(key, id)
    return ok(made, 201)
  }
  const [, id = '', verb] = /^\/v1\/shipments\/(\w+)(?:\/(confirm-pickup|cancel))?$/.exec(path) ?? []
  const found = couriers.shipments.get(id)
  if (!found) return undefined
  if (verb === 'confirm-pickup')
    return ok(found.status === 'draft' ? moveOn(couriers, id, 'confirmed') : found)
  if (verb === 'cancel') {
    if (found.status === 'cancelled') return ok(found)
    return BEFORE_PICKUP.includes(found.status) ? ok(moveOn(couriers, id, 'cancelled')) : no(409, 'CONFLICT')
  }
  return ok(found)
}

const healthy =
  (couriers: TestCouriers): Answers =>
  (request, response) => {
    const { method, path, body, headers } = request
    const answer = request.query === '' && courierAnswer(couriers, request)
    if (answer) return void sendJson(response, answer.status, answer.body)
    if (path === '/v1/checkout-sessions' && method === 'POST') {
      return void sendJson(response, 201, { data: sessionOf(body) })
    }
    const file = Object.entries(FILES).find(([end]) => path.endsWith(end))
    if (file) return void response.writeHead(200, { 'content-type': file[1] }).end(`bytes of ${path}`)
    if (method === 'GET' && LISTS.test(path))
      return void sendJson(response, 200, { data: [], meta: { nextCursor: null } })
    if (path === '/v1/payouts/balance') {
      return void sendJson(response, 200, { data: { currency: 'IDR', balance: 0, method, path } })
    }
    if (path !== '/v1/workspaces') return void sendJson(response, 200, { data: { method, path } })
    if (headers.authorization !== 'Bearer platform-key') {
      return void sendJson(response, 401, { error: { code: 'UNAUTHORIZED', message: 'wrong key' } })
    }
    const { externalId } = read(body)
    sendJson(response, 201, { data: { workspaceId: `ws_${externalId}`, apiKey: keyAtPartner(externalId) } })
  }

export async function startPartner(): Promise<TestPartner> {
  const asked: PartnerRequest[] = []
  const couriers = newCouriers()
  const [others, asGiftCards] = [healthy(couriers), giftCards()]
  const well: Answers = (request, response) =>
    asGiftCards(request, response) ? undefined : others(request, response)
  let answers = well
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://partner')
      const seen = {
        method: request.method ?? '',
        // As it was sent: what URL makes of dots would hide a path that escapes.
        path: (request.url ?? '').split('?')[0] ?? pathname,
        query: search.slice(1),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      asked.push(seen)
      try {
        void answers(seen, response)
      } catch (error) {
        if (!(error instanceof BadBody)) throw error
        sendJson(response, 400, { error: { code: 'VALIDATION_ERROR', message: 'The body is no object' } })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    platformKey: 'platform-key',
    asked,
    couriers,
    answers: (by = well) => void (answers = by),
    well,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What the tests' partner signs with; the second is the one before it. */
export const SECRETS = [newSigningSecret(), newSigningSecret()] as const

/** The settings of a service whose payment and fulfillment partner this is. */
export const settingsOf = ({ url, platformKey }: Pick<TestPartner, 'url' | 'platformKey'>) => ({
  PAYMENT_PARTNER_URL: url,
  PAYMENT_PARTNER_KEY: platformKey,
  PAYMENT_PARTNER_WEBHOOK_SECRET: SECRETS.join(','),
  FULFILLMENT_PARTNER_URL: url,
  FULFILLMENT_PARTNER_KEY: platformKey,
  FULFILLMENT_PARTNER_WEBHOOK_SECRET: SECRETS.join(','),
})
/** The same for one of the two: another partner of the same service keeps its settings. */
export const settingsOfModule = (
  module: 'PAYMENT' | 'FULFILLMENT',
  partner: Pick<TestPartner, 'url' | 'platformKey'>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settingsOf(partner)).filter(([name]) => name.startsWith(module)))
/** The settings of a service without a fulfillment partner. */
export const NO_FULFILLMENT = {
  FULFILLMENT_PARTNER_URL: '',
  FULFILLMENT_PARTNER_KEY: '',
  FULFILLMENT_PARTNER_WEBHOOK_SECRET: '',
}
