import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../src/platform/db/open.ts'
import { toApiError } from '../../src/platform/http/error-handler.ts'
import type { Answer, Api } from '../support/api.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { done } from '../support/expect.ts'
import { type FaultyProxy, faultyProxy } from '../support/faulty-proxy.ts'
import { type Harness, startHarness } from '../support/service.ts'

let database: TestDatabase
let proxy: FaultyProxy
let harness: Harness
let stop: () => Promise<void>
let shop: { outletId: string; items: { variantId: string; quantity: number }[] }

beforeAll(async () => {
  database = await cloneDatabase()
  proxy = await faultyProxy(database.url)
  const drop = async () => {
    proxy.close()
    await database.drop()
  }
  const started = await startHarness({ database: { url: proxy.url, drop } })
  harness = started.harness
  stop = started.stop
  const { acme } = harness
  const product = await makeProduct(acme)
  shop = { outletId: await makeOutlet(acme), items: [{ variantId: product.variants[0].id, quantity: 1 }] }
})
afterAll(() => stop())

const sell = (api: Api, idempotencyKey?: string) =>
  api.post(
    '/sales',
    { ...shop, payments: [{ method: 'CASH', amount: 10_000 }] },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )
const salesNow = async () => {
  const { db, close } = openDb({ url: database.url, poolSize: 1 })
  const row = await db
    .selectFrom('sales')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  await close()
  return row.n
}

/** Does `work` while the database goes away after the statement; whatever asks it again then is refused. */
async function losing(statement: string, work: () => Promise<Answer>, after?: string): Promise<Answer> {
  proxy.on(statement, 'swallow answer', after)
  proxy.refuse(true)
  try {
    return await work()
  } finally {
    proxy.on(null)
    proxy.refuse(false)
  }
}

/** Connections are made while they can be: what is lost later is lost in mid-statement. */
const warm = () => Promise.all(Array.from({ length: 10 }, () => harness.acme.get('/outlets')))

test('a plain sale whose connection is lost is reported as unknown, and the same key settles it', async () => {
  const before = await salesNow()
  await warm()
  const lost = await losing('sale_insert', () => sell(harness.acme, 'till-1'))
  expect([lost.status, lost.error.code, lost.headers.get('retry-after')]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    '1',
  ])
  expect(lost.error.message).toBe(
    'It is not known whether this was saved: the connection to the database was lost. Send it again with the same Idempotency-Key; it will be done at most once',
  )
  const again = await sell(harness.acme, 'till-1')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect((await salesNow()) - before).toBe(1)
})

