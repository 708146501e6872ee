import { setTimeout as sleep } from 'node:timers/promises'
import { type EventStream, openStream } from '../../support/stream.ts'
import type { Shop, TillAnswer } from '../../support/tills.ts'

export type Load = {
  /** Milliseconds that sales took since the last call. */
  takeTimes(): number[]
  counts(): Readonly<Counts>
  /** Unexpected answers, and how often each came. */
  faults(): ReadonlyMap<string, number>
  /** Ends when every request has its answer. */
  stop(): Promise<void>
}
export type Counts = { sales: number; streams: number; aborted: number; signIns: number; closings: number }

export type LoadOptions = {
  address: string
  key: string
  shop: Shop
  login: { email: string; password: string }
  /** A variant whose lines go to the kitchen. */
  dishId: string
  /** Real milliseconds between two closings of the shift. */
  closingEveryMs: number
}

/** Requests that a shop's day consists of, at a steady pace in real time. */
export function startLoad(options: LoadOptions): Load {
  const state: State = {
    ...options,
    counts: { sales: 0, streams: 0, aborted: 0, signIns: 0, closings: 0 },
    times: [],
    isStopped: false,
    keys: 0,
    faults: new Map(),
  }
  const actors = [
    ...Array.from({ length: 3 }, () => repeat(state, 400, sell)),
    repeat(state, 700, adjustStock),
    ...Array.from({ length: 4 }, () => repeat(state, 500, watchBoard)),
    repeat(state, 500, readReports),
    repeat(state, 2_000, signInAndOut),
    ...Array.from({ length: 2 }, () => repeat(state, 400, abortRequest)),
    repeat(state, options.closingEveryMs, closeShift),
  ]
  const ended = Promise.all(actors)
  return {
    takeTimes: () => state.times.splice(0),
    counts: () => state.counts,
    faults: () => state.faults,
    stop: async () => {
      state.isStopped = true
      await ended
    },
  }
}

type State = LoadOptions & {
  counts: Counts
  times: number[]
  isStopped: boolean
  keys: number
  faults: Map<string, number>
}
type Actor = (state: State, round: number) => Promise<void>

/** A slow answer does not slow the pace: what was late is made up for, so that every quarter has the same work. */
async function repeat(state: State, everyMs: number, actor: Actor) {
  let dueMs = performance.now() + Math.random() * everyMs
  for (let round = 1; !state.isStopped; round += 1) {
    const waitMs = dueMs - performance.now()
    if (waitMs > 0) await sleep(Math.min(waitMs, 250))
    if (waitMs > 250) {
      round -= 1
      continue
    }
    dueMs = Math.max(dueMs, performance.now() - 10 * everyMs) + everyMs
    await actor(state, round).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message.slice(0, 200) : String(error)
      state.faults.set(reason, (state.faults.get(reason) ?? 0) + 1)
    })
  }
}

/** Answers of a busy service, which a client sends again. */
const BUSY = [408, 503]

/** Repeats a write with the same key while the service is busy or the connection is lost. */
async function post(state: State, path: string, body: object, accepts = [200, 201]): Promise<TillAnswer> {
  state.keys += 1
  const headers = { 'idempotency-key': `long-${state.keys}` }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await state.shop.call(path, body, headers).catch((error: unknown) => {
      if (attempt >= 20) throw error
      return null
    })
    if (answer && accepts.includes(answer.status)) return answer
    if (answer && (!BUSY.includes(answer.status) || attempt >= 20))
      throw new Error(`POST ${path} answered ${answer.status}: ${answer.message}`)
    await sleep(50)
  }
}

