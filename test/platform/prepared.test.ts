import { type QueryExecutorProvider, sql } from 'kysely'
import { expect, test } from 'vitest'
import { findByBarcode } from '../../src/areas/catalogue/products/statements-lookup.ts'
import { findPrinted, findShared } from '../../src/areas/selling/sales/store/read.ts'
import { findKey } from '../../src/platform/auth/statements.ts'
import { type Db, inTx, openDb, type WriteDb } from '../../src/platform/db/open.ts'
import { makeCustomer, makeOutlet, openShop, type Shop } from '../support/build.ts'
import { scopeOf } from '../support/clients.ts'
import { done, saleOf } from '../support/expect.ts'
import { insertSale } from '../support/rows.ts'
import { acme, deps, useService } from '../support/service.ts'

useService()

/** What the service may not: its types let no text run that is not declared. */
const anyText = (db: Db) => db as unknown as QueryExecutorProvider

/** One connection to the database of this file. */
async function withOne<T>(work: (db: WriteDb) => Promise<T>): Promise<T> {
  const { db, close } = openDb({ url: deps().pool.options.connectionString ?? '', poolSize: 1 })
  try {
    return await work(db)
  } finally {
    await close()
  }
}

const preparedOn = async (db: Db): Promise<{ name: string; statement: string }[]> =>
  (
    await sql<{
      name: string
      statement: string
    }>`select name, statement from pg_prepared_statements where statement not like '%pg_prepared%' order by prepare_time`.execute(
      anyText(db),
    )
  ).rows

const one = (db: Db, id: string) => db.selectFrom('outlets').select(['id', 'taxRateBps']).where('id', '=', id)

test('what many read by id is planned once for all, also where one alone asks', async () => {
  const { accountId } = scopeOf(acme())
  const outletId = await makeOutlet(acme())
  for (let n = 0; n < 30; n += 1) await insertSale(deps(), acme(), { outletId })
  await deps().pool.query('analyze sales, sale_items')
  const plans = await withOne(async (db) => {
    for (let n = 0; n < 12; n += 1) {
      await findShared(db, accountId, `txn_${n}`)
      await findPrinted(db, accountId, `txn_${n}`)
      await findByBarcode(db, scopeOf(acme()), `899${n}`)
      await findKey(db, accountId, `hash ${n}`)
    }
    const { rows } = await sql<{ name: string; once: boolean }>`
      select name, generic_plans > 0 and custom_plans <= 5 as once from pg_prepared_statements
      where name in ('sale_find', 'sale_printed', 'lookup_barcodes', 'auth_api_keys') order by name`.execute(
      anyText(db),
    )
    return rows
  })
  expect(plans).toEqual([
    { name: 'auth_api_keys', once: true },
    { name: 'lookup_barcodes', once: true },
    { name: 'sale_find', once: true },
    { name: 'sale_printed', once: true },
  ])
})

test('a statement of the builder is parsed once for all its later runs, and its name tells its text', async () => {
  const names = await withOne(async (db) => {
    await one(db, 'a').execute()
    await one(db, 'b').execute()
    await one(db, 'c').execute()
    return preparedOn(db)
  })
  expect(names).toEqual([
    {
      name: expect.stringMatching(/^q_[0-9a-f]{32}$/),
      statement: 'select "id", "tax_rate_bps" from "outlets" where "id" = $1',
    },
  ])
  // Another connection, and so another process, gives it the same name.
  const again = await withOne(async (db) => {
    await one(db, 'd').execute()
    return preparedOn(db)
  })
  expect(again.map(({ name }) => name)).toEqual(names.map(({ name }) => name))
})

test('a text that runs once is not kept, nor is one that is longer than any statement of ours', async () => {
  const kept = await withOne(async (db) => {
    await sql`select 'once'`.execute(anyText(db))
    const long = sql.raw(`select '${'x'.repeat(8_000)}'`)
    for (let run = 0; run < 3; run += 1) await long.execute(anyText(db))
    return preparedOn(db)
  })
  expect(kept).toEqual([])
})

test('a connection keeps 250 statements at most, and what was closed runs again', async () => {
  await withOne(async (db) => {
    const ask = (n: number) => sql<{ n: number }>`select ${sql.raw(String(n))} as n`.execute(anyText(db))
    for (let n = 0; n < 400; n += 1) {
      await ask(n)
      await ask(n)
    }
    const { rows } = await sql<{ kept: number }>`select count(*) as kept from pg_prepared_statements`.execute(
      anyText(db),
    )
    expect(rows).toEqual([{ kept: 250 }])
    expect((await ask(0)).rows).toEqual([{ n: 0 }])
    // Inside a transaction too, also one whose statement failed.
    await inTx(db, async (tx) => {
      for (let n = 0; n < 300; n += 1) await sql`select ${sql.raw(String(n))} as n`.execute(anyText(tx))
      const { rows: inside } = await sql<{
        kept: number
      }>`select count(*) as kept from pg_prepared_statements`.execute(anyText(tx))
      expect(inside[0]?.kept).toBe(250)
    })
  })
})

