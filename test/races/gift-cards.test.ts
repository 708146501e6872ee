import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockGiftCards } from '../../src/areas/selling/gift-cards/index.ts'
import { inTx } from '../../src/platform/db/open.ts'
import { makeOutlet, openShop } from '../support/build.ts'
import { scopeOf } from '../support/clients.ts'
import { assertLedgerInvariants, expectNoDeadlocks } from '../support/expect.ts'
import { insertSale, payWithCard } from '../support/rows.ts'
import { acme, deps, useService } from '../support/service.ts'

useService({ synthetic: true })
expectNoDeadlocks(deps)
afterAll(() => assertLedgerInvariants(deps().db))

const issue = async (amount: number) => (await acme().post('/gift-cards', { amount })).data.giftCard

let saleId: string
beforeAll(async () => {
  saleId = (await insertSale(deps(), acme(), { outletId: await makeOutlet(acme()) })).id
})

const payWith = (codes: string[], amount: number) =>
  inTx(deps().db, async (tx) => {
    const scope = scopeOf(acme())
    await lockGiftCards(tx, scope, codes)
    for (const code of codes) await payWithCard(tx, scope, saleId, { code, amount, param: 'reference' })
    return true
  }).catch((error: { status: number }) => error.status)

test('a card spent at 50 tills at once pays exactly what it holds', async () => {
  const card = await issue(70_000)
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => payWith([card.code], 10_000)))
  expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(7)
  expect(outcomes.filter((outcome) => outcome === 422)).toHaveLength(43)
  const { giftCard } = (await acme().get(`/gift-cards/${card.code}`)).data
  expect(giftCard).toMatchObject({ balance: 0, status: 'REDEEMED' })
  expect(giftCard.entries).toHaveLength(8)
})

test('two cards named in opposite order never wait for each other', async () => {
  const [a, b] = [await issue(100_000), await issue(100_000)]
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, n) => payWith(n % 2 ? [a.code, b.code] : [b.code, a.code], 2_500)),
  )
  expect(outcomes).toEqual(Array(40).fill(true))
})

test('a void against payments writes off exactly what they left', async () => {
  for (let round = 0; round < 10; round += 1) {
    const card = await issue(100_000)
    const [gone, ...outcomes] = await Promise.all([
      acme().post(`/gift-cards/${card.id}/void`),
      ...Array.from({ length: 5 }, () => payWith([card.code], 10_000)),
    ])
    const paid = outcomes.filter((outcome) => outcome === true).length
    expect([gone.status, gone.data.writtenOff]).toEqual([200, 100_000 - paid * 10_000])
  }
})

test('one code asked for at 20 desks at once is issued once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => acme().post('/gift-cards', { amount: 5_000, code: 'LEBARAN-1' })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(19).fill(409)])
})

test('tills that take the same two cards in opposite order never wait for each other in a circle', async () => {
  const { outletId, bag } = await openShop(acme())
  const codes = [(await issue(50_000)).code, (await issue(50_000)).code]
  for (let round = 0; round < 4; round += 1) {
    const sold = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        acme().post('/sales', {
          outletId,
          items: [{ variantId: bag, quantity: 1 }],
          payments: (n % 2 ? codes : codes.toReversed()).map((reference) => ({
            method: 'GIFT_CARD',
            amount: 250,
            reference,
          })),
        }),
      ),
    )
    expect(sold.map(({ status }) => status)).toEqual(Array(12).fill(201))
  }
})

test('refunds and voids of sales that the same two cards paid never wait for each other in a circle', async () => {
  const { outletId, bag } = await openShop(acme())
  for (let round = 0; round < 10; round += 1) {
    const codes = [(await issue(1_000)).code, (await issue(1_000)).code]
    const sales = []
    for (const order of [codes, codes.toReversed(), codes, codes.toReversed()]) {
      const payments = order.map((reference) => ({ method: 'GIFT_CARD', amount: 250, reference }))
      const sold = await acme().post('/sales', {
        outletId,
        items: [{ variantId: bag, quantity: 1 }],
        payments,
      })
      expect(sold.status, sold.text).toBe(201)
      sales.push(sold.data.sale.id)
    }
    const [a, b, c, d] = sales
    const answers = await Promise.all([
      acme().post(`/sales/${a}/refund`, {}),
      acme().post(`/sales/${b}/void`, {}),
      acme().post(`/sales/${c}/void`, {}),
      acme().post(`/sales/${d}/refund`, {}),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const code of codes)
      expect((await acme().get(`/gift-cards/${code}`)).data.giftCard.balance).toBe(1_000)
  }
})

test('60 guesses sent at once learn about 20 codes at most', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => acme().get(`/gift-cards/GUESS-${n}`)),
  )
  const told = answers.filter(({ status }) => status === 404).length
  expect(told).toBeLessThanOrEqual(20)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - told)
})
