import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLog } from '../../../src/platform/log.ts'
import { startReferencePaymentPartner } from '../../../src/reference-partners/payment/index.ts'
import { cloneDatabase, type TestDatabase } from '../../support/db.ts'
import { kasir } from '../../support/kasir.ts'
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

const start = () =>
  startReferencePaymentPartner({
    databaseUrl: database.url,
    port: 0,
    platformKey: PLATFORM_KEY,
    webhookSecret: SECRET,
    noticeUrl: null,
    log: makeLog('fatal'),
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
