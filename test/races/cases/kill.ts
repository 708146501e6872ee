import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunning } from '../../../src/platform/db/embedded.ts'
import { brokenInvariants } from '../../../src/platform/db/invariants.ts'
import { openDb } from '../../../src/platform/db/open.ts'
import { type OwnService, ownService } from '../../support/service.ts'
import { newLedger, OPENING_STOCK, openShopAt, type Shop, sellAtTill } from '../../support/tills.ts'

const TILLS = 6
const SALES_BETWEEN_KILLS = 12

let service: OwnService

async function until(condition: () => boolean) {
  while (!condition()) await sleep(10)
}

/** Few enough that the answer fits the 8 kB that PostgreSQL holds back: a longer one is lost with its reader, and undone. */
const TOGETHER = 3
/** The text of the statement that sales share; nothing else counts rows of its parameters. */
const SHARED = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like 'with asked%with ordinality%'`
/** The text of a statement that has one sale to itself. */
const ALONE = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like 'with asked%' and query not like '%with ordinality%'`
const RUNNING = `select count(*)::int as n from pg_stat_activity where state = 'active' and query like 'with asked%'`

/** Whose commit comes when nobody listens any more, or never comes. */
const FATES = [
  { killed: 'service', isCommitted: true },
  { killed: 'both', isCommitted: false },
] as const

/** Kills the service while several sales wait in one statement for a row that the test holds. Returns how many were made. */
async function killInShared(shop: Shop, { killed, isCommitted }: (typeof FATES)[number]) {
  const connectionString = (await findRunning(service.dataDir)) ?? ''
  // What a session sees of the others stays as it is until its transaction ends.
  const [holder, watcher] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })]
  for (const client of [holder, watcher]) {
    // One of the two deaths takes these sessions along.
    client.on('error', () => {})
    await client.connect()
  }
  const count = async (text: string) => Number((await watcher.query<{ n: number }>(text)).rows[0]?.n)
  const body = {
    outletId: shop.outletId,
    items: [{ variantId: shop.variants[0], quantity: 1 }],
    status: 'COMPLETED',
  }
  let sent = 0
  const sell = (n: number) =>
    shop.call('/sales', body, { 'idempotency-key': `shared-${killed}-${n}` }).catch(() => null)
  const sellTogether = () =>
    Array.from({ length: TOGETHER }, () => {
      sent += 1
      return sell(sent)
    })
  // From here on the goods are known.
  expect((await sell(0))?.status).toBe(201)
  const stored = () => count('select count(*)::int as n from sales')
  /** Resolves to false if the first sale went before the others had arrived, as happens on a busy machine. */
  const wentTogether = async () => {
    const waiting = async () => [(await count(SHARED)) > 0, (await count(ALONE)) > 0]
    await expect.poll(waiting, { interval: 5 }).toContain(true)
    return (await count(SHARED)) > 0
  }
  let unheard: ReturnType<typeof sellTogether>
  let before: number
  for (;;) {
    before = await stored()
    await holder.query('begin')
    await holder.query('select from stock_levels for update')
    unheard = sellTogether()
    if (await wentTogether()) break
    await holder.query('rollback')
    await Promise.all(unheard)
  }
  await service.kill(killed)
  expect(await Promise.all(unheard)).toEqual(unheard.map(() => null))
  if (isCommitted) {
    await holder.query('rollback')
    await expect.poll(() => count(RUNNING)).toBe(0)
    // More than one: a statement that is shared was carried out whole.
    expect((await stored()) - before).toBeGreaterThan(1)
  }
  await Promise.allSettled([holder.end(), watcher.end()])
  await service.start()
  const told = await Promise.all(Array.from({ length: sent + 1 }, (_, n) => sell(n)))
  expect(told.map((answer) => answer?.status)).toEqual(told.map(() => 201))
  expect(new Set(told.map((answer) => answer?.data.sale.id)).size).toBe(sent + 1)
  return sent + 1
}

/** `env` is of the service; `isShared` where plain sales travel together. */
export function killTills({
  env = {},
  kills,
  isShared = false,
}: {
  env?: Record<string, string>
  kills: number
  isShared?: boolean
}) {
  let shop: Shop
  beforeAll(async () => {
    service = await ownService(env)
    await service.start()
    shop = await openShopAt(service.address)
  }, 120_000)
  afterAll(() => service.end(), 60_000)

  test(`${kills} kills under load lose no acknowledged sale or payment, and every key comes to exactly one of them`, async () => {
    const ledger = newLedger()
    const tills = Array.from({ length: TILLS }, (_, index) => sellAtTill(`till-${index}`, shop, ledger))
    for (let kill = 1; kill <= kills; kill += 1) {
      const before = ledger.acknowledged.size
      await until(() => ledger.acknowledged.size >= before + SALES_BETWEEN_KILLS)
      await service.kill(kill % 2 === 0 ? 'both' : 'service')
      await service.start()
    }
    ledger.stopped = true
    await Promise.all(tills)

    const url = (await findRunning(service.dataDir)) ?? ''
    const { db, close } = openDb({ url, poolSize: 2 })
    const rows = await db.selectFrom('sales').select(['id', 'status']).execute()
    const payments = await db.selectFrom('payments').select(['saleId', 'amount']).execute()
    const levels = await db.selectFrom('stockLevels').select('quantity').execute()
    const broken = await brokenInvariants(db)
    await close()

    const acknowledged = [...ledger.acknowledged.values()]
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills * SALES_BETWEEN_KILLS)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    expect(rows.map(({ id }) => id).sort()).toEqual([...acknowledged].sort())
    const completed = rows.filter(({ status }) => status === 'COMPLETED').length
    expect(levels.map(({ quantity }) => quantity)).toEqual(shop.variants.map(() => OPENING_STOCK - completed))
    const paidAmounts = (id: string) =>
      payments.flatMap(({ saleId, amount }) => (saleId === id ? [amount] : [])).toSorted((a, b) => a - b)
    const statusOf = new Map(rows.map(({ id, status }) => [id, status]))
    expect(ledger.paid.size).toBeGreaterThan(kills)
    for (const id of ledger.paid)
      expect([statusOf.get(id), paidAmounts(id)]).toEqual(['COMPLETED', [10_000, 23_300]])
    expect(broken).toEqual([])
  }, 300_000)

  test.runIf(isShared)(
    'a kill inside a statement that sales share: each of its keys comes to exactly one sale, whether it was committed or not',
    async () => {
      const counted = async () => {
        const { db, close } = openDb({ url: (await findRunning(service.dataDir)) ?? '', poolSize: 2 })
        const rows = await db.selectFrom('sales').select('id').execute()
        const level = await db
          .selectFrom('stockLevels')
          .select('quantity')
          .where('variantId', '=', shop.variants[0] ?? '')
          .executeTakeFirstOrThrow()
        const broken = await brokenInvariants(db)
        await close()
        return { sales: rows.length, left: level.quantity, broken }
      }
      const before = await counted()
      let made = 0
      for (const fate of FATES) made += await killInShared(shop, fate)
      expect(await counted()).toEqual({ sales: before.sales + made, left: before.left - made, broken: [] })
    },
    120_000,
  )
}
