import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startReferenceMarketingPartner } from '../../../reference-partners/src/marketing/index.ts'
import { settlePromotions } from '../../../src/areas/selling/promotions/worker.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { makeLog } from '../../../src/platform/log/log.ts'
import type { Api } from '../../support/api.ts'
import { fresh, makeCustomer, makeOutlet, makeVariant } from '../../support/build.ts'
import { cloneDatabase } from '../../support/db.ts'
import { done, saleOf } from '../../support/expect.ts'
import { marketer } from '../../support/marketing.ts'
import { sendJson, startPartner } from '../../support/partner.ts'
import { deps, useService, workspace } from '../../support/service.ts'

// In front of the reference partner stands one that can fail.
const PLATFORM_KEY = 'platform-key-of-this-test'
const clock = manualClock('2026-03-01T05:00:00.000Z')
const database = await cloneDatabase()
const front = await startPartner()
const real = await startReferenceMarketingPartner({
  databaseUrl: database.url,
  port: 0,
  platformKey: PLATFORM_KEY,
  webhookSecret: '',
  noticeUrl: null,
  log: makeLog('fatal'),
})
useService({
  clock,
  database: await cloneDatabase(),
  env: { MARKETING_PARTNER_URL: front.url, MARKETING_PARTNER_KEY: PLATFORM_KEY },
})
afterAll(async () => {
  await front.close()
  await real.close()
  await database.drop()
})

type Fields = Record<string, unknown>
type Shop = {
  api: Api
  outletId: string
  variantId: string
  /** Asks the partner as the workspace does. */
  partner(method: string, path: string, body?: unknown): Promise<Fields>
  discount(code: string, fields: Fields): Promise<string>
  uses(id: string): Promise<number>
  sell(fields: Fields, key?: string): ReturnType<Api['post']>
}

