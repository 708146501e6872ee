import { beforeAll, expect, test } from 'vitest'
import { runWrite } from '../../../src/platform/http/idempotency.ts'
import type { Answer, Api } from '../../support/api.ts'
import { openShop, type Shop, stock } from '../../support/build.ts'
import { scopeOf } from '../../support/clients.ts'
import { assertStockInvariants, expectNoDeadlocks } from '../../support/expect.ts'
import { levelOf, waiting } from '../../support/read.ts'
import { acme, alongside, deps, useService, workspace } from '../../support/service.ts'

const tally = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const openBill = async (api: Api, at: Shop, quantity = 2): Promise<string> =>
  (await api.post('/sales', { outletId: at.outletId, items: [{ variantId: at.latte, quantity }] })).data.sale
    .id

const completions = (saleId: string) =>
  deps()
    .db.selectFrom('events')
    .select('id')
    .where('refId', '=', saleId)
    .where('type', '=', 'service.sale.completed.v1')
    .execute()

/** Runs two rivals against fresh sales; each time exactly one may win. */
async function duel(
  rounds: number,
  prepare: () => Promise<string>,
  rivals: (id: string) => Promise<Answer>[],
): Promise<Answer[][]> {
  const all: Answer[][] = []
  for (let start = 0; start < rounds; start += 10) {
    const batch = await times(Math.min(10, rounds - start), async () => Promise.all(rivals(await prepare())))
    all.push(...batch)
  }
  for (const answers of all)
    expect(tally(answers), answers.map((answer) => answer.text).join('\n')).toEqual({ 200: 1, 409: 1 })
  return all
}

