// Tills that sell through the public interface for as long as a fault lasts, and remember what was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { openShopAt, type Shop } from '../support/tills.ts'
import { type Draw, drawFor } from './options.ts'

const OPENING_FLOAT = 100_000
/** The price of one item with 11 % of tax. */
const ITEM_TOTAL = 11_100
/** How long a till waits for an answer, and between two attempts. */
const ANSWER_MS = 10_000
const PAUSE_MS = 50
/** A request that is not acknowledged after all this time is stuck: a fault is over long before. */
const GIVE_UP_MS = 150_000

/** A shop with an open shift. */
export type FaultShop = Shop & { shiftId: string }

export async function openFaultShop(address: () => string, email?: string): Promise<FaultShop> {
  const shop = await openShopAt(address, email)
  const opened = await shop.call('/shifts/open', { outletId: shop.outletId, openingFloat: OPENING_FLOAT })
  expect(opened.status, opened.message).toBe(201)
  return { ...shop, shiftId: opened.data.shift.id as string }
}

export type AcknowledgedSale = { id: string; isVoided: boolean; quantities: number[] }
/** When an attempt was sent that was acknowledged, and when its answer came. */
type Acknowledgement = { sentMs: number; answeredMs: number }

export type FaultLedger = {
  sales: Map<string, AcknowledgedSale>
  /** Every acknowledged request: sales, payments and voids. */
  acknowledgements: Acknowledgement[]
  /** Answers of 5xx that a till cannot understand: not 503 with Retry-After. */
  unexplained: string[]
  /** 503 with Retry-After, by its message. */
  unavailable: Map<string, number>
  unanswered: number
  replays: number
}

export type Tills = {
  ledger: FaultLedger
  /** Waits until so many more requests are acknowledged. */
  acknowledged(more: number): Promise<void>
  /** Seconds from `sinceMs` to the first answer of a request that was sent later. Waits for it. */
  recoveredS(sinceMs: number): Promise<number>
  /** Lets every till finish what it has begun. */
  close(): Promise<void>
}

type TillOptions = {
  /** Where attempts go, in turn: one address, or several instances behind a balancer. */
  addresses: readonly (() => string)[]
  name: string
  count?: number
  answerMs?: number
  /** Whether a till waits before its next attempt as the client of the service does; it is less patient without. */
  isPatient?: boolean
}

const newFaultLedger = (): FaultLedger => ({
  sales: new Map(),
  acknowledgements: [],
  unexplained: [],
  unavailable: new Map(),
  unanswered: 0,
  replays: 0,
})

/** Opens tills that sell until they are closed. */
export function openTills(shop: FaultShop, options: TillOptions): Tills {
  const ledger = newFaultLedger()
  let isClosing = false
  const { count = 4, name } = options
  const names = Array.from({ length: count }, (_, index) => `${name}-${index}`)
  const selling = Promise.all(
    names.map(async (till) => {
      const send = senderOf(shop, ledger, options)
      const draw = drawFor(till)
      for (let n = 1; !isClosing; n += 1) await sellOnce({ shop, ledger, send, draw }, `${till}-${n}`)
    }),
  )
  let failure: Error | null = null
  selling.catch((error: Error) => (failure = error))
  const poll = (read: () => number) =>
    expect.poll(() => {
      if (failure) throw failure
      return read()
    })
  return {
    ledger,
    acknowledged: async (more) => {
      const before = ledger.acknowledgements.length
      await poll(() => ledger.acknowledgements.length - before).toBeGreaterThanOrEqual(more)
    },
    recoveredS: async (sinceMs) => {
      const first = () => ledger.acknowledgements.find(({ sentMs }) => sentMs >= sinceMs)
      await poll(() => Number(first() !== undefined)).toBe(1)
      return ((first()?.answeredMs ?? 0) - sinceMs) / 1000
    },
    close: async () => {
      isClosing = true
      await selling
    },
  }
}

/** Sales that begin at a given pace, however many of them are not acknowledged yet. Each is the sale of its own till. */
export type Arrivals = {
  ledger: FaultLedger
  /** Begins so many sales. */
  begin(count: number): void
  made(): number
  /** How many were begun and are not acknowledged yet. */
  waiting(): number
  /** Resolves once every sale is acknowledged. */
  allMade(): Promise<void>
}