async function shopOf(name: string): Promise<Shop> {
  const api = await marketer(name)
  const outletId = await makeOutlet(api, { taxRateBps: 1_000, taxInclusive: false })
  const variantId = await makeVariant(api, { price: 10_000, trackStock: false })
  const ask = async (key: string, method: string, path: string, body?: unknown): Promise<Fields> => {
    const answer = await fetch(`${real.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.status, path).toBeLessThan(300)
    const { data } = (await answer.json()) as { data: Fields }
    return data
  }
  const { accountId: externalId } = api.workspace
  const { apiKey } = await ask(PLATFORM_KEY, 'POST', '/v1/workspaces', { externalId, name })
  const partner: Shop['partner'] = (method, path, body) => ask(String(apiKey), method, path, body)
  return {
    api,
    outletId,
    variantId,
    partner,
    discount: async (code, fields) =>
      String((await partner('POST', '/v1/discounts', { code, ...fields }))['id']),
    uses: async (id) => Number((await partner('GET', `/v1/discounts/${id}`))['uses']),
    sell: (fields, idempotencyKey) =>
      api.post(
        '/sales',
        { outletId, items: [{ variantId, quantity: 5 }], ...fields },
        idempotencyKey === undefined ? {} : { idempotencyKey },
      ),
  }
}

const handOn = () =>
  front.answers(async ({ method, path, headers, body }, response) => {
    const answer = await fetch(`${real.url}${path}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
    sendJson(response, answer.status, await answer.json())
  })
const asked = () => front.asked.filter(({ method }) => method === 'PUT').length
const held = async ({ api }: Shop) => {
  const { pool } = deps()
  const rows = await pool.query('select wanted, sale_id, due_at from sale_promotions where account_id = $1', [
    api.workspace.accountId,
  ])
  return rows.rows.length
}

let shop: Shop
beforeAll(async () => {
  handOn()
  shop = await shopOf('Kopi Pasar')
})
beforeEach(() => {
  handOn()
  clock.advance(60_000)
})

test('a code takes off what the partner says, after the discounts of the cashier and before tax', async () => {
  const id = await shop.discount('HEMAT20', { kind: 'percent', value: 20 })
  const data = done(
    await shop.sell({
      discountCode: 'hemat20',
      orderDiscount: 10_000,
      deliveryFee: 5_000,
      status: 'COMPLETED',
    }),
  )
  expect(data.warnings).toEqual([])
  expect(data.sale).toMatchObject({
    subtotal: 50_000,
    orderDiscount: 10_000,
    promoDiscount: 8_000,
    discountTotal: 18_000,
    taxTotal: 3_200,
    total: 40_200,
    paidTotal: 40_200,
  })
  expect(await shop.uses(id)).toBe(1)
  await settlePromotions(deps())
  const [redemption] = front.asked.filter(({ path }) => path.endsWith('/confirm'))
  expect(redemption).toBeDefined()
  // More than the goods cost is never taken off.
  await shop.discount('GRATIS', { kind: 'fixed', value: 900_000 })
  const free = done(await shop.sell({ discountCode: 'GRATIS', status: 'COMPLETED' }))
  expect([free.sale.promoDiscount, free.sale.total, free.warnings]).toEqual([50_000, 0, []])
})

test('points of the customer pay what the code leaves, and no point is spent twice', async () => {
  const customerId = await makeCustomer(shop.api, { name: 'Ani' })
  done(await shop.api.post(`/customers/${customerId}/loyalty/adjust`, { points: 100, reason: 'start' }))
  const first = done(await shop.sell({ customerId, redeemPoints: 80, status: 'PARKED' }))
  expect([first.sale.promoDiscount, first.warnings]).toEqual([8_000, []])
  const second = done(await shop.sell({ customerId, redeemPoints: 80, status: 'PARKED' }))
  expect([second.sale.promoDiscount, second.warnings]).toEqual([
    0,
    [
      {
        code: 'POINTS_NOT_REDEEMED',
        field: 'redeemPoints',
        message: '80 points were not redeemed: the customer does not have that many left',
      },
    ],
  ])
  const nobody = done(await shop.sell({ redeemPoints: 5 }))
  expect(nobody.warnings[0].message).toBe('5 points were not redeemed: the sale has no customer')
})

/** A customer with 100 points; what becomes of them. */
async function customerWith100(name: string, { api } = shop) {
  const id = await makeCustomer(api, { name })
  done(await api.post(`/customers/${id}/loyalty/adjust`, { points: 100, reason: 'start' }))
  const ledger = async () => {
    const { balance, entries } = done(await api.get(`/customers/${id}/loyalty`))
    return {
      balance,
      entries: entries.map((row: Fields) => [row['type'], row['points'], row['balanceAfter']]).reverse(),
    }
  }
  return { id, ledger }
}
const START = ['ADJUST', 100, 100]

test('points redeemed with a sale leave the ledger when it is completed, and a void gives them back', async () => {
  const { id: customerId, ledger } = await customerWith100('Citra')
  const sale = saleOf(await shop.sell({ customerId, redeemPoints: 80, status: 'COMPLETED' }))
  expect([sale.promoDiscount, sale.pointsEarned]).toEqual([8_000, 4])
  const sold = [START, ['REDEEM', -80, 20], ['EARN', 4, 24]]
  expect(await ledger()).toEqual({ balance: 24, entries: sold })
  const { entries } = done(await shop.api.get(`/customers/${customerId}/loyalty`))
  expect(entries[1]).toMatchObject({ type: 'REDEEM', transactionId: sale.id, refundId: null })
  expect((await shop.api.post(`/customers/${customerId}/loyalty/redeem`, { points: 25 })).status).toBe(422)
  done(await shop.api.post(`/sales/${sale.id}/void`, {}))
  expect(await ledger()).toEqual({
    balance: 100,
    entries: [...sold, ['REVERSE', -4, 20], ['REVERSE', 80, 100]],
  })
})

test('a sale may redeem exactly what the ledger holds, before and after the partner hears of the last one', async () => {
  const { id: customerId, ledger } = await customerWith100('Dewi')
  const redeem = async (redeemPoints: number) =>
    done(await shop.sell({ customerId, redeemPoints, status: 'COMPLETED', orderDiscount: 45_000 })).sale
  expect((await redeem(40)).promoDiscount).toBe(4_000)
  expect([(await redeem(61)).promoDiscount, (await redeem(25)).promoDiscount]).toEqual([0, 2_500])
  await settlePromotions(deps())
  expect([(await redeem(36)).promoDiscount, (await redeem(35)).promoDiscount]).toEqual([0, 3_500])
  await settlePromotions(deps())
  expect([(await ledger()).balance, (await redeem(1)).promoDiscount]).toEqual([0, 0])
  done(await shop.api.post(`/customers/${customerId}/loyalty/adjust`, { points: 7, reason: 'gift' }))
  expect((await redeem(7)).promoDiscount).toBe(700)
  expect((await ledger()).balance).toBe(0)
})

test('points of an open bill leave the ledger when it is paid, and one that is discarded takes none', async () => {
  const { id: customerId, ledger } = await customerWith100('Eka')
  const open = async () =>
    saleOf(await shop.sell({ customerId, redeemPoints: 30, status: 'PARKED' })) as {
      id: string
      total: number
    }
  const [bill, dropped] = [await open(), await open()]
  expect(await ledger()).toEqual({ balance: 100, entries: [START] })
  done(await shop.api.post(`/sales/${dropped.id}/discard`, {}))
  expect(await ledger()).toEqual({ balance: 100, entries: [START] })
  done(await shop.api.post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: bill.total }))
  expect(await ledger()).toEqual({ balance: 74, entries: [START, ['REDEEM', -30, 70], ['EARN', 4, 74]] })
})

test('refunds give redeemed points back in proportion to the goods, the last one what is left', async () => {
  const { id: customerId, ledger } = await customerWith100('Fajar')
  const sale = saleOf(await shop.sell({ customerId, redeemPoints: 77, status: 'COMPLETED' }))
  const [{ id: transactionItemId }] = sale.items
  const refund = async (body: object) => done(await shop.api.post(`/sales/${sale.id}/refund`, body))
  const returned = async () =>
    (await ledger()).entries.filter(([type, points]: [string, number]) => type === 'REVERSE' && points > 0)
  // A fifth of the goods, twice: 15.4 and 30.8 points, rounded down.
  const { refundId } = await refund({ lines: [{ transactionItemId, qty: 1 }] })
  expect((await returned()).map(([, points]: [string, number]) => points)).toEqual([15])
  await refund({ lines: [{ transactionItemId, qty: 1 }] })
  await refund({})
  expect((await returned()).map(([, points]: [string, number]) => points)).toEqual([15, 15, 47])
  expect((await ledger()).balance).toBe(100)
  const { entries } = done(await shop.api.get(`/customers/${customerId}/loyalty`))
  expect(entries.filter((row: Fields) => row['refundId'] === refundId)).toMatchObject([
    { type: 'REVERSE', points: 15, transactionId: sale.id },
    { type: 'REVERSE', points: -1, transactionId: sale.id },
  ])
})

