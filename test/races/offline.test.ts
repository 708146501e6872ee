import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer, Api } from '../support/api.ts'
import { fresh, openShop, type Shop, stock } from '../support/build.ts'
import { cloneDatabase, type TestDatabase } from '../support/db.ts'
import { assertInvariants, saleOf } from '../support/expect.ts'
import { type FaultyProxy, faultyProxy } from '../support/faulty-proxy.ts'
import { levelOf } from '../support/read.ts'
import { type Harness, type Neighbour, startHarness } from '../support/service.ts'

const SLOW = 120_000
let database: TestDatabase
let proxy: FaultyProxy
let harness: Harness
let neighbour: Neighbour
let stop: () => Promise<void>
let shop: Shop

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
  neighbour = await harness.alongside()
  shop = await openShop(harness.acme)
  await stock(harness.acme, shop.outletId, shop.latte, 1_000)
}, SLOW)
afterAll(async () => {
  await assertInvariants(harness.deps.db)
  await neighbour.stop()
  await stop()
})

const bodyOf = (ref: string) => ({
  outletId: shop.outletId,
  items: [{ variantId: shop.latte, quantity: 1, unitPrice: 15_000 }],
  payments: [{ method: 'CASH', amount: 15_000 }],
  offline: { ref, soldAt: new Date().toISOString(), terms: {}, printedTotal: 15_000 },
})
const salesOf = async (ref: string) =>
  (await harness.deps.db.selectFrom('sales').select('id').where('offlineRef', '=', ref).execute()).length

test(
  'a connection that is cut after any statement of an offline sale leaves one sale once it is sent again',
  async () => {
    const { acme } = harness
    const level = (await levelOf(acme, shop.outletId, shop.latte)) ?? 0
    const lost: number[] = []
    let sold = 0
    // More than an offline sale sends, so that some pass uncut.
    for (let part = 1; part <= 24; part += 1) {
      const body = bodyOf(fresh('CUT'))
      proxy.loseAnswer(part)
      const answer = await acme.post('/sales', body)
      proxy.loseAnswer(null)
      if (answer.status === 503) lost.push(part)
      else expect(answer.status).toBe(201)
      const again = await acme.post('/sales', body)
      expect([200, 201]).toContain(again.status)
      expect(saleOf(again).offline.ref).toBe(body.offline.ref)
      expect(await salesOf(body.offline.ref)).toBe(1)
      sold += 1
      expect(await levelOf(acme, shop.outletId, shop.latte)).toBe(level - sold)
    }
    expect(lost.length).toBeGreaterThan(8)
  },
  SLOW,
)

test(
  'fifty sends of one reference to two processes are one sale, whose reference is free if it was refused',
  async () => {
    const { acme } = harness
    const callers: Api[] = [acme, neighbour.as(acme.workspace.key)]
    const body = bodyOf(fresh('TWO'))
    const wrong = { ...body, offline: { ...body.offline, printedTotal: 14_999 } }
    /** As a till does: what could not be served on a busy machine is sent again. */
    const ask = async (n: number, sent: object): Promise<Answer> => {
      const answer = await (callers[n % 2] as Api).post('/sales', sent)
      return answer.status === 503 ? ask(n, sent) : answer
    }
    const refused = await Promise.all(Array.from({ length: 6 }, (_, n) => ask(n, wrong)))
    expect(refused.map(({ error }) => error.code)).toEqual(refused.map(() => 'OFFLINE_TOTAL'))
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => ask(n, body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(49).fill(200), 201])
    expect(new Set(answers.map((answer) => saleOf(answer).id)).size).toBe(1)
    expect(await salesOf(body.offline.ref)).toBe(1)
  },
  SLOW,
)
