import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  connect,
  createKasir,
  isKasirError,
  type Kasir,
  KasirTransportError,
  KasirUsageError,
  salesCreate,
  salesList,
} from '../../client/src/index.ts'
import { openShop, type Shop } from '../support/build.ts'
import { acme, address, globex, server, useService } from '../support/service.ts'

useService()
// A client that left a stream may open a connection ahead of its next request, which the server would wait for.
afterAll(() => server().closeAllConnections())

let kasir: Kasir
let shop: Shop
beforeAll(async () => {
  kasir = createKasir({ baseUrl: address(), apiKey: acme().workspace.key })
  shop = await openShop(acme())
})

const latte = () => ({
  outletId: shop.outletId,
  items: [{ variantId: shop.latte, quantity: 1 }],
  status: 'COMPLETED' as const,
})
const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (refused: unknown) => refused,
  )
  if (!isKasirError(error)) throw error
  return error
}

test('a call takes path, query and body side by side, and answers the data', async () => {
  const { sale, stockWarnings } = await kasir.sales.create({ ...latte(), note: 'No sugar' })
  expect([sale.status, sale.total, sale.note, stockWarnings.length]).toEqual([
    'COMPLETED',
    15_000,
    'No sugar',
    1,
  ])
  const { sale: receipt } = await kasir.sales.get({ id: sale.id })
  expect(receipt.items.map(({ quantity }) => quantity)).toEqual([1])
  const { product } = await kasir.products.create({ name: 'Es teh', variants: [{ price: 5_000 }] })
  const renamed = await kasir.products.update({ id: product.id, name: 'Es teh manis' })
  expect(renamed.product.name).toBe('Es teh manis')
})

test('meta comes on request, and says of a repetition that it is one', async () => {
  const idempotencyKey = 'a-key-of-the-caller'
  const first = await kasir.sales.create.withMeta(latte(), { idempotencyKey })
  const again = await kasir.sales.create.withMeta(latte(), { idempotencyKey })
  expect(again.data).toEqual(first.data)
  expect([first.meta.isReplayed, again.meta.isReplayed]).toEqual([false, true])
  expect(first.meta.requestId).toMatch(/^req_/)
})

test('every write goes out under a key of its own', async () => {
  const keys: string[] = []
  const watching = createKasir({
    baseUrl: address(),
    apiKey: acme().workspace.key,
    fetch: (url, init) => {
      keys.push(String(new Headers(init?.headers).get('idempotency-key')))
      return fetch(url, init)
    },
  })
  await watching.sales.create(latte())
  await watching.sales.create(latte())
  await watching.sales.list()
  expect(keys[0]).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(keys[1]).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(keys[0]).not.toBe(keys[1])
  expect(keys[2]).toBe('null')
})

test('pages are followed to their end; what is made meanwhile neither doubles nor drops a row', async () => {
  const own = createKasir({ baseUrl: address(), apiKey: globex().workspace.key })
  const goods = await openShop(globex())
  const items = [{ variantId: goods.bag, quantity: 1 }]
  const made: string[] = []
  const sell = async () =>
    made.push((await own.sales.create({ outletId: goods.outletId, items, status: 'COMPLETED' })).sale.id)
  for (let n = 0; n < 25; n += 1) await sell()
  const before = [...made].reverse()
  const seen: string[] = []
  for await (const sale of own.sales.all({ status: 'COMPLETED', limit: 4 })) {
    seen.push(sale.id)
    if (seen.length % 6 === 0) await sell()
  }
  expect(seen).toEqual(before)
  const sizes: number[] = []
  for await (const { data, meta } of own.sales.pages({ limit: 20 })) {
    sizes.push(data.length)
    if (meta.hasMore === false) break
  }
  expect(sizes).toEqual([20, made.length - 20])
})