test('points that paid all goods come back once the delivery fee is refunded whole', async () => {
  const { id: customerId, ledger } = await customerWith100('Lia')
  const sale = saleOf(
    await shop.sell({
      customerId,
      redeemPoints: 100,
      orderDiscount: 42_000,
      deliveryFee: 9_000,
      status: 'COMPLETED',
    }),
  )
  expect([sale.promoDiscount, sale.total, (await ledger()).balance]).toEqual([8_000, 9_000, 20])
  const balanceAfter = async (amount: number) => {
    done(await shop.api.post(`/sales/${sale.id}/refund`, { amount }))
    return (await ledger()).balance
  }
  expect([await balanceAfter(4_000), await balanceAfter(5_000)]).toEqual([20, 100])
})

test('points that a refund gave back may be redeemed again, once', async () => {
  const { id: customerId } = await customerWith100('Gita')
  const sale = saleOf(await shop.sell({ customerId, redeemPoints: 100, status: 'COMPLETED' }))
  done(await shop.api.post(`/customers/${customerId}/loyalty/adjust`, { points: -4, reason: 'earned' }))
  await settlePromotions(deps())
  done(
    await shop.api.post(`/sales/${sale.id}/refund`, {
      lines: [{ transactionItemId: sale.items[0].id, qty: 2 }],
    }),
  )
  done(await shop.api.post(`/customers/${customerId}/loyalty/adjust`, { points: 2, reason: 'earned' }))
  const redeem = async (redeemPoints: number) =>
    done(await shop.sell({ customerId, redeemPoints, status: 'COMPLETED', orderDiscount: 45_000 })).sale
      .promoDiscount
  expect([await redeem(41), await redeem(40), await redeem(1)]).toEqual([0, 4_000, 0])
})

test('a merged bill redeems the points of the customer who named them', async () => {
  const [payer, host] = [await customerWith100('Hana'), await customerWith100('Indra')]
  const other = saleOf(await shop.sell({ customerId: payer.id, redeemPoints: 50, status: 'PARKED' }))
  const target = saleOf(await shop.sell({ customerId: host.id, status: 'PARKED' }))
  const { sale } = done(await shop.api.post(`/sales/${target.id}/merge`, { saleId: other.id }))
  expect([sale.customerId, sale.promoDiscount]).toEqual([host.id, 5_000])
  done(
    await shop.api.post(`/sales/${sale.id}/settle`, { payments: [{ method: 'CASH', amount: sale.total }] }),
  )
  expect((await payer.ledger()).entries).toEqual([START, ['REDEEM', -50, 50]])
  expect((await host.ledger()).entries).toEqual([START, ['EARN', 9, 109]])
  done(await shop.api.post(`/sales/${sale.id}/void`, {}))
  expect([(await payer.ledger()).balance, (await host.ledger()).balance]).toEqual([100, 100])
})

/** Adds a drink to an open bill and changes `fields`. */
const addDrink = async (id: string, fields: Fields = {}) => {
  const { items } = saleOf(await shop.api.get(`/sales/${id}`))
  const kept = items.map(({ id: itemId, variantId, quantity }: Fields) => ({
    id: itemId,
    variantId,
    quantity,
  }))
  const added = { variantId: shop.variantId, quantity: 1, note: 'es' }
  return shop.api.patch(`/sales/${id}/items`, { items: [...kept, added], ...fields })
}
const settled = async ({ id, total }: Fields) =>
  done(await shop.api.post(`/sales/${String(id)}/settle`, { payments: [{ method: 'CASH', amount: total }] }))
const redeemed = async ({ ledger }: { ledger(): Promise<{ entries: unknown[][] }> }) =>
  (await ledger()).entries.filter(([type]) => type === 'REDEEM')
/** The customers whom the partner was asked for by the last `count` requests. */
const customersAsked = (count: number) =>
  front.asked
    .filter(({ method }) => method === 'PUT')
    .slice(-count)
    .map(({ body }) => JSON.parse(body).customer?.id ?? null)

/** The bill of a host that has taken over 50 points of a payer by a merge. */
async function mergedBill(payerName: string, hostName: string, fields: Fields = {}) {
  const [payer, host] = [await customerWith100(payerName), await customerWith100(hostName)]
  const other = saleOf(
    await shop.sell({ customerId: payer.id, redeemPoints: 50, status: 'PARKED', ...fields }),
  )
  const target = saleOf(await shop.sell({ customerId: host.id, status: 'PARKED' }))
  const { sale } = done(await shop.api.post(`/sales/${target.id}/merge`, { saleId: other.id }))
  expect([sale.customerId, sale.promoDiscount, sale.redeemPoints]).toEqual([host.id, 5_000, 50])
  return { payer, host, sale }
}

test('an edit of a merged bill leaves the points with the customer who named them, whoever the bill is for', async () => {
  const { payer, host, sale } = await mergedBill('Mira', 'Nadia')
  const more = done(await addDrink(sale.id))
  expect([more.sale.promoDiscount, more.warnings]).toEqual([5_000, []])
  const guest = await customerWith100('Oscar')
  const moved = done(await addDrink(sale.id, { customerId: guest.id }))
  expect([moved.sale.customerId, moved.sale.promoDiscount, moved.warnings]).toEqual([guest.id, 5_000, []])
  await settled(moved.sale)
  expect(await redeemed(payer)).toEqual([['REDEEM', -50, 50]])
  expect([await redeemed(host), await redeemed(guest)]).toEqual([[], []])
})