test('a key settles a lost sale by itself while the database still answers elsewhere', async () => {
  const before = await salesNow()
  await warm()
  proxy.on('sale_insert', 'swallow answer')
  const sold = await sell(harness.acme, 'till-2').finally(() => proxy.on(null))
  expect([sold.status, sold.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect((await salesNow()) - before).toBe(1)
})

test('without a key the message says to look the sale up before selling again', async () => {
  const before = await salesNow()
  await warm()
  const lost = await losing('sale_insert', () => sell(harness.acme))
  expect([lost.status, lost.error.code, lost.headers.get('retry-after')]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    '1',
  ])
  expect(lost.error.message).toBe(
    'It is not known whether this was saved: the connection to the database was lost. Look the sale up first, and send it again only if it is not there',
  )
  expect((await salesNow()) - before).toBe(1)
})

test.each([
  [4_000, 'PARKED'],
  [10_000, 'COMPLETED'],
])('a payment of %i on a bill whose connection is lost is taken once', async (amount, status) => {
  const bill = done(await harness.acme.post('/sales', { ...shop, status: 'PARKED' })).sale
  const pay = (idempotencyKey?: string) =>
    harness.acme.post(
      `/sales/${bill.id}/payments`,
      { method: 'CASH', amount },
      idempotencyKey === undefined ? {} : { idempotencyKey },
    )
  const paid = async () => {
    const { sale } = done(await harness.acme.get(`/sales/${bill.id}`))
    return [sale.status, sale.paidTotal, sale.payments.length]
  }
  await warm()
  const lost = await losing('sales_write', () => pay(`till-${amount}`))
  expect([lost.status, lost.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(lost.error.message).toContain('Send it again with the same Idempotency-Key')
  expect(await paid()).toEqual([status, amount, 1])
  const again = await pay(`till-${amount}`)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(await paid()).toEqual([status, amount, 1])
})

test('without a key the message says to look for a payment in the sale before taking it again', async () => {
  const bill = done(await harness.acme.post('/sales', { ...shop, status: 'PARKED' })).sale
  await warm()
  const lost = await losing('sales_write', () =>
    harness.acme.post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: 4_000 }),
  )
  expect([lost.status, lost.error.message]).toEqual([
    503,
    'It is not known whether this was saved: the connection to the database was lost. Look for the change in the sale first, and send it again only if it is not there',
  ])
  const { sale } = done(await harness.acme.get(`/sales/${bill.id}`))
  expect(sale.payments).toMatchObject([{ amount: 4_000, status: 'PAID' }])
})

test('a commit whose answer is lost is reported as unknown too', async () => {
  await warm()
  const added = 'insert into "categories"'
  const lost = await losing('commit', () => harness.acme.post('/categories', { name: 'Kopi' }), added)
  expect([lost.status, lost.error.message]).toEqual([
    503,
    'It is not known whether this was saved: the connection to the database was lost. Look the record up first, and send it again only if it is not there',
  ])
  await warm()
  const keyed = await losing(
    'commit',
    () => harness.acme.post('/categories', { name: 'Teh' }, { idempotencyKey: 'cat-1' }),
    added,
  )
  expect([keyed.status, keyed.error.message]).toEqual([
    503,
    'It is not known whether this was saved: the connection to the database was lost. Send it again with the same Idempotency-Key; it will be done at most once',
  ])
  const names = async () => {
    const { categories } = (await harness.acme.get('/categories')).data
    return categories.map((category: { name: string }) => category.name).toSorted()
  }
  // PostgreSQL may still be committing when the service has noticed that its connection is gone.
  await expect.poll(names).toEqual(['Kopi', 'Teh'])
})

const WRITES: [string, string, object][] = [
  ['POST', '/categories', { name: 'Roti' }],
  ['POST', '/products', { name: 'Roti', variants: [{ price: 1_000 }] }],
  ['POST', '/outlets', { name: 'Cabang' }],
  ['POST', '/customers', { name: 'Sari' }],
  ['POST', '/suppliers', { name: 'Toko' }],
  ['POST', '/modifiers', { name: 'Gula' }],
  ['POST', '/floors', { outletId: 'OUTLET', name: 'Atas' }],
  ['POST', '/tables', { outletId: 'OUTLET', label: 'T1', seats: 2 }],
  ['POST', '/shifts/open', { outletId: 'OUTLET', openingFloat: 0 }],
  ['POST', '/gift-cards', { amount: 50_000 }],
  ['PUT', '/settings', { businessName: 'Warung' }],
  ['POST', '/api-keys', { name: 'Till' }],
  ['POST', '/inventory/adjust', { outletId: 'OUTLET', variantId: 'VARIANT', qtyDelta: 1 }],
  ['POST', '/auth/signup', { email: 'a@example.com', password: 'kopi susu gula aren' }],
]

test.each(WRITES)(
  '%s %s behind whose first answer the database ends the connection is 503',
  async (method, path, body) => {
    const text = JSON.stringify(body)
      .replace('OUTLET', shop.outletId)
      .replace('VARIANT', shop.items[0]?.variantId ?? '')
    proxy.on('begin', 'fatal behind answer')
    const answer = await harness.acme
      .raw(method, path, text, { 'content-type': 'application/json' })
      .finally(() => proxy.on(null))
    expect([answer.status, answer.error?.code, answer.headers.get('retry-after')], answer.text).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ])
  },
)

const READS = [
  '/outlets',
  '/categories',
  '/products',
  '/customers',
  '/sales',
  '/settings',
  '/kds',
  '/shifts',
  '/auth/me',
]

test('reads and writes under a database that drops its connections answer 2xx or 503, never 500', async () => {
  const { acme } = harness
  const killer = openDb({ url: database.url, poolSize: 1 })
  let going = true
  const kill = async () => {
    while (going) {
      await killer.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
    }
  }
  const killing = kill()
  const strange: string[] = []
  let unavailable = 0
  const judge = (answer: Answer, what: string) => {
    if (answer.status === 503 && answer.headers.get('retry-after') !== null) unavailable += 1
    else if (answer.status >= 300) strange.push(`${answer.status} ${what} ${answer.text}`)
  }
  for (let round = 0; round < 12; round += 1) {
    await Promise.all([
      ...READS.map(async (path) => judge(await acme.get(path), path)),
      ...Array.from({ length: 6 }, async () => judge(await sell(acme), 'sale')),
      ...Array.from({ length: 6 }, async (_, n) =>
        judge(await acme.post('/categories', { name: `Rak ${round} ${n}` }), 'category'),
      ),
    ])
  }
  going = false
  await killing
  await killer.close()
  expect(strange).toEqual([])
  expect(unavailable).toBeGreaterThan(0)
  await expect.poll(async () => (await acme.get('/outlets')).status).toBe(200)
}, 120_000)

test('a database that vanishes without a word is given up in time, and its connections end in time', async () => {
  const away = await faultyProxy(database.url)
  const { pool, close } = openDb({ url: away.url, poolSize: 2, waitMs: 1_000, silentMs: 500 })
  pool.on('error', () => {})
  try {
    await pool.query('select 1')
    away.silence(true)
    const began = performance.now()
    const lost = await pool.query('select 2').catch((error: unknown) => error)
    expect(toApiError(lost)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(performance.now() - began).toBeLessThan(5_000)
    away.silence(false)
    expect((await pool.query('select 3 as n')).rows).toEqual([{ n: 3 }])
    away.silence(true)
    const ending = performance.now()
    await close()
    expect(performance.now() - ending).toBeLessThan(8_000)
  } finally {
    away.close()
  }
})
