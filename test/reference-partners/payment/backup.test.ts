import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReferenceFulfillmentPartner } from '../../../reference-partners/src/fulfillment/index.ts'
import { startReferenceMarketingPartner } from '../../../reference-partners/src/marketing/index.ts'
import { startReferencePaymentPartner } from '../../../reference-partners/src/payment/index.ts'
import { makeLog } from '../../../src/platform/log/log.ts'
import { cloneDatabase, type TestDatabase } from '../../support/db.ts'
import { kasir } from '../../support/kasir.ts'
import { confirmed } from '../fulfillment/partner.ts'
import { clientOf, PLATFORM_KEY, paid, SECRET } from './partner.ts'

let database: TestDatabase
let room = ''
beforeAll(async () => {
  database = await cloneDatabase()
  room = await mkdtemp(path.join(tmpdir(), 'kasir-partner-backup-'))
})
afterAll(async () => {
  await database.drop()
  await rm(room, { recursive: true, force: true })
})

const options = () => ({
  databaseUrl: database.url,
  port: 0,
  platformKey: PLATFORM_KEY,
  webhookSecret: SECRET,
  noticeUrl: null,
  log: makeLog('fatal'),
})
const start = () => startReferencePaymentPartner(options())
/** The rows of every table of a partner, in an order of their own. */
async function rowsOf(schema: string): Promise<Record<string, unknown[]>> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select table_name as name from information_schema.tables where table_schema = $1 and table_name <> 'schema_migrations'`,
      [schema],
    )
    const all: Record<string, unknown[]> = {}
    for (const { name } of rows) {
      all[name] = (await client.query(`select to_jsonb(t) as row from ${schema}.${name} t order by 1`)).rows
    }
    return all
  } finally {
    await client.end()
  }
}

test('parcels, goods, codes and points of the other partners are in a backup of the installation, row by row', async () => {
  const file = path.join(room, 'others.tar.gz')
  const env = { DATABASE_URL: database.url, DATA_DIR: path.join(room, 'data'), ALLOW_UNSAFE_DATABASE: '1' }
  const partners = {
    reference_fulfillment: await startReferenceFulfillmentPartner(options()),
    reference_marketing: await startReferenceMarketingPartner(options()),
  }
  const opened = async (url: string) => {
    const { data } = await clientOf(url, PLATFORM_KEY).post('/v1/workspaces', {
      externalId: 'acc_1',
      name: 'Warung',
    })
    return clientOf(url, data.apiKey)
  }
  const goods = await opened(partners.reference_fulfillment.url)
  await confirmed(goods)
  const warehouse = { name: 'Gudang', address: 'Jl. Cikini 1', postalCode: '10330' }
  const { data } = await goods.post('/v1/warehouses', warehouse)
  await goods.post('/v1/inventory/adjust', { warehouseId: data.id, sku: 'KB', qtyDelta: 3 })
  const offers = await opened(partners.reference_marketing.url)
  await offers.post('/v1/discounts', { code: 'HEMAT10', kind: 'percent', value: 10 })
  await offers.put('/v1/redemptions/txn_1', { subtotal: 50_000, discountCode: 'HEMAT10' })
  for (const one of Object.values(partners)) await one.close()

  const before = await Promise.all(Object.keys(partners).map(rowsOf))
  const counts = before.map((tables) => Object.values(tables).filter((rows) => rows.length > 0).length)
  expect(counts.every((filled) => filled > 2)).toBe(true)
  expect((await kasir(['backup', file], env)).err).toBe('')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('delete from reference_marketing.redemptions')
  await client.query('update reference_fulfillment.warehouses set name = $1', ['another'])
  await client.end()
  const name = new URL(database.url).pathname.slice(1)
  expect(await kasir(['restore', file, '--replace', name], env)).toMatchObject({ code: 0, err: '' })
  expect(await Promise.all(Object.keys(partners).map(rowsOf))).toEqual(before)
})

test('the partner goes on where a backup of the installation was made', async () => {
  const file = path.join(room, 'books.tar.gz')
  const env = { DATABASE_URL: database.url, DATA_DIR: path.join(room, 'data'), ALLOW_UNSAFE_DATABASE: '1' }
  const va = { amount: 50_000, method: 'va' }
  const first = await start()
  const created = { externalId: 'acc_1', name: 'Warung' }
  const { data } = await clientOf(first.url, PLATFORM_KEY).post('/v1/workspaces', created)
  const before = clientOf(first.url, data.apiKey)
  const { vaNumber } = await paid(before, va)
  const { data: card } = await before.post('/v1/gift-cards', { amount: 10_000 })
  await before.post(`/v1/gift-cards/${card.id}/debit`, { amount: 1_000 })
  expect((await kasir(['backup', file], env)).err).toBe('')
  await paid(before, va)
  await first.close()
  const name = new URL(database.url).pathname.slice(1)
  expect(await kasir(['restore', file, '--replace', name], env)).toMatchObject({ code: 0, err: '' })

  const second = await start()
  const client = clientOf(second.url, data.apiKey)
  const balance = async () => (await client.get('/v1/payouts/balance')).data.balance
  expect(await balance()).toBe(46_000)
  const next = await paid(client, va)
  expect([next.status, BigInt(next.vaNumber) - BigInt(vaNumber)]).toEqual(['completed', 1n])
  expect(await balance()).toBe(92_000)
  const debited = await client.post(`/v1/gift-cards/${card.id}/debit`, { amount: 2_000 })
  expect([debited.status, debited.data.balance]).toEqual([200, 7_000])
  const { data: entries } = await client.get('/v1/ledger/entries')
  expect(entries.map(({ balanceAfter }: { balanceAfter: number }) => balanceAfter)).toEqual([
    92_000, 96_000, 46_000, 50_000,
  ])
  await second.close()
})