test('an edit of a merged bill that is refused has the partner hold the points of the customer who named them', async () => {
  const { payer, sale } = await mergedBill('Putri', 'Qori')
  done(await shop.api.post(`/sales/${sale.id}/payments`, { method: 'CASH', amount: 100_000 }))
  const items = [{ variantId: shop.variantId, quantity: 6 }]
  expect((await shop.api.patch(`/sales/${sale.id}/items`, { items })).status).toBe(409)
  expect(customersAsked(2)).toEqual([payer.id, payer.id])
})

test('points of a merged bill that its customer can no longer pay end, and the next edit redeems no points of another', async () => {
  const { payer, host, sale } = await mergedBill('Rani', 'Sari')
  done(await shop.api.post(`/customers/${payer.id}/loyalty/redeem`, { points: 60 }))
  const lost = done(await addDrink(sale.id))
  expect([lost.sale.promoDiscount, lost.sale.redeemPoints, lost.warnings[0].code]).toEqual([
    0,
    null,
    'POINTS_NOT_REDEEMED',
  ])
  const next = done(await addDrink(sale.id))
  expect([next.sale.promoDiscount, next.warnings]).toEqual([0, []])
  await settled(next.sale)
  expect([await redeemed(payer), await redeemed(host)]).toEqual([[['REDEEM', -60, 40]], []])
})

test('a split that leaves nothing of the discount of a merged bill ends its points, and the next edit redeems none', async () => {
  // The order discounts leave 5,000 of the goods for the points.
  const { host, sale } = await mergedBill('Tuti', 'Umar', { orderDiscount: 45_000 })
  const [kept, moved] = sale.items
  const { from } = done(
    await shop.api.post(`/sales/${sale.id}/split`, {
      items: [
        { id: kept.id, quantity: 1 },
        { id: moved.id, quantity: 5 },
      ],
    }),
  )
  expect([from.promoDiscount, from.redeemPoints]).toEqual([0, null])
  const next = done(await addDrink(sale.id, { orderDiscount: 0 }))
  await settled(next.sale)
  expect([next.sale.promoDiscount, await redeemed(host)]).toEqual([0, []])
})

test('without an answer of the partner, a bill that gets another customer loses the discount of points', async () => {
  const [payer, next] = [await customerWith100('Vera'), await customerWith100('Wulan')]
  const bill = saleOf(await shop.sell({ customerId: payer.id, redeemPoints: 50, status: 'PARKED' }))
  front.answers((_request, response) => void response.destroy())
  const { sale, warnings } = done(await addDrink(bill.id, { customerId: next.id }))
  handOn()
  expect([sale.promoDiscount, sale.redeemPoints]).toEqual([0, 50])
  expect(warnings).toMatchObject([{ code: 'PARTNER_UNAVAILABLE', field: 'redeemPoints' }])
  await settled(sale)
  await settlePromotions(deps())
  expect([await redeemed(payer), await redeemed(next)]).toEqual([[], []])
  expect((await shop.partner('GET', `/v1/points/customers/${payer.id}`))['reserved']).toBe(0)
})

test('a merge takes over no points that its customer did not name, and an edit redeems none', async () => {
  await shop.discount('RAMAI', { kind: 'fixed', value: 2_000 })
  const [payer, host] = [await customerWith100('Xena'), await customerWith100('Yuda')]
  const open = async (fields: Fields) => saleOf(await shop.sell({ status: 'PARKED', ...fields }))
  const mergedAndEdited = async (target: Fields, other: Fields) => {
    const [{ id }, { id: saleId }] = [await open(target), await open(other)]
    const merged = done(await shop.api.post(`/sales/${id}/merge`, { saleId })).sale
    const edited = done(await addDrink(id)).sale
    done(await shop.api.post(`/sales/${id}/discard`, {}))
    await settlePromotions(deps())
    return [merged, edited].map(({ redeemPoints, promoDiscount }) => [redeemPoints, promoDiscount])
  }
  const [ofHost, ofPayer] = [{ customerId: host.id }, { customerId: payer.id }]
  // The code of the host stays, and the points of the other are given back.
  expect(
    await mergedAndEdited({ ...ofHost, discountCode: 'RAMAI' }, { ...ofPayer, redeemPoints: 50 }),
  ).toEqual([
    [null, 2_000],
    [null, 2_000],
  ])
  // More points than the payer has are worth nothing.
  done(await shop.api.post(`/customers/${host.id}/loyalty/adjust`, { points: 900, reason: 'gift' }))
  expect(await mergedAndEdited(ofHost, { ...ofPayer, redeemPoints: 150 })).toEqual([
    [null, 0],
    [null, 0],
  ])
  // The points that are held replace those of the host that are worth nothing.
  expect(await mergedAndEdited({ ...ofHost, redeemPoints: 5_000 }, { ...ofPayer, redeemPoints: 50 })).toEqual(
    [
      [50, 5_000],
      [50, 5_000],
    ],
  )
  // Points of a bill without a customer are not those of the customer that comes along.
  expect(await mergedAndEdited({ redeemPoints: 20 }, ofPayer)).toEqual([
    [null, 0],
    [null, 0],
  ])
  // A customer's own points come along.
  expect(await mergedAndEdited(ofPayer, { ...ofPayer, redeemPoints: 50 })).toEqual([
    [50, 5_000],
    [50, 5_000],
  ])
})

