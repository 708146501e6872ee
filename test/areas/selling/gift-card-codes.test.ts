import { expect, test } from 'vitest'
import type { Api } from '../../support/api.ts'
import { openShop } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { as, useService, workspace } from '../../support/service.ts'

useService()

const CODE = 'KOPI-SUSU-2026-ABCD'

async function shopWithCards() {
  const owner = await workspace()
  const shop = await openShop(owner)
  const { customer } = (await owner.post('/customers', { name: 'Ani' })).data
  const issued = await owner.post('/gift-cards', { amount: 90_000, code: CODE, customerId: customer.id })
  expect([issued.status, issued.data.giftCard.code]).toEqual([201, CODE])
  const { key } = (await owner.post('/api-keys', { name: 'Books', readOnly: true })).data
  const people: Record<string, Api> = {
    key: owner,
    owner: (await memberOf(owner, 'OWNER')).api,
    manager: (await memberOf(owner, 'MANAGER')).api,
    cashier: (await memberOf(owner, 'CASHIER')).api,
    readOnlyKey: as(key),
  }
  return { owner, shop, customerId: customer.id, people }
}

test.each([
  ['key', CODE],
  ['owner', CODE],
  ['manager', CODE],
  ['cashier', '****ABCD'],
  ['readOnlyKey', '****ABCD'],
])('a list shows the %s the code as %s', async (who, code) => {
  const { people, customerId } = await shopWithCards()
  const api = people[who] as Api
  for (const path of ['/gift-cards', `/gift-cards?customerId=${customerId}`, '/gift-cards?status=ACTIVE']) {
    const list = await api.get(path)
    expect([path, list.status, list.data.map((card: { code: string }) => card.code)]).toEqual([
      path,
      200,
      [code],
    ])
  }
})

test('naming a card by its code shows it whole, and a masked code names no card', async () => {
  const { people } = await shopWithCards()
  for (const who of ['cashier', 'readOnlyKey']) {
    const api = people[who] as Api
    expect((await api.get(`/gift-cards/${CODE.toLowerCase()}`)).data.giftCard.code).toBe(CODE)
    expect((await api.get('/gift-cards/****ABCD')).status).toBe(404)
  }
})

test('no answer that a cashier can read shows the code of a card, but for the refund that made it', async () => {
  const { people, shop, customerId } = await shopWithCards()
  const cashier = people['cashier'] as Api
  const sale = {
    outletId: shop.outletId,
    customerId,
    items: [{ variantId: shop.latte, quantity: 2 }],
    payments: [{ method: 'GIFT_CARD', amount: 30_000, reference: CODE }],
  }
  const options = { idempotencyKey: 'pay-by-card' }
  const sold = await cashier.post('/sales', sale, options)
  expect(sold.status).toBe(201)
  const saleId = sold.data.sale.id
  const back = { lines: [{ transactionItemId: sold.data.sale.items[0].id, qty: 1 }] }
  const refunded = await cashier.post(`/sales/${saleId}/refund`, { ...back, refundToStoreCredit: true })
  const { code } = refunded.data.giftCard
  expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
  const told = [
    sold,
    await cashier.post('/sales', sale, options),
    await cashier.post(`/sales/${saleId}/refund`, back),
    ...(await Promise.all(
      [
        '/gift-cards',
        '/sales',
        `/sales/${saleId}`,
        `/sales/${saleId}/receipt`,
        '/customers',
        `/customers/${customerId}`,
        `/customers/${customerId}/loyalty`,
      ].map((path) => cashier.get(path)),
    )),
  ]
  for (const answer of told) {
    expect(answer.status).toBeLessThan(300)
    for (const secret of [CODE, CODE.replaceAll('-', ''), code, code.replaceAll('-', '')]) {
      expect(answer.text).not.toContain(secret)
    }
  }
  const codes = (await cashier.get('/gift-cards')).data.map((card: { code: string }) => card.code)
  expect(codes).toEqual([`****${code.slice(-4)}`, '****ABCD'])
})

test('a replay of a refund shows the code of the store credit to its first caller alone', async () => {
  const { people, shop } = await shopWithCards()
  const {
    cashier,
    key,
    readOnlyKey: _,
    ...others
  } = people as Record<string, Api> & { cashier: Api; key: Api }
  const other = (await memberOf(key, 'CASHIER', 'other')).api
  const sold = await cashier.post('/sales', {
    outletId: shop.outletId,
    items: [{ variantId: shop.latte, quantity: 2 }],
    status: 'COMPLETED',
  })
  const refund = (api: Api) =>
    api.post(
      `/sales/${sold.data.sale.id}/refund`,
      { refundToStoreCredit: true },
      { idempotencyKey: 'refund-to-credit' },
    )
  const first = await refund(cashier)
  const { giftCard } = first.data
  for (const api of [other, key, ...Object.values(others)]) {
    const replay = await refund(api)
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(replay.data).toEqual({
      ...first.data,
      giftCard: { ...giftCard, code: `****${giftCard.code.slice(-4)}` },
    })
  }
  expect((await refund(cashier)).data).toEqual(first.data)
})