test('names are camel case in the code and snake case in the database, at every depth of a statement', async () => {
  const outletId = await makeOutlet(acme())
  const { accountId } = acme().workspace
  const rows = await deps()
    .db.selectFrom((eb) =>
      eb
        .selectFrom('outlets')
        .select(['id as outletId', 'taxRateBps', 'createdAt'])
        .where('accountId', '=', accountId)
        .as('w'),
    )
    .select((eb) => [
      'w.outletId',
      'w.taxRateBps as rateOfTax',
      eb.fn.count('w.outletId').over().as('someNumber'),
    ])
    .where('w.outletId', '=', outletId)
    .orderBy('w.createdAt')
    .execute()
  expect(rows).toEqual([{ outletId, rateOfTax: 0, someNumber: 1 }])
})

test('a migration that changes a column under a running service fails no read and no write', async () => {
  const outletId = await makeOutlet(acme())
  const { product } = (
    await acme().post('/products', { name: 'Teh', variants: [{ price: 5000, barcode: '8991234' }] })
  ).data
  const all = async () => {
    const answers = [
      await acme().get(`/outlets/${outletId}`),
      await acme().get(`/products/${product.id}`),
      await acme().get('/products/lookup?barcode=8991234'),
      await acme().patch(`/outlets/${outletId}`, { phone: '021' }),
    ]
    return answers.map(({ status, error }) => error?.message ?? status)
  }
  for (let run = 0; run < 3; run += 1) expect(await all()).toEqual([200, 200, 200, 200])
  await deps().pool.query('alter table outlets alter column tax_rate_bps type bigint')
  await deps().pool.query('alter table variants alter column name type varchar(300)')
  expect(await all()).toEqual([200, 200, 200, 200])
  await deps().pool.query('alter table variants alter column name type text')
  expect(await all()).toEqual([200, 200, 200, 200])
})

const COLUMNS = [
  'outlets.name',
  'products.name',
  'variants.name',
  'sales.number',
  'shifts.status',
  'customers.name',
]
let isLong = false
/** What a migration does to the plans of a running service: every statement that reads one of these has another result. */
async function changeColumns() {
  isLong = !isLong
  for (const column of COLUMNS) {
    const [table, name] = column.split('.')
    await deps().pool.query(
      `alter table ${table} alter column ${name} type ${isLong ? 'varchar(400)' : 'text'}`,
    )
  }
}

/** Writes of each kind, every one of which reads a row first. Nothing else runs between the migration and the write. */
const WRITES: Record<string, (shop: Shop, n: number) => Promise<unknown>> = {
  'a change of a record': async ({ outletId }, n) => {
    const { outlet } = done(await acme().patch(`/outlets/${outletId}`, { phone: `021${n}` }))
    expect(outlet.phone).toBe(`021${n}`)
  },
  'a change under an Idempotency-Key': async ({ outletId }, n) =>
    done(await acme().patch(`/outlets/${outletId}`, { phone: `022${n}` }, { idempotencyKey: `outlet-${n}` })),
  'a plain sale': async ({ outletId, latte }) =>
    saleOf(await acme().post('/sales', plainSale(outletId, latte))),
  'a sale to a customer': async ({ outletId, latte }, n) => {
    const customerId = await makeCustomer(acme(), { name: `Ani ${n}` })
    await changeColumns()
    saleOf(await acme().post('/sales', { ...plainSale(outletId, latte), customerId }))
  },
  'a payment on a bill': async ({ outletId, latte }) => {
    const items = [{ variantId: latte, quantity: 1 }]
    const bill = saleOf(await acme().post('/sales', { outletId, items, status: 'PARKED' }))
    await changeColumns()
    done(await acme().post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: bill.total }))
  },
}
const plainSale = (outletId: string, variantId: string) => ({
  outletId,
  items: [{ variantId, quantity: 1 }],
  payments: [{ method: 'CASH', amount: 100_000 }],
  status: 'COMPLETED',
})

test.each(Object.keys(WRITES))(
  '%s that is the first to meet a migration is retried, never 500',
  async (kind) => {
    const shop = await openShop(acme())
    const write = WRITES[kind]
    for (let n = 0; n < 4; n += 1) await write?.(shop, n)
    await changeColumns()
    await write?.(shop, 4)
  },
)