test('points that are spent at the till while a bill holds them leave the balance below zero, and no more is redeemed', async () => {
  const { id: customerId, ledger } = await customerWith100('Joko')
  const bill = saleOf(await shop.sell({ customerId, redeemPoints: 80, status: 'PARKED' }))
  done(await shop.api.post(`/customers/${customerId}/loyalty/redeem`, { points: 60 }))
  done(
    await shop.api.post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: bill.total }] }),
  )
  expect((await ledger()).balance).toBe(-36)
  const next = done(await shop.sell({ customerId, redeemPoints: 1, status: 'COMPLETED' }))
  expect([next.sale.promoDiscount, next.warnings[0].code]).toEqual([0, 'POINTS_NOT_REDEEMED'])
})

test('a code that is misspelt, expired, used up or of another workspace is named in a warning, and the sale is made', async () => {
  await shop.discount('LAMA', { kind: 'fixed', value: 1_000, endsAt: '2026-02-01T00:00:00.000Z' })
  await shop.discount('SEKALI', { kind: 'fixed', value: 1_000, maxUses: 1 })
  done(await shop.sell({ discountCode: 'SEKALI', status: 'COMPLETED' }))
  const other = await shopOf('Kopi Lain')
  await other.discount('LAIN', { kind: 'fixed', value: 1_000 })
  const words: string[] = []
  for (const discountCode of ['HEMTA', 'LAMA', 'SEKALI', 'LAIN']) {
    const { sale, warnings } = done(await shop.sell({ discountCode, status: 'COMPLETED' }))
    expect([sale.promoDiscount, sale.total, sale.discountCode]).toEqual([0, 55_000, discountCode])
    expect(warnings).toMatchObject([{ code: 'DISCOUNT_NOT_APPLIED', field: 'discountCode' }])
    words.push(warnings[0].message)
  }
  expect(words).toEqual([
    'The code HEMTA was not applied: there is no such code; check the spelling',
    'The code LAMA was not applied: it has expired',
    'The code SEKALI was not applied: it has been used up',
    'The code LAIN was not applied: there is no such code; check the spelling',
  ])
})

