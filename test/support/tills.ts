// Tills of a service that runs as a process of its own: it may die and come back at another address while they sell.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'

// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
export type TillAnswer = { status: number; data: any; message: string; cookie: string }
/** Sends a GET, or a POST where there is a body. */
export type Call = (path: string, body?: object, headers?: Record<string, string>) => Promise<TillAnswer>

export type Shop = { call: Call; key: string; outletId: string; variants: string[]; customerId: string }

export const OPENING_STOCK = 1_000_000

export function callerAt(address: () => string, key = ''): Call {
  return async (path, body, headers = {}) => {
    const response = await fetch(`${address()}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    const { data, error } = (await response.json()) as { data: unknown; error: { message: string } | null }
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { status: response.status, data, message: error?.message ?? '', cookie }
  }
}

/** The owner of the shop. */
export const OWNER = { email: 'kill@example.com', password: 'a password for a while' }

/** A workspace with an outlet that charges tax, three products in stock, and a customer. */
export async function openShopAt(address: () => string, email = OWNER.email): Promise<Shop> {
  const { cookie } = await callerAt(address)('/auth/signup', { ...OWNER, email })
  const { key } = (await callerAt(address)('/api-keys', { name: 'Till' }, { cookie })).data
  const call = callerAt(address, key)
  const { outlet } = (await call('/outlets', { name: 'Warung', taxRateBps: 1100 })).data
  const variants: string[] = []
  for (const name of ['Kopi', 'Teh', 'Roti']) {
    const { product } = (await call('/products', { name, variants: [{ price: 10_000 }] })).data
    const variantId = product.variants[0].id as string
    await call('/inventory/adjust', { outletId: outlet.id, variantId, qtyDelta: OPENING_STOCK })
    variants.push(variantId)
  }
  const { customer } = (await call('/customers', { name: 'Ibu Sari' })).data
  return { call, key, outletId: outlet.id as string, variants, customerId: customer.id as string }
}

export type Ledger = {
  /** Idempotency-Key → the sale that was acknowledged under it. */
  acknowledged: Map<string, string>
  /** How often a sale was refused with 503, by the message. */
  refusals: Map<string, number>
  replays: number
  /** The bills that were acknowledged as paid, in two parts. */
  paid: Set<string>
  stopped: boolean
}

export const newLedger = (): Ledger => ({
  acknowledged: new Map(),
  refusals: new Map(),
  replays: 0,
  paid: new Set(),
  stopped: false,
})

/** What a till sends for a sale that it made while the service was away: its reference identifies it, and no key. */
const offlineSale = (ref: string, { outletId, variants }: Shop) => ({
  outletId,
  items: variants.map((variantId) => ({ variantId, quantity: 1, unitPrice: 10_000 })),
  offline: { ref, soldAt: new Date().toISOString(), terms: { taxRateBps: 1_100 }, printedTotal: 33_300 },
})

type Request = { path: string; body: object; headers: Record<string, string>; accepts: readonly number[] }

/** Repeats a request until it is accepted, with the same key or, of an offline sale, the same reference. */
async function sendUntilAccepted({ call }: Shop, ledger: Ledger, { path, body, headers, accepts }: Request) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call(path, body, headers).catch(() => null)
    if (answer && accepts.includes(answer.status)) {
      if (attempt > 1) ledger.replays += 1
      return answer.data
    }
    expect([null, 409, 503]).toContain(answer?.status ?? null)
    if (answer?.status === 503)
      ledger.refusals.set(answer.message, (ledger.refusals.get(answer.message) ?? 0) + 1)
    await sleep(20)
  }
}

/** A till sells until it is stopped. Every other sale is a bill, and every other bill is paid in two parts. */
export async function sellAtTill(name: string, shop: Shop, ledger: Ledger) {
  const { outletId, variants, customerId } = shop
  for (let n = 1; !ledger.stopped; n += 1) {
    const key = `${name}-${n}`
    const items = variants.map((variantId) => ({ variantId, quantity: 1 }))
    // Every third goes the longer way through a transaction, for its customer.
    const whose = n % 3 === 0 ? { customerId } : {}
    const isOffline = n % 4 === 0
    const online =
      n % 2 === 0
        ? { outletId, items, status: 'COMPLETED', ...whose }
        : { outletId, items, note: 'open', ...whose }
    const { sale } = await sendUntilAccepted(shop, ledger, {
      path: '/sales',
      body: isOffline ? offlineSale(key, shop) : online,
      headers: isOffline ? {} : { 'idempotency-key': key },
      accepts: isOffline ? [200, 201] : [201],
    })
    ledger.acknowledged.set(key, sale.id)
    if (n % 4 !== 1) continue
    for (const [part, amount] of Object.entries({ part: 10_000, rest: sale.total - 10_000 }))
      await sendUntilAccepted(shop, ledger, {
        path: `/sales/${sale.id}/payments`,
        body: { method: 'CASH', amount },
        headers: { 'idempotency-key': `${key}-${part}` },
        accepts: [200],
      })
    ledger.paid.add(sale.id)
  }
}