test('a refusal has its code, the field it is about and the id of the request', async () => {
  const unknown = await refusalOf(
    kasir.sales.create({ ...latte(), outletId: 'out_01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
  )
  expect([unknown.code, unknown.status, unknown.param]).toEqual(['NOT_FOUND', 404, 'outletId'])
  expect(unknown.requestId).toMatch(/^req_/)
  const stranger = createKasir({ baseUrl: address(), apiKey: 'kasir_sk_of_another_installation' })
  expect((await refusalOf(stranger.outlets.list())).code).toBe('AUTH_REQUIRED')
})

test('a conflict about a sale carries that sale as it is now', async () => {
  const { sale } = await kasir.sales.create({ ...latte(), status: 'PARKED' })
  await kasir.sales.discard({ id: sale.id })
  const refused = await refusalOf(kasir.sales.addPayment({ id: sale.id, method: 'CASH', amount: 1_000 }))
  expect([refused.code, refused.details?.sale?.id, refused.details?.sale?.status]).toEqual([
    'CONFLICT',
    sale.id,
    'VOIDED',
  ])
})

test('a key that was used for something else is refused at once, under the same code as one that is in use', async () => {
  let sent = 0
  const counting = createKasir({
    baseUrl: address(),
    apiKey: acme().workspace.key,
    fetch: (url, init) => {
      sent += 1
      return fetch(url, init)
    },
  })
  await counting.sales.create(latte(), { idempotencyKey: 'used' })
  const refused = await refusalOf(
    counting.sales.create({ ...latte(), note: 'Another' }, { idempotencyKey: 'used' }),
  )
  expect([refused.code, refused.retryAfterMs, refused.idempotencyKey, sent]).toEqual([
    'IDEMPOTENCY_KEY_IN_USE',
    null,
    'used',
    2,
  ])
})

test('a file is a blob of its kind', async () => {
  const { sale } = await kasir.sales.create(latte())
  const paper = await kasir.sales.getReceipt({ id: sale.id, format: 'text' })
  expect(paper.type).toMatch(/^text\/plain/)
  expect(await paper.text()).toContain('Latte')
})

test('single functions do the same with a connection in front', async () => {
  const connection = connect({ baseUrl: `${address()}/`, apiKey: acme().workspace.key })
  const { sale } = await salesCreate(connection, latte())
  const [newest] = await salesList(connection, { limit: 1 })
  expect(newest?.id).toBe(sale.id)
})

test('the live boards begin with "read all", tell of a change, and go on after the connection was lost', async () => {
  const stop = new AbortController()
  let streams = 0
  const following = createKasir({
    baseUrl: address(),
    apiKey: acme().workspace.key,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      streams += 1
      if (streams > 1) return response
      // The first stream ends after its first frame.
      const reader = response.body?.getReader()
      const first = await reader?.read()
      await reader?.cancel()
      return new Response(first?.value, { headers: response.headers })
    },
  })
  const { table } = await kasir.tables.create({ outletId: shop.outletId, label: 'Live 1' })
  const kinds: string[] = []
  for await (const change of following.live({ outletId: shop.outletId, signal: stop.signal })) {
    kinds.push(change.kind)
    if (kinds.length === 2) await kasir.tables.update({ id: table.id, label: 'Live 2' })
    if (change.kind === 'change') {
      expect([change.topic, change.outletId]).toEqual(['floor', shop.outletId])
      break
    }
  }
  expect(kinds).toEqual(['readAll', 'readAll', 'change'])
  stop.abort()
})

test('a stream that the service refuses for good is a refusal, not a loop', async () => {
  const stranger = createKasir({ baseUrl: address(), apiKey: 'kasir_sk_unknown' })
  expect((await refusalOf(stranger.live().next())).code).toBe('AUTH_REQUIRED')
})

test.each<[string, () => unknown, string]>([
  [
    'no scheme',
    () => createKasir({ baseUrl: 'pos.example.com' }),
    'baseUrl must begin with http:// or https://, such as https://pos.example.com (it is "pos.example.com")',
  ],
  [
    'a file',
    () => createKasir({ baseUrl: 'file:///etc/passwd' }),
    'baseUrl must begin with http:// or https://, such as https://pos.example.com (it is "file:///etc/passwd")',
  ],
  [
    '/api/v1 at its end',
    () => createKasir({ baseUrl: 'https://pos.example.com/api/v1/' }),
    'baseUrl must end before /api/v1: the client adds that by itself',
  ],
  [
    'a query',
    () => createKasir({ baseUrl: 'https://pos.example.com/?a=1' }),
    'baseUrl must have no query and no fragment',
  ],
  [
    'a password',
    () => createKasir({ baseUrl: 'https://a:b@pos.example.com' }),
    'baseUrl must not contain a user or password; put the key into apiKey',
  ],
  [
    'an empty key',
    () => createKasir({ baseUrl: 'http://x', apiKey: '' }),
    'apiKey is empty; check that the environment variable is set',
  ],
  [
    'a key with a line break',
    () => createKasir({ baseUrl: 'http://x', apiKey: 'kasir_sk_a\n' }),
    'apiKey must be visible characters without spaces; check for a line break at its end',
  ],
  ['no time', () => createKasir({ baseUrl: 'http://x', timeoutMs: 0 }), 'timeoutMs must be more than 0'],
  [
    'half a try',
    () => createKasir({ baseUrl: 'http://x', tries: 0.5 }),
    'tries must be a whole number from 1',
  ],
  ['limit 0', () => kasir.sales.list({ limit: 0 }), 'limit must be a whole number from 1 (it is 0)'],
  [
    'an id with a slash',
    () => kasir.sales.get({ id: '../outlets' }),
    'id must be an id, without a slash (it is "../outlets")',
  ],
  ['an empty id', () => kasir.sales.get({ id: '' }), 'GET /sales/{id} needs id'],
  [
    'a key with a space',
    () => kasir.sales.create(latte(), { idempotencyKey: 'my key' }),
    'idempotencyKey must be 1 to 255 visible characters without spaces',
  ],
])('%s is refused with a sentence before anything is sent', async (_case, call, sentence) => {
  const error = await Promise.resolve()
    .then(call)
    .then(
      () => null,
      (refused: unknown) => refused,
    )
  expect(error).toBeInstanceOf(KasirUsageError)
  expect((error as Error).message).toBe(sentence)
})

test('a service that is not there is a transport error with the key of the call', async () => {
  const lost = createKasir({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x', tries: 1 })
  const error = await lost.sales.create(latte(), { idempotencyKey: 'k1' }).catch((failed: unknown) => failed)
  if (!(error instanceof KasirTransportError)) throw error
  expect([error.fault, error.idempotencyKey, error.status]).toEqual(['network', 'k1', null])
})