export function openArrivals(shop: FaultShop, options: TillOptions): Arrivals {
  const ledger = newFaultLedger()
  const making: Promise<void>[] = []
  let made = 0
  const make = async (till: string) => {
    const send = senderOf(shop, ledger, options)
    await sellOnce({ shop, ledger, send, draw: drawFor(till) }, till)
    made += 1
  }
  return {
    ledger,
    begin: (count) => {
      for (let n = 0; n < count; n += 1) {
        const sale = make(`${options.name}-${making.length}`)
        // allMade reports it.
        sale.catch(() => {})
        making.push(sale)
      }
    },
    made: () => made,
    waiting: () => making.length - made,
    allMade: async () => void (await Promise.all(making)),
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
type Sender = (path: string, body: object, key: string) => Promise<any>
type Turn = { shop: FaultShop; ledger: FaultLedger; send: Sender; draw: Draw }

/** A sale for cash; a bill that is paid later; a sale of a customer; now and then one is voided. */
async function sellOnce({ shop, ledger, send, draw }: Turn, key: string) {
  const quantities = shop.variants.map(() => draw.between(0, 3))
  if (!quantities.some((quantity) => quantity > 0)) quantities[0] = 1
  const items = shop.variants.flatMap((variantId, index) => {
    const quantity = quantities[index] ?? 0
    return quantity === 0 ? [] : [{ variantId, quantity }]
  })
  const total = quantities.reduce((sum, quantity) => sum + quantity, 0) * ITEM_TOTAL
  const cash = { method: 'CASH', amount: total }
  const { outletId } = shop
  const kind = draw()
  let sale: { id: string; status: string }
  if (kind < 0.3) {
    sale = (await send('/sales', { outletId, items, status: 'PARKED' }, key)).sale
    sale = (await send(`/sales/${sale.id}/payments`, cash, `${key}-paid`)).sale
  } else {
    const whose = kind < 0.5 ? { customerId: shop.customerId } : {}
    const body = { outletId, items, status: 'COMPLETED', payments: [cash], ...whose }
    sale = (await send('/sales', body, key)).sale
  }
  expect(sale.status, 'a paid sale is complete').toBe('COMPLETED')
  const made: AcknowledgedSale = { id: sale.id, isVoided: false, quantities }
  ledger.sales.set(key, made)
  if (draw() < 0.1) {
    await send(`/sales/${sale.id}/void`, { reason: 'Salah input' }, `${key}-void`)
    made.isVoided = true
  }
}

type TillReply = {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
  data: any
  error: { code: string; message: string } | null
  retryAfter: string | null
  isReplay: boolean
}

/** Sends a request until it is acknowledged, as a till does: always with its key. */
function senderOf(shop: FaultShop, ledger: FaultLedger, options: TillOptions): Sender {
  const { addresses, answerMs = ANSWER_MS, isPatient = false } = options
  let turn = 0
  return async (path, body, key) => {
    const began = performance.now()
    let attempt = 0
    for (;;) {
      const sentMs = performance.now()
      const address = addresses[turn % addresses.length]
      turn += 1
      const reply = await post(`${address?.()}/api/v1${path}`, { body, key, shop, answerMs }).catch(
        () => null,
      )
      if (reply && reply.status < 300) {
        if (reply.isReplay) ledger.replays += 1
        ledger.acknowledgements.push({ sentMs, answeredMs: performance.now() })
        return reply.data
      }
      note(ledger, path, reply)
      if (performance.now() - began > GIVE_UP_MS)
        throw new Error(`${path} under ${key} is not acknowledged: ${JSON.stringify(reply?.error)}`)
      attempt += 1
      await sleep(isPatient ? patientPauseMs(attempt, reply) : PAUSE_MS)
    }
  }
}

/** As pauseBefore of the client. */
const patientPauseMs = (attempt: number, reply: TillReply | null) =>
  Number(reply?.retryAfter ?? 0) * 1_000 + Math.random() * Math.min(8_000, 250 * 2 ** attempt)

async function post(
  url: string,
  { body, key, shop, answerMs }: { body: object; key: string; shop: FaultShop; answerMs: number },
): Promise<TillReply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerMs),
  })
  const { data, error } = (await response.json()) as Pick<TillReply, 'data' | 'error'>
  return {
    status: response.status,
    data,
    error,
    retryAfter: response.headers.get('retry-after'),
    isReplay: response.headers.has('idempotent-replayed'),
  }
}

/** Judges an answer that is no success. Throws for one that no repetition would change. */
function note(ledger: FaultLedger, path: string, reply: TillReply | null) {
  if (reply === null) {
    ledger.unanswered += 1
    return
  }
  const { status, error, retryAfter } = reply
  const message = error?.message ?? ''
  if (status === 503 && retryAfter !== null && error?.code === 'SERVICE_UNAVAILABLE')
    ledger.unavailable.set(message, (ledger.unavailable.get(message) ?? 0) + 1)
  else if (status >= 500) ledger.unexplained.push(`${status} ${path} ${JSON.stringify(error)}`)
  else if (!(status === 408 || status === 429 || error?.code === 'IDEMPOTENCY_KEY_IN_USE'))
    throw new Error(`${path} is refused for good: ${status} ${JSON.stringify(error)}`)
}

export const expectedCash = (ledger: FaultLedger): number =>
  [...ledger.sales.values()]
    .filter(({ isVoided }) => !isVoided)
    .flatMap(({ quantities }) => quantities)
    .reduce((sum, quantity) => sum + quantity * ITEM_TOTAL, OPENING_FLOAT)
