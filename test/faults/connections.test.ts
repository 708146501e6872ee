import { afterAll, beforeAll, expect } from 'vitest'
import { type FaultyProxy, faultyProxy } from '../support/faulty-proxy.ts'
import { expectBooks } from './books.ts'
import { type FaultDatabase, startDatabase } from './database.ts'
import { fault, noteRecovery } from './fault.ts'
import { drawFor, rounds } from './options.ts'
import { createService, type FaultyService } from './service.ts'
import { openFaultShop, openTills } from './tills.ts'

const CUTS = rounds(300, 12)
const COMMITS = rounds(150, 9)
const SILENCES = rounds(3, 1)
const MOST_RECOVERY_S = 30

let database: FaultDatabase
let proxy: FaultyProxy
let service: FaultyService
beforeAll(async () => {
  database = await startDatabase()
  proxy = await faultyProxy(database.url)
  service = await createService({ env: { ...database.env, DATABASE_URL: proxy.url } })
  await service.start()
})
afterAll(async () => {
  await service?.stop()
  await service?.remove()
  proxy?.close()
  await database?.stop()
})

/** Every fault gets its own workspace, so that its books are counted alone. */
const openShopFor = (name: string) => openFaultShop(service.address, `${name}@example.com`)

fault(
  `connections to the database cut at a random byte: ${CUTS} cuts lose and double nothing`,
  async ({ row }) => {
    const shop = await openShopFor('cuts')
    const draw = drawFor('cuts')
    const tills = openTills(shop, { addresses: [service.address], name: 'cuts' })
    await tills.acknowledged(20)
    for (let cut = 1; cut <= CUTS; cut += 1) {
      const before = proxy.cuts()
      // Up to a few sales further on: in a statement, in its answer, or between two of them.
      proxy.cutBehind(draw.between(0, 20_000))
      await expect.poll(() => proxy.cuts()).toBe(before + 1)
      noteRecovery(row, await tills.recoveredS(performance.now()))
      row.rounds = cut
    }
    await tills.close()
    await expectBooks(database.url, shop, tills, row)
    expect(row.worstRecoveryS).toBeLessThan(MOST_RECOVERY_S)
    row.remark = `${tills.ledger.replays} replays`
  },
)

/** Texts by which the statements are recognised that make a sale or a payment durable. */
const COMMITTING = ['commit', 'sale_insert', 'sales_write'] as const

fault(
  `connections cut after a commit was sent: ${COMMITS} cuts before and behind the answer lose and double nothing`,
  async ({ row }) => {
    const shop = await openShopFor('commits')
    const draw = drawFor('commits')
    const tills = openTills(shop, { addresses: [service.address], name: 'commits' })
    await tills.acknowledged(20)
    for (let cut = 1; cut <= COMMITS; cut += 1) {
      const before = proxy.cuts()
      proxy.on(draw.one(COMMITTING), draw.one(['cut once sent', 'swallow answer'] as const))
      await expect.poll(() => proxy.cuts()).toBeGreaterThan(before)
      proxy.on(null)
      noteRecovery(row, await tills.recoveredS(performance.now()))
      row.rounds = cut
    }
    await tills.close()
    await expectBooks(database.url, shop, tills, row)
    expect(row.worstRecoveryS).toBeLessThan(MOST_RECOVERY_S)
    row.remark = `${tills.ledger.replays} replays`
  },
)

fault(
  `a database that falls silent: ${SILENCES} times health says so within seconds, and sales resume without a restart`,
  async ({ row, say }) => {
    const shop = await openShopFor('silence')
    const tills = openTills(shop, { addresses: [service.address], name: 'silence' })
    for (let silence = 1; silence <= SILENCES; silence += 1) {
      await tills.acknowledged(20)
      const silentMs = performance.now()
      proxy.silence(true)
      await expect.poll(() => healthCode(), { timeout: 10_000 }).toBe(503)
      expect(performance.now() - silentMs, 'health notices').toBeLessThan(10_000)
      const before = refusalsOf(tills.ledger.unavailable)
      await expect.poll(() => refusalsOf(tills.ledger.unavailable)).toBeGreaterThan(before + 4)
      proxy.silence(false)
      const recovered = await tills.recoveredS(performance.now())
      noteRecovery(row, recovered)
      say(`silence ${silence}: the next sale ${recovered.toFixed(1)} s after its end`)
      await expect.poll(() => healthCode()).toBe(200)
      row.rounds = silence
    }
    await tills.close()
    await expectBooks(database.url, shop, tills, row)
    expect(row.worstRecoveryS).toBeLessThan(MOST_RECOVERY_S)
  },
)

const refusalsOf = (unavailable: Map<string, number>) =>
  [...unavailable.values()].reduce((sum, count) => sum + count, 0)

const healthCode = () =>
  fetch(`${service.address()}/api/v1/health`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => 0,
  )
