import { afterAll, beforeAll, expect } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { expectBooks, queryRows } from './books.ts'
import { type FaultDatabase, startDatabase } from './database.ts'
import { fault, noteRecovery } from './fault.ts'
import { rounds } from './options.ts'
import { createService, type FaultyService } from './service.ts'
import { openFaultShop, openTills } from './tills.ts'

const FREEZES = rounds(2, 1)
/** Longer than the lease of a job (30 s); the short run outlasts that of an endpoint (11 s) and of a transaction (10 s). */
const FROZEN_MS = rounds(40_000, 14_000)
const MOST_RECOVERY_S = 30

let database: FaultDatabase
let receiver: Receiver
const services: FaultyService[] = []
beforeAll(async () => {
  database = await startDatabase()
  receiver = await startReceiver()
  const webhooks = { NODE_ENV: 'development', WEBHOOK_ALLOW_PRIVATE_URLS: '1', WEBHOOK_TIMEOUT: '1' }
  for (let n = 0; n < 2; n += 1) {
    const service = await createService({ env: { ...database.env, ...webhooks } })
    services.push(service)
    await service.start()
  }
})
afterAll(async () => {
  for (const service of services) {
    await service.stop()
    await service.remove()
  }
  receiver?.stop()
  await database?.stop()
})

fault(
  `SIGSTOP of one of two instances for ${FROZEN_MS / 1000} s: the other sells on, and what the first does when it wakes doubles nothing`,
  async ({ row, say }) => {
    const [first, second] = services as [FaultyService, FaultyService]
    const shop = await openFaultShop(first.address)
    const subscribed = await shop.call('/webhook-subscriptions', {
      url: receiver.url,
      events: ['service.sale.completed.v1'],
    })
    expect(subscribed.status, subscribed.message).toBe(201)
    const addresses = [first.address, second.address]
    const tills = openTills(shop, { addresses, name: 'frozen', answerMs: 2_000 })
    for (let freeze = 1; freeze <= FREEZES; freeze += 1) {
      await tills.acknowledged(40)
      const frozen = freeze % 2 === 1 ? first : second
      const frozenMs = performance.now()
      frozen.signal('SIGSTOP')
      noteRecovery(row, await tills.recoveredS(frozenMs))
      await expect
        .poll(() => performance.now() - frozenMs, { timeout: FROZEN_MS + 10_000, interval: 200 })
        .toBeGreaterThan(FROZEN_MS)
      const before = tills.ledger.acknowledgements.length
      await expect.poll(() => tills.ledger.acknowledgements.length).toBeGreaterThan(before + 5)
      frozen.signal('SIGCONT')
      await tills.acknowledged(40)
      row.rounds = freeze
      say(`freeze ${freeze}: the other instance sold after ${row.worstRecoveryS?.toFixed(1)} s at most`)
    }
    await tills.close()
    expect(services.map((service) => service.isRunning())).toEqual([true, true])
    await expectBooks(database.url, shop, tills, row)
    await expectDeliveries(tills.ledger.sales.size)
    expect(row.worstRecoveryS).toBeLessThan(MOST_RECOVERY_S)
  },
)

/** Each completed sale is one delivery, and each has arrived under the id of its event. */
async function expectDeliveries(sales: number) {
  const pending = `select count(*)::int as count from webhook_deliveries where status <> 'succeeded'`
  const countOf = async (text: string) => (await queryRows<{ count: number }>(database.url, text))[0]?.count
  await expect.poll(() => countOf(pending), { timeout: 120_000, interval: 200 }).toBe(0)
  expect(await countOf('select count(*)::int as count from webhook_deliveries')).toBe(sales)
  const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  expect(arrived.size).toBe(sales)
}