async function get(state: State, path: string): Promise<TillAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${state.address}/api/v1${path}`, {
      headers: { authorization: `Bearer ${state.key}` },
    }).catch(() => null)
    const text = await response?.text().catch(() => null)
    if (response?.ok && typeof text === 'string') {
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      return { status: 200, data: isJson ? JSON.parse(text).data : text, message: '', cookie: '' }
    }
    if (attempt >= 20) throw new Error(`GET ${path} answered ${response?.status}: ${text}`)
    await sleep(50)
  }
}

/** Of ten sales six are paid directly, two are bills paid in two parts, one is refunded, one goes through the kitchen. */
async function sell(state: State, round: number) {
  const { outletId, variants, customerId } = state.shop
  const kind = round % 10
  const isBill = kind === 3 || kind === 7
  const isDish = kind === 5
  const items = (isDish ? [state.dishId] : variants).map((variantId) => ({ variantId, quantity: 1 }))
  const began = performance.now()
  const { data } = await post(state, '/sales', {
    outletId,
    items,
    ...(kind % 3 === 0 ? { customerId } : {}),
    ...(isDish ? { orderType: 'DINE_IN' } : {}),
    ...(isBill ? { note: 'table by the door' } : { status: 'COMPLETED' }),
  })
  state.times.push(performance.now() - began)
  state.counts.sales += 1
  const { id, total } = data.sale as { id: string; total: number }
  if (isBill)
    for (const amount of [10_000, total - 10_000])
      await post(state, `/sales/${id}/payments`, { method: 'CASH', amount })
  if (kind === 9) await post(state, `/sales/${id}/refund`, { reason: 'spilled' })
  if (isDish)
    for (const from of ['NEW', 'PREPARING', 'READY']) await post(state, `/kds/${id}/advance`, { from })
}

async function adjustStock(state: State, round: number) {
  const { outletId, variants } = state.shop
  const variantId = variants[round % variants.length]
  const qtyDelta = round % 5 === 0 ? -1 : 20
  await post(state, '/inventory/adjust', { outletId, variantId, qtyDelta, reasonCode: 'COUNT' })
}

/** Opens the live stream of a board and leaves without a word, as a phone does that loses its network. */
async function watchBoard(state: State) {
  const stream: EventStream | null = await openStream(state.address, state.key).catch(() => null)
  if (stream === null) return
  await Promise.race([stream.until(({ frames }) => frames().length > 3, 4_000).catch(() => {}), sleep(4_000)])
  stream.close()
  state.counts.streams += 1
}

const READS = (outletId: string, day: string) => [
  `/reports/summary?outletId=${outletId}&from=${day}&to=${day}`,
  `/reports/top-products?outletId=${outletId}`,
  `/reports/hours?outletId=${outletId}`,
  `/sales?outletId=${outletId}&limit=50`,
  '/events?limit=50',
  `/inventory/movements?outletId=${outletId}&limit=50`,
  `/inventory/levels?outletId=${outletId}`,
  '/products?limit=50',
  `/kds?outletId=${outletId}`,
  '/webhook-subscriptions/deliveries?limit=50',
]
async function readReports(state: State, round: number) {
  const paths = READS(state.shop.outletId, new Date().toISOString().slice(0, 10))
  await get(state, paths[round % paths.length] ?? '')
}

/** Of five sign-ins one has the wrong password, and one never signs out. */
async function signInAndOut(state: State, round: number) {
  const { call } = state.shop
  if (round % 5 === 0) {
    const email = `stranger-${round}@example.com`
    await call('/auth/login', { email, password: 'not the password' }).catch(() => {})
    return
  }
  const response = await fetch(`${state.address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(state.login),
  }).catch(() => null)
  if (response === null) return
  await response.arrayBuffer()
  if (BUSY.includes(response.status)) return
  if (!response.ok) throw new Error(`a sign-in answered ${response.status}`)
  state.counts.signIns += 1
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  const headers = { cookie }
  await fetch(`${state.address}/api/v1/auth/me`, { headers })
    .then((answer) => answer.arrayBuffer())
    .catch(() => null)
  if (round % 5 === 1) return
  await fetch(`${state.address}/api/v1/auth/logout`, {
    method: 'POST',
    headers: { cookie, origin: state.address },
  })
    .then((answer) => answer.arrayBuffer())
    .catch(() => null)
}

/** Leaves a request before, while or after the service works on it. */
async function abortRequest(state: State, round: number) {
  const leaving = new AbortController()
  const { outletId, variants } = state.shop
  const isSale = round % 2 === 0
  const sent = fetch(
    `${state.address}/api/v1${isSale ? '/sales' : `/sales?outletId=${outletId}&limit=100`}`,
    {
      method: isSale ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${state.key}`, 'content-type': 'application/json' },
      ...(isSale
        ? {
            body: JSON.stringify({
              outletId,
              items: [{ variantId: variants[0], quantity: 1 }],
              status: 'COMPLETED',
            }),
          }
        : {}),
      signal: leaving.signal,
    },
  )
  const read = sent.then((answer) => answer.arrayBuffer()).catch(() => null)
  await sleep(Math.random() * 20)
  leaving.abort()
  await read
  state.counts.aborted += 1
}

/** The evening of a till: the shift is counted and closed, its figures are exported, and the next one opens. */
async function closeShift(state: State) {
  const { outletId } = state.shop
  const { data } = await get(state, `/shifts/current?outletId=${outletId}`)
  const shift = (data as { shift: { id: string } | null }).shift
  if (shift) {
    await post(state, `/shifts/${shift.id}/close`, { countedCash: 100_000 })
    for (const path of [
      `/reports/shifts/${shift.id}`,
      `/reports/summary?outletId=${outletId}&format=csv`,
      `/reports/top-products?outletId=${outletId}&format=csv`,
      `/sales?outletId=${outletId}&shiftId=${shift.id}&limit=100`,
    ])
      await get(state, path)
  }
  await post(state, '/shifts/open', { outletId, openingFloat: 100_000 })
  state.counts.closings += 1
}
