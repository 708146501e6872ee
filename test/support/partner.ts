import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newId } from '../../src/core/ids.ts'
import { newSigningSecret } from '../../src/platform/webhooks/signature.ts'

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
  /** What it answers from now on; without an argument what a healthy partner does: places for workspaces, and echoes. */
  answers(by?: Answers): void
  close(): Promise<void>
}

export const sendJson = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** The key that a workspace gets at this partner. */
export const keyAtPartner = (externalId: string) => `pk_${externalId}`

/** Opens a checkout session as the partner does; each has an id of its own. */
export function sessionOf(body: string) {
  const { amount, currency, method = 'hosted', metadata = {} } = JSON.parse(body)
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

const healthy: Answers = ({ method, path, body, headers }, response) => {
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
  const { externalId } = JSON.parse(body)
  sendJson(response, 201, { data: { workspaceId: `ws_${externalId}`, apiKey: keyAtPartner(externalId) } })
}

export async function startPartner(): Promise<TestPartner> {
  const asked: PartnerRequest[] = []
  let answers = healthy
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
      void answers(seen, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    platformKey: 'platform-key',
    asked,
    answers: (by = healthy) => void (answers = by),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What the tests' partner signs with; the second is the one before it. */
export const SECRETS = [newSigningSecret(), newSigningSecret()] as const

/** The settings of a service whose payment and fulfilment partner this is. */
export const settingsOf = ({ url, platformKey }: Pick<TestPartner, 'url' | 'platformKey'>) => ({
  PAYMENT_PARTNER_URL: url,
  PAYMENT_PARTNER_KEY: platformKey,
  PAYMENT_PARTNER_WEBHOOK_SECRET: SECRETS.join(','),
  FULFILLMENT_PARTNER_URL: url,
  FULFILLMENT_PARTNER_KEY: platformKey,
  FULFILLMENT_PARTNER_WEBHOOK_SECRET: SECRETS.join(','),
})
/** The settings of a service without a fulfilment partner. */
export const NO_FULFILLMENT = {
  FULFILLMENT_PARTNER_URL: '',
  FULFILLMENT_PARTNER_KEY: '',
  FULFILLMENT_PARTNER_WEBHOOK_SECRET: '',
}