/** `env` is of the service; `rounds` is how often two rivals meet over one sale. */
export function raceSales({ env = {}, rounds }: { env?: Record<string, string>; rounds: number }) {
  useService({ env: { DATABASE_POOL_SIZE: '16', ...env } })
  expectNoDeadlocks(deps)

  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(acme())
  })

  test('50 cashiers pay one bill in full at once: it completes once, with one payment and one deduction', async () => {
    await stock(acme(), shop.outletId, shop.latte, 100)
    const before = (await levelOf(acme(), shop.outletId, shop.latte)) ?? 0
    const id = await openBill(acme(), shop)
    const answers = await times(50, () =>
      acme().post(`/sales/${id}/payments`, { method: 'CASH', amount: 30_000 }),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 49 })
    const { data } = await acme().get(`/sales/${id}`)
    expect(data.sale).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000, changeTotal: 0 })
    expect(data.sale.payments).toHaveLength(1)
    expect(await levelOf(acme(), shop.outletId, shop.latte)).toBe(before - 2)
    expect(await completions(id)).toHaveLength(1)
  })

  test('50 cashiers pay one bill in small parts at once: the parts add up to the total and never beyond', async () => {
    const id = await openBill(acme(), shop)
    const answers = await times(50, () =>
      acme().post(`/sales/${id}/payments`, { method: 'QRIS', amount: 2_000 }),
    )
    expect(tally(answers)).toEqual({ 200: 15, 409: 35 })
    const { data } = await acme().get(`/sales/${id}`)
    expect(data.sale).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000 })
    expect(await completions(id)).toHaveLength(1)
  })

  test('a key whose request is still running refuses its twins of every kind and keeps nobody else waiting', async () => {
    const [api, key] = [acme(), 'slow-key']
    let giveUp = () => {}
    const stopped = new Promise<never>((_, fail) => {
      giveUp = () => fail(new Error('given up'))
    })
    const idem = { key, fingerprint: 'of another request', earlier: () => [] }
    let hold = () => {}
    const held = new Promise<void>((resolve) => {
      hold = resolve
    })
    const running = runWrite(deps(), scopeOf(api), idem, () => {
      hold()
      return stopped
    })
    const ended = running.catch((error: Error) => error.message)
    await held
    const sale = {
      outletId: shop.outletId,
      items: [{ variantId: shop.latte, quantity: 1 }],
      status: 'COMPLETED',
    }
    let over = false
    const twins = Promise.all([
      api.post('/sales', sale, { idempotencyKey: key }),
      api.post('/sales', { ...sale, status: 'PARKED' }, { idempotencyKey: key }),
      api.post(
        '/inventory/adjust',
        { outletId: shop.outletId, variantId: shop.latte, qtyDelta: 1 },
        { idempotencyKey: key },
      ),
    ]).finally(() => {
      over = true
    })
    await expect.poll(waiting).toBe(3)
    expect((await api.post('/sales', sale, { idempotencyKey: 'quick-key' })).status).toBe(201)
    expect(over).toBe(false)
    for (const twin of await twins) {
      const said = [twin.status, twin.error?.code, twin.headers.get('retry-after')]
      expect(said).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE', '1'])
    }
    giveUp()
    expect(await ended).toBe('given up')
    expect((await api.post('/sales', sale, { idempotencyKey: key })).status).toBe(201)
  })

  test('50 sends of one Idempotency-Key make one sale and 50 equal answers', async () => {
    const api = await workspace('Retry')
    const at = await openShop(api)
    await stock(api, at.outletId, at.latte, 10)
    const body = { outletId: at.outletId, items: [{ variantId: at.latte, quantity: 1 }], status: 'COMPLETED' }
    const answers = await times(50, () => api.post('/sales', body, { idempotencyKey: 'one-key' }))
    expect(tally(answers)).toEqual({ 201: 50 })
    expect(new Set(answers.map((answer) => JSON.stringify(answer.data))).size).toBe(1)
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect(await levelOf(api, at.outletId, at.latte)).toBe(9)
    expect((await api.get(`/sales?outletId=${at.outletId}`)).data).toHaveLength(1)
  })

  test('50 sends of one key with two bodies: one body wins whole, the other is refused', async () => {
    const body = (note: string) => ({
      outletId: shop.outletId,
      items: [{ variantId: shop.bag, quantity: 1 }],
      status: 'COMPLETED',
      note,
    })
    const answers = await times(50, (index) =>
      acme().post('/sales', body(index % 2 ? 'a' : 'b'), { idempotencyKey: 'two-bodies' }),
    )
    const won = answers.filter((answer) => answer.status === 201)
    expect(new Set(won.map((answer) => answer.data.sale.id)).size).toBe(1)
    expect(
      answers
        .filter((answer) => answer.status !== 201)
        .every((answer) => answer.error.code === 'IDEMPOTENCY_KEY_IN_USE'),
    ).toBe(true)
  })

  test('64 tills selling (a, b) and (b, a) never deadlock, and every unit is counted', async () => {
    const api = await workspace('Crossed')
    const at = await openShop(api)
    await stock(api, at.outletId, at.latte, 1_000)
    await stock(api, at.outletId, at.cake, 1_000)
    const pair = [
      { variantId: at.latte, quantity: 1 },
      { variantId: at.cake, quantity: 1 },
    ]
    const answers = await times(64, (index) =>
      api.post('/sales', {
        outletId: at.outletId,
        items: index % 2 ? pair : pair.toReversed(),
        status: 'COMPLETED',
      }),
    )
    expect(tally(answers)).toEqual({ 201: 64 })
    expect(await levelOf(api, at.outletId, at.latte)).toBe(936)
    expect(await levelOf(api, at.outletId, at.cake)).toBe(936)
    expect(new Set(answers.map((answer) => answer.data.sale.number)).size).toBe(64)
    await assertStockInvariants(deps().db)
  })

  test('60 tills sell the last 20 units under BLOCK: exactly 20 are sold', async () => {
    const api = await workspace('Scarce')
    const at = await openShop(api)
    await api.put('/settings', { negativeStock: 'BLOCK' })
    await stock(api, at.outletId, at.cake, 20)
    const answers = await times(60, () =>
      api.post('/sales', {
        outletId: at.outletId,
        items: [{ variantId: at.cake, quantity: 1 }],
        status: 'COMPLETED',
      }),
    )
    expect(tally(answers)).toEqual({ 201: 20, 422: 40 })
    expect(answers.find((answer) => answer.status === 422)?.error.param).toBe('items[0].quantity')
    expect(await levelOf(api, at.outletId, at.cake)).toBe(0)
    await assertStockInvariants(deps().db)
  })

  test(`settle against discard, ${rounds} times: one wins`, async () => {
    await duel(
      rounds,
      () => openBill(acme(), shop, 1),
      (id) => [
        acme().post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 15_000 }] }),
        acme().post(`/sales/${id}/discard`),
      ],
    )
  }, 120_000)

  test(`void against refund, ${rounds} times: one wins, and the stock comes back once at most`, async () => {
    const api = await workspace('Void')
    const at = await openShop(api)
    await stock(api, at.outletId, at.latte, rounds)
    const body = { outletId: at.outletId, items: [{ variantId: at.latte, quantity: 1 }], status: 'COMPLETED' }
    await duel(
      rounds,
      async () => (await api.post('/sales', body)).data.sale.id,
      (id) => [api.post(`/sales/${id}/void`), api.post(`/sales/${id}/refund`, { restock: true })],
    )
    expect(await levelOf(api, at.outletId, at.latte)).toBe(rounds)
    await assertStockInvariants(deps().db)
  }, 120_000)

  test(`two cashiers refund one line at once, ${rounds / 2} times: it is refunded once`, async () => {
    const api = await workspace('Refund')
    const at = await openShop(api)
    const body = {
      outletId: at.outletId,
      items: [
        { variantId: at.latte, quantity: 1 },
        { variantId: at.bag, quantity: 1 },
      ],
      status: 'COMPLETED',
    }
    for (let start = 0; start < rounds / 2; start += 10) {
      await times(10, async () => {
        const { sale } = (await api.post('/sales', body)).data
        const line = { lines: [{ transactionItemId: sale.items[0].id, qty: 1 }] }
        const answers = await Promise.all([
          api.post(`/sales/${sale.id}/refund`, line),
          api.post(`/sales/${sale.id}/refund`, line),
        ])
        expect(tally(answers)).toEqual({ 200: 1, 422: 1 })
        expect((await api.get(`/sales/${sale.id}`)).data.sale.refundedTotal).toBe(15_000)
      })
    }
  }, 120_000)

  test('two merges of one pair in both directions leave one open bill with everything on it', async () => {
    const [a, b] = [await openBill(acme(), shop, 1), await openBill(acme(), shop, 2)]
    const answers = await Promise.all([
      acme().post(`/sales/${a}/merge`, { saleId: b }),
      acme().post(`/sales/${b}/merge`, { saleId: a }),
    ])
    expect(tally(answers)).toEqual({ 200: 1, 409: 1 })
    const bills = await Promise.all([a, b].map(async (id) => (await acme().get(`/sales/${id}`)).data.sale))
    expect(bills.map((bill) => bill.total).toSorted((x, y) => x - y)).toEqual([0, 45_000])
  })

  test('a sale and the close of its shift: it lands in the shift before the close, or in none', async () => {
    const api = await workspace('Drawer')
    const at = await openShop(api)
    for (let round = 0; round < 20; round += 1) {
      const { shift } = (await api.post('/shifts/open', { outletId: at.outletId, openingFloat: 0 })).data
      const sell = () =>
        api.post('/sales', {
          outletId: at.outletId,
          items: [{ variantId: at.bag, quantity: 1 }],
          status: 'COMPLETED',
        })
      const [closed, ...sold] = await Promise.all([
        api.post(`/shifts/${shift.id}/close`, { countedCash: 0 }),
        sell(),
        sell(),
        sell(),
      ])
      expect(closed.status, closed.text).toBe(200)
      expect(tally(sold)).toEqual({ 201: 3 })
      const booked = sold.filter((answer) => answer.data.sale.payments[0].shiftId === shift.id).length
      expect(closed.data.shift.expectedCash).toBe(booked * 500)
    }
  }, 60_000)

  test('a payment under an API key that was revoked elsewhere is refused, of a bill that nobody knows as well', async () => {
    const { key, apiKey } = (await acme().post('/api-keys', { name: 'Till 9' })).data
    const id = await openBill(acme(), shop)
    const other = await alongside()
    try {
      const till = other.as(key)
      const pay = (saleId: string) =>
        till.post(`/sales/${saleId}/payments`, { method: 'CASH', amount: 1_000 })
      expect((await pay(id)).status).toBe(200)
      expect((await acme().delete(`/api-keys/${apiKey.id}`)).status).toBe(200)
      const answers = [
        await pay(id),
        await pay('txn_01J0000000000000000000000A'),
        await till.post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 29_000 }] }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    } finally {
      await other.stop()
    }
  })
}
