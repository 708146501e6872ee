import { type IncomingMessage, request } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { makeOutlet } from '../support/build.ts'
import { fillTable } from '../support/fill.ts'
import { longRunPlans, withClient } from '../support/plans.ts'
import { acme, address, deps, globex, useService } from '../support/service.ts'
import { watching } from '../support/statements.ts'

useService({ synthetic: true })

const CUSTOMERS = 200_000
const GOODS = 20_000
/** Of the customer that a shop rings up all who walk in on. */
const ENTRIES = 20_000
const WALK_IN = `cus_${'1'.padStart(26, '0')}`
/** Pages of the database that one portion of a thousand rows may touch, wherever in the list it stands. */
const PORTION = 12_000
let outletId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme())
  const { accountId } = acme().workspace
  await withClient(async (client) => {
    await fillTable(
      client,
      'customers',
      `insert into customers (account_id, id, name, phone, phone_key, email)
        select $1, 'cus_' || lpad(n::text, 26, '0'), 'Ibu ' || md5(n::text), '0' || (81000000000 + n), (81000000000 + n)::text,
          'ibu' || n || '@example.test'
        from generate_series(1, $2::int) n`,
      [accountId, CUSTOMERS],
    )
    await fillTable(
      client,
      'loyalty_entries',
      `insert into loyalty_entries (account_id, id, customer_id, type, points, balance_after, actor_id, created_at, updated_at)
        select $1, 'loy_' || lpad(n::text, 26, '0'), $3, 'ADJUST', 1, n, 'mem_1', now(), now() from generate_series(1, $2::int) n`,
      [accountId, ENTRIES, WALK_IN],
    )
    await fillTable(
      client,
      'products',
      `insert into products (account_id, id, name)
        select $1, 'prd_' || lpad(n::text, 26, '0'), 'Barang ' || md5(n::text) from generate_series(1, $2::int) n`,
      [accountId, GOODS],
    )
    await fillTable(
      client,
      'variants',
      `insert into variants (account_id, id, product_id, price)
        select $1, 'var_' || lpad(n::text, 26, '0'), 'prd_' || lpad(n::text, 26, '0'), 1 from generate_series(1, $2::int) n`,
      [accountId, GOODS],
    )
    await fillTable(
      client,
      'stock_levels',
      `insert into stock_levels (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
        select $1, $3, 'var_' || lpad(n::text, 26, '0'), 'lvl_' || lpad(n::text, 26, '0'), 1, now(), now()
        from generate_series(1, $2::int) n`,
      [accountId, GOODS, outletId],
    )
  })
}, 120_000)

/** Opens a list and reads nothing of it until told. */
const open = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${acme().workspace.key}` }
    request(`${address()}/api/v1${path}`, { headers, agent: false })
      .once('response', (response) => resolve(response.pause()))
      .once('error', reject)
      .end()
  })

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

test('a list of 200,000 arrives whole and in order, and others are served meanwhile', async () => {
  const response = await open('/customers')
  let ended = false
  const reading = textOf(response).finally(() => {
    ended = true
  })
  const answer = await globex().get('/outlets')
  expect([answer.status, ended]).toEqual([200, false])
  const { data, error, meta } = JSON.parse(await reading)
  const names = data.customers.map(({ name }: { name: string }) => name)
  expect([names.length, error, typeof meta.requestId]).toEqual([CUSTOMERS, null, 'string'])
  expect(names).toEqual([...names].sort())
}, 60_000)

test('a points ledger arrives whole, in portions, behind the balance that it comes to', async () => {
  const portions: unknown[] = []
  const { data, error } = await watching(
    ({ text }) => {
      if (/from "customers".*"loyalty_entries"/s.test(text)) portions.push(text)
    },
    () => acme().get(`/customers/${WALK_IN}/loyalty`),
  )
  expect([Object.keys(data), data.entries.length, error]).toEqual([['balance', 'entries'], ENTRIES, null])
  expect(data.entries.map((entry: { balanceAfter: number }) => entry.balanceAfter)).toEqual(
    Array.from({ length: ENTRIES }, (_, n) => ENTRIES - n),
  )
  expect(portions).toHaveLength(ENTRIES / 1_000 + 1)
})

test('who stops reading stops the list: no more is read for them, and no connection waits', async () => {
  let portions = 0
  await watching(
    ({ text }) => {
      if (/from "customers"/.test(text)) portions += 1
    },
    async () => {
      const response = await open('/customers')
      // What fits into the buffers of both sockets goes out; then it stands still while others are served.
      let before = -1
      await expect
        .poll(
          async () => {
            const still = portions === before
            before = portions
            await globex().get('/outlets')
            return still
          },
          { interval: 300, timeout: 15_000 },
        )
        .toBe(true)
      expect(portions).toBeLessThan(60)
      const { pool } = deps()
      expect(pool.totalCount - pool.idleCount).toBe(0)
      response.destroy()
    },
  )
}, 60_000)

test('a list that the database cuts off in the middle is no whole answer', async () => {
  const response = await open('/customers')
  await deps().pool.query('alter table customers rename to customers_gone')
  try {
    await expect(textOf(response)).rejects.toThrow(/aborted/)
  } finally {
    await deps().pool.query('alter table customers_gone rename to customers')
  }
  expect((await globex().get('/customers')).status).toBe(200)
}, 60_000)

test('a portion costs the same at the end of a list as at its beginning', async () => {
  const cursorOf = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const deep = {
    '/customers': cursorOf('customers', 'Ibu f', 'cus_0'),
    '/products': cursorOf('products', 'Barang f', 'prd_0'),
    [`/customers/${WALK_IN}/loyalty`]: cursorOf('loyalty', `loy_${'2'.padStart(26, '0')}`),
    '/inventory/levels': cursorOf('levels', 'Barang f', 'prd_0', 'Default', 'lvl_0'),
  }
  for (const [path, cursor] of Object.entries(deep)) {
    const [first] = await longRunPlans(/limit/, () => acme().get(`${path}?limit=100`))
    const [last] = await longRunPlans(/limit/, () => acme().get(`${path}?limit=100&cursor=${cursor}`))
    for (const plan of [first, last])
      expect([path, (plan?.buffers ?? PORTION) < 3_000], plan?.text).toEqual([path, true])
  }
})

test('a customer is found by a part of name, phone or email through an index', async () => {
  const { customers } = (await acme().get('/customers?q=ibu199999@')).data
  expect(customers.map(({ phone }: { phone: string }) => phone)).toEqual(['081000199999'])
  for (const q of ['ibu199999@', '+62 81000199999', '1000199999', customers[0].name.slice(4, 20)]) {
    const found = await acme().get(`/customers?q=${encodeURIComponent(q)}`)
    expect([q, found.data.customers.map(({ id }: { id: string }) => id)]).toEqual([q, [customers[0].id]])
    const [plan] = await longRunPlans(/from "customers"/, () =>
      acme().get(`/customers?q=${encodeURIComponent(q)}`),
    )
    expect([q, [...new Set(plan?.indexes)], (plan?.buffers ?? PORTION) < 1_500], plan?.text).toEqual([
      q,
      ['customers_search'],
      true,
    ])
  }
})