test('a partner that is slow, down, broken or talks nonsense costs the sale its discount and nothing else', async () => {
  const id = await shop.discount('SABAR', { kind: 'fixed', value: 1_000, maxUses: 1 })
  // The partner has done what it was asked, and its answer comes too late.
  front.answers(async ({ method, path, headers, body }, response) => {
    await fetch(`${real.url}${path}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      body,
    })
    response.on('close', () => response.destroy())
  })
  const since = performance.now()
  const slow = done(await shop.sell({ discountCode: 'SABAR', status: 'COMPLETED' }))
  expect(performance.now() - since).toBeLessThan(6_000)
  expect(await shop.uses(id)).toBe(1)
  const answers = (status: number, body: unknown) =>
    front.answers((_request, response) => void sendJson(response, status, body))
  answers(500, {})
  const broken = done(await shop.sell({ discountCode: 'SABAR', status: 'COMPLETED' }))
  answers(200, { data: { promoDiscount: -5_000, discount: null, points: null } })
  const nonsense = done(await shop.sell({ discountCode: 'SABAR', status: 'COMPLETED' }))
  front.answers((_request, response) => void response.destroy())
  const down = done(await shop.sell({ discountCode: 'SABAR', status: 'COMPLETED' }))
  for (const { sale, warnings } of [slow, broken, nonsense, down]) {
    expect([sale.promoDiscount, sale.paidTotal]).toEqual([0, 55_000])
    expect(warnings).toMatchObject([{ code: 'PARTNER_UNAVAILABLE', field: 'discountCode' }])
  }
  expect(down.warnings[0].message).toBe(
    'The code SABAR could not be checked, because the marketing partner does not answer; try again with an open bill, or use orderDiscount to lower the price',
  )
  // What it holds for nobody it gives back, once it can be reached.
  handOn()
  await settlePromotions(deps())
  expect(await shop.uses(id)).toBe(0)
})

test('a request that is sent again under its key has its code once, and a sale that is refused gives its code back', async () => {
  const id = await shop.discount('KUNCI', { kind: 'fixed', value: 1_000 })
  const fields = { discountCode: 'KUNCI', status: 'COMPLETED' }
  const payments = [{ method: 'CARD', amount: 900_000 }]
  const refused = await shop.sell({ ...fields, payments }, 'refused')
  expect(refused.status).toBe(422)
  const before = asked()
  const [one, two] = await Promise.all([shop.sell(fields, 'twin'), shop.sell(fields, 'twin')])
  expect(saleOf(one).id).toBe(saleOf(two).id)
  expect(saleOf(await shop.sell(fields, 'twin')).id).toBe(saleOf(one).id)
  expect(asked() - before).toBeLessThanOrEqual(2)
  await settlePromotions(deps())
  expect(await shop.uses(id)).toBe(1)
})

test('an edit has the bill valued again, and keeps a share of its discount while the partner is away', async () => {
  const id = await shop.discount('PERSEN', { kind: 'percent', value: 10, minSubtotal: 20_000 })
  const bill = saleOf(await shop.sell({ discountCode: 'PERSEN', status: 'PARKED' }))
  expect([bill.promoDiscount, bill.total]).toEqual([5_000, 49_500])
  const edit = async (quantity: number) =>
    done(
      await shop.api.patch(`/sales/${bill.id}/items`, { items: [{ variantId: shop.variantId, quantity }] }),
    )
  const more = await edit(8)
  expect([more.sale.promoDiscount, more.warnings]).toEqual([8_000, []])
  front.answers((_request, response) => void response.destroy())
  const away = await edit(2)
  expect([away.sale.promoDiscount, away.warnings[0].code]).toEqual([2_000, 'PARTNER_UNAVAILABLE'])
  expect(away.warnings[0].message).toContain('the discount of Rp 2000 stays')
  handOn()
  const few = await edit(1)
  expect([few.sale.promoDiscount, few.warnings[0].message]).toEqual([
    0,
    'The code PERSEN was not applied: the goods cost less than its minimum',
  ])
  await settlePromotions(deps())
  expect(await shop.uses(id)).toBe(0)
  const again = await edit(3)
  expect([again.sale.promoDiscount, await shop.uses(id)]).toEqual([3_000, 1])
  // An edit that is refused once the partner was asked leaves what is held for the bill as it was.
  done(await shop.api.post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: 25_000 }))
  const items = [{ variantId: shop.variantId, quantity: 2 }]
  expect((await shop.api.patch(`/sales/${bill.id}/items`, { items })).status).toBe(409)
  const subtotals = front.asked
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => JSON.parse(body).subtotal)
  expect(subtotals.slice(-2)).toEqual([20_000, 30_000])
  done(await shop.api.post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: 4_700 }] }))
  await settlePromotions(deps())
  expect(await shop.uses(id)).toBe(1)
})

test('a sale that is voided, refunded in full or discarded gives its code back, through a partner that fails at first', async () => {
  const id = await shop.discount('KEMBALI', { kind: 'fixed', value: 1_000 })
  const sold = async (status: string) => saleOf(await shop.sell({ discountCode: 'KEMBALI', status })).id
  const [voided, refunded, part, bill] = [
    await sold('COMPLETED'),
    await sold('COMPLETED'),
    await sold('COMPLETED'),
    await sold('PARKED'),
  ]
  await settlePromotions(deps())
  expect(await shop.uses(id)).toBe(4)
  const kept = await held(shop)
  done(await shop.api.post(`/sales/${part}/refund`, { amount: 1_000 }))
  done(await shop.api.post(`/sales/${voided}/void`, { reason: 'salah' }))
  done(await shop.api.post(`/sales/${refunded}/refund`, {}))
  done(await shop.api.post(`/sales/${bill}/discard`, {}))
  front.answers((_request, response) => void sendJson(response, 500, {}))
  await settlePromotions(deps())
  expect(await shop.uses(id)).toBe(4)
  handOn()
  // The breaker of the partner lets nobody through for a moment after failures in a row.
  await expect
    .poll(
      async () => {
        clock.advance(61_000)
        await settlePromotions(deps())
        return shop.uses(id)
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(1)
  expect(kept - (await held(shop))).toBe(3)
})

test('a partner over its rate limit for days is told all the same how a sale ended', async () => {
  const id = await shop.discount('SIBUK', { kind: 'fixed', value: 1_000 })
  const sold = saleOf(await shop.sell({ discountCode: 'SIBUK', status: 'COMPLETED' })).id
  done(await shop.api.post(`/sales/${sold}/void`, { reason: 'salah' }))
  front.answers(
    (_request, response) =>
      void response
        .writeHead(429, { 'content-type': 'application/json', 'retry-after': '86400' })
        .end(JSON.stringify({ error: { code: 'RATE_LIMITED', message: 'tomorrow' } })),
  )
  const before = front.asked.length
  for (let day = 0; day < 12; day += 1) {
    await settlePromotions(deps())
    await settlePromotions(deps())
    clock.advance(86_400_000)
  }
  expect(front.asked.length - before).toBe(12)
  handOn()
  await settlePromotions(deps())
  expect(await shop.uses(id)).toBe(0)
})

test('a sale is reported although the partner has no account of the workspace for a while', async () => {
  await settlePromotions(deps())
  const discountCode = fresh('AKUN').replace(' ', '')
  const id = await shop.discount(discountCode, { kind: 'fixed', value: 1_000 })
  const sold = async (status: string) => saleOf(await shop.sell({ discountCode, status })).id
  const [, bill] = [await sold('COMPLETED'), await sold('PARKED')]
  done(await shop.api.post(`/sales/${bill}/discard`, {}))
  // The partner was exchanged, so the workspace gets an account there first.
  await deps().pool.query(
    `update modules set partner = 'another' where account_id = $1 and module = 'marketing'`,
    [shop.api.workspace.accountId],
  )
  for (const status of [404, 409]) {
    front.answers(
      (_request, response) =>
        void sendJson(response, status, { error: { code: 'NOT_FOUND', message: 'No such path' } }),
    )
    await settlePromotions(deps())
    clock.advance(61_000)
  }
  handOn()
  const since = front.asked.length
  await settlePromotions(deps())
  const verbs = front.asked.slice(since).map(({ path }) => path.split('/').at(-1))
  expect(verbs.toSorted()).toEqual(['confirm', 'release', 'workspaces'])
  expect(await shop.uses(id)).toBe(1)
})

test('a released promotion that the partner does not know is removed, and the log says so', async () => {
  const discountCode = fresh('HILANG').replace(' ', '')
  await shop.discount(discountCode, { kind: 'fixed', value: 1_000 })
  const bill = saleOf(await shop.sell({ discountCode, status: 'PARKED' }))
  await settlePromotions(deps())
  const before = await held(shop)
  done(await shop.api.post(`/sales/${bill.id}/discard`, {}))
  front.answers(
    (_request, response) =>
      void sendJson(response, 404, { error: { code: 'NOT_FOUND', message: 'No such redemption' } }),
  )
  const lines: string[] = []
  const info = (_: object, message: string) => void lines.push(message)
  await settlePromotions({ ...deps(), log: Object.assign(Object.create(deps().log), { info }) })
  expect([before - (await held(shop)), lines]).toEqual([
    1,
    ['the marketing partner does not know a promotion that was to be released'],
  ])
})

/** How the sale has its code now: what the till says, and how often the partner counts it once it was told. */
const usesTold = async (id: string) => {
  await settlePromotions(deps())
  return shop.uses(id)
}

test('a split that leaves nothing of the discount on the old bill gives its code back, any other keeps it', async () => {
  const id = await shop.discount('PISAH', { kind: 'fixed', value: 5_000 })
  const items = [
    { variantId: shop.variantId, quantity: 1 },
    { variantId: shop.variantId, quantity: 4, note: 'manis' },
  ]
  const open = async (orderDiscount: number) =>
    saleOf(await shop.sell({ items, orderDiscount, discountCode: 'PISAH', status: 'PARKED' }))
  const split = async (bill: { id: string; items: { id: string }[] }) =>
    done(await shop.api.post(`/sales/${bill.id}/split`, { items: [{ id: bill.items[1]?.id, quantity: 4 }] }))
  const [kept, spent] = [await open(7_000), await open(10_000)]
  expect([kept.promoDiscount, spent.promoDiscount, await usesTold(id)]).toEqual([5_000, 5_000, 2])
  const some = await split(kept)
  expect([some.from.promoDiscount, some.sale.promoDiscount, await usesTold(id)]).toEqual([3_000, 0, 2])
  const none = await split(spent)
  expect([none.from.promoDiscount, none.sale.promoDiscount, await usesTold(id)]).toEqual([0, 0, 1])
})

test('a new sale has its code valued as an edit has: after vouchers, and without promotions that its customer has used', async () => {
  const own = await shopOf('Kopi Kupon')
  await own.discount('MITRA20', { kind: 'percent', value: 20 })
  const { id: customerId } = await customerWith100('Maya', own)
  const half = async (fields: Fields) =>
    done(
      await own.api.post('/promotions', { name: 'Separuh', kind: 'PERCENT', percentBps: 5_000, ...fields }),
    )
  const openAndEdit = async (fields: Fields) => {
    const bill = saleOf(await own.sell({ discountCode: 'MITRA20', status: 'PARKED', ...fields }))
    const [{ id, variantId, quantity }] = bill.items
    const edited = saleOf(
      await own.api.patch(`/sales/${bill.id}/items`, { items: [{ id, variantId, quantity }] }),
    )
    return [bill.promoDiscount, edited.promoDiscount]
  }
  await half({ code: 'KUPON' })
  expect(await openAndEdit({ voucherCodes: ['KUPON'] })).toEqual([5_000, 5_000])
  const payments = [{ method: 'CARD', amount: 22_000 }]
  const paid = await own.sell({
    discountCode: 'MITRA20',
    voucherCodes: ['kupon'],
    status: 'COMPLETED',
    payments,
  })
  expect(saleOf(paid)).toMatchObject({ subtotal: 25_000, promoDiscount: 5_000, total: 22_000 })
  await half({ oncePerCustomer: true })
  expect(await openAndEdit({ customerId })).toEqual([5_000, 5_000])
  done(await own.sell({ customerId, status: 'COMPLETED' }))
  expect(await openAndEdit({ customerId })).toEqual([10_000, 10_000])
})

test('a bill that loses a part of its discount redeems that part less of its points, here and at the partner', async () => {
  const { id: customerId, ledger } = await customerWith100('Nia')
  const items = [
    { variantId: shop.variantId, quantity: 1 },
    { variantId: shop.variantId, quantity: 4, note: 'manis' },
  ]
  const open = async (redeemPoints: number, fields: Fields = {}) => {
    const bill = { customerId, redeemPoints, items, status: 'PARKED', ...fields }
    return saleOf(await shop.sell(bill))
  }
  const settle = async ({ id, total }: Fields) => {
    const payments = total === 0 ? [] : [{ method: 'CASH', amount: total }]
    done(await shop.api.post(`/sales/${String(id)}/settle`, { payments }))
    await settlePromotions(deps())
    return [
      (await ledger()).entries.filter(([type]: [string]) => type === 'REDEEM').at(-1)[1],
      (await shop.partner('GET', `/v1/points/customers/${customerId}`))['redeemed'],
    ]
  }
  // Points for 6,000 of 50,000; goods of 4,000 stay.
  const bill = await open(60, { orderDiscount: 6_000 })
  const split = done(
    await shop.api.post(`/sales/${bill.id}/split`, { items: [{ id: bill.items[1].id, quantity: 4 }] }),
  )
  expect(split.from).toMatchObject({ promoDiscount: 4_000, total: 0 })
  expect(await settle(split.from)).toEqual([-40, 40])
  // A third of the goods stays while the partner is away: a third of the points, rounded up.
  const edited = await open(50, { items: [{ variantId: shop.variantId, quantity: 3 }] })
  front.answers((_request, response) => void response.destroy())
  const less = { items: [{ variantId: shop.variantId, quantity: 1 }] }
  const { sale } = done(await shop.api.patch(`/sales/${edited.id}/items`, less))
  handOn()
  expect(sale.promoDiscount).toBe(1_666)
  expect(await settle(sale)).toEqual([-17, 57])
  expect((await ledger()).balance).toBe(43)
  expect((await open(43)).promoDiscount).toBe(4_300)
})

test('a merged bill keeps its own code, worth something or not, and the code of the other is given back', async () => {
  const [mine, theirs] = [
    await shop.discount('PUNYAKU', { kind: 'fixed', value: 2_000 }),
    await shop.discount('PUNYAMU', { kind: 'fixed', value: 5_000 }),
  ]
  await shop.discount('HABIS', { kind: 'fixed', value: 1_000, endsAt: '2026-02-01T00:00:00.000Z' })
  const merged = async (fields: Fields) => {
    const [target, other] = [
      saleOf(await shop.sell({ ...fields, status: 'PARKED' })),
      saleOf(await shop.sell({ discountCode: 'PUNYAMU', status: 'PARKED' })),
    ]
    const { sale } = done(await shop.api.post(`/sales/${target.id}/merge`, { saleId: other.id }))
    return [sale.discountCode, sale.promoDiscount, await usesTold(mine), await usesTold(theirs)]
  }
  expect(await merged({ discountCode: 'HABIS' })).toEqual(['HABIS', 0, 0, 0])
  expect(await merged({ discountCode: 'PUNYAKU' })).toEqual(['PUNYAKU', 2_000, 1, 0])
  expect(await merged({})).toEqual(['PUNYAMU', 5_000, 1, 1])
})

/** Does `work` while the partner is being told how a sale ended; its answer comes after. */
const whileTold = (verb: 'confirm' | 'release', work: () => Promise<unknown>) => {
  let isFirst = true
  front.answers(async ({ method, path, headers, body }, response) => {
    const isIt = isFirst && path.endsWith(`/${verb}`)
    if (isIt) isFirst = false
    const answer = await fetch(`${real.url}${path}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
    if (isIt) await work()
    sendJson(response, answer.status, await answer.json())
  })
}

test('a sale that is voided while the partner is told that it was completed gives its code and points back', async () => {
  await settlePromotions(deps())
  const id = await shop.discount('SEKARANG', { kind: 'fixed', value: 1_000 })
  const { id: customerId, ledger } = await customerWith100('Kiki')
  const sale = saleOf(
    await shop.sell({ discountCode: 'SEKARANG', customerId, redeemPoints: 100, status: 'COMPLETED' }),
  )
  const before = await held(shop)
  whileTold('confirm', async () => done(await shop.api.post(`/sales/${sale.id}/void`, {})))
  await settlePromotions(deps())
  handOn()
  expect([await usesTold(id), (await held(shop)) - before, (await ledger()).balance]).toEqual([0, -1, 100])
  const again = done(await shop.sell({ customerId, redeemPoints: 100, status: 'COMPLETED' }))
  expect([again.sale.promoDiscount, again.warnings]).toEqual([10_000, []])
})

test('a request sent again while the partner is told to release its code has its code', async () => {
  const id = await shop.discount('ULANG', { kind: 'fixed', value: 1_000 })
  const customerId = await makeCustomer(shop.api, { name: 'Oki' })
  const payments = [{ method: 'CREDIT', amount: 53_900 }]
  const send = () =>
    shop.sell({ discountCode: 'ULANG', customerId, payments, status: 'COMPLETED' }, 'sent-again')
  expect((await send()).status).toBe(422)
  let sold: Fields = {}
  whileTold('release', async () => {
    done(await shop.api.patch(`/customers/${customerId}`, { creditLimit: 53_900 }))
    sold = saleOf(await send())
  })
  await settlePromotions(deps())
  handOn()
  expect([sold['promoDiscount'], await usesTold(id)]).toEqual([1_000, 1])
  done(await shop.api.post(`/sales/${String(sold['id'])}/void`, {}))
  expect(await usesTold(id)).toBe(0)
})

test('a code of the referral program is not for the partner, and without the module nobody is asked', async () => {
  const customerId = await makeCustomer(shop.api, { name: 'Budi' })
  await deps().pool.query(
    `insert into referral_links (account_id, id, customer_id, code, clicks, created_at, updated_at)
      values ($1, 'ref_01', $2, 'TEMANKU7', 0, now(), now())`,
    [shop.api.workspace.accountId, customerId],
  )
  const before = asked()
  expect(done(await shop.sell({ discountCode: 'temanku7', status: 'PARKED' })).warnings).toEqual([])
  const plain = await workspace('Warung Biasa')
  const outletId = await makeOutlet(plain)
  const variantId = await makeVariant(plain, { price: 10_000, trackStock: false })
  const { warnings, sale } = done(
    await plain.post('/sales', {
      outletId,
      items: [{ variantId, quantity: 1 }],
      status: 'PARKED',
      discountCode: 'X',
      redeemPoints: 2,
    }),
  )
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual([
    'MARKETING_MODULE_DISABLED',
    'MARKETING_MODULE_DISABLED',
  ])
  expect([sale.promoDiscount, asked() - before]).toEqual([0, 0])
})

// Last: the partner may be so busy with it that it is left alone for a while.
test('of many tills with a code for one use, one gets it', async () => {
  const id = await shop.discount('REBUT', { kind: 'fixed', value: 1_000, maxUses: 1 })
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => shop.sell({ discountCode: 'REBUT', status: 'COMPLETED' })),
  )
  const sales = answers.map(saleOf)
  expect(sales.filter(({ promoDiscount }) => promoDiscount > 0).map(({ total }) => total)).toEqual([53_900])
  expect(await shop.uses(id)).toBe(1)
  await settlePromotions(deps())
  expect(await shop.uses(id)).toBe(1)
})
