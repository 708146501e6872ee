import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop, stock } from '../../../support/build.ts'
import { refusalOf } from '../../../support/expect.ts'
import { levelOf } from '../../../support/read.ts'
import { acme, deps, globex, useService } from '../../../support/service.ts'

useService()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme())
})

const sell = (body: Record<string, unknown>) => acme().post('/sales', { outletId: shop.outletId, ...body })

test('a cash sale completes at once, gives change, lowers stock and leaves its events', async () => {
  const api = acme()
  await stock(api, shop.outletId, shop.latte, 10)
  const sold = await sell({
    items: [{ variantId: shop.latte, quantity: 2 }],
    payments: [{ method: 'CASH', amount: 30_000, tendered: 50_000 }],
  })
  expect(sold.status, sold.text).toBe(201)
  expect(sold.data.sale).toMatchObject({
    status: 'COMPLETED',
    subtotal: 30_000,
    taxTotal: 0,
    total: 30_000,
    paidTotal: 30_000,
    remaining: 0,
    changeTotal: 20_000,
    itemCount: 1,
    refundStatus: 'NONE',
    orderType: null,
    shiftId: null,
    outlet: { name: 'Kemang' },
  })
  expect(sold.data.sale.number).toMatch(/^\d{6}-0001$/)
  expect(sold.data.sale.payments).toMatchObject([
    { method: 'CASH', amount: 30_000, tendered: 50_000, change: 20_000, status: 'PAID', applied: true },
  ])
  expect(sold.data.stockWarnings).toEqual([])
  expect(await levelOf(api, shop.outletId, shop.latte)).toBe(8)
  const { data: movements } = await api.get(`/inventory/movements?variantId=${shop.latte}`)
  expect(
    movements.map((row: { type: string; qtyDelta: number; balanceAfter: number }) => [
      row.type,
      row.qtyDelta,
      row.balanceAfter,
    ]),
  ).toEqual([
    ['SALE', -2, 8],
    ['ADJUSTMENT', 10, 10],
  ])
  const receipt = await api.get(`/sales/${sold.data.sale.id}`)
  expect(receipt.data.sale).toEqual(sold.data.sale)
  const events = await deps()
    .db.selectFrom('events')
    .select(['type', 'body'])
    .where('accountId', '=', api.workspace.accountId)
    .where('refId', '=', sold.data.sale.id)
    .execute()
  expect(events.map((event) => event.type)).toEqual(['service.sale.completed.v1'])
  expect(JSON.parse(events[0]?.body ?? '').data.sale).toEqual(sold.data.sale)
})

test('the worked example of a discounted exclusive sale comes out to the rupiah', async () => {
  const taxed = await openShop(acme(), { taxRateBps: 1100 })
  const sold = await acme().post('/sales', {
    outletId: taxed.outletId,
    items: [
      { variantId: taxed.latte, quantity: 2 },
      { variantId: taxed.cake, quantity: 1 },
    ],
    orderDiscount: 2_500,
    status: 'COMPLETED',
  })
  expect(sold.data.sale).toMatchObject({
    subtotal: 37_500,
    discountTotal: 2_500,
    taxTotal: 3_850,
    total: 38_850,
  })
  expect(sold.data.sale.items.map((item: { orderDiscountShare: number }) => item.orderDiscountShare)).toEqual(
    [2_000, 500],
  )
  expect(sold.data.sale.payments).toMatchObject([{ method: 'CASH', amount: 38_850, change: 0 }])
})

test('selling below zero is allowed by default and says so', async () => {
  const other = await openShop(acme())
  const sold = await acme().post('/sales', {
    outletId: other.outletId,
    items: [{ variantId: other.cake, quantity: 3 }],
    status: 'COMPLETED',
  })
  expect(sold.data.stockWarnings).toEqual([
    {
      variantId: other.cake,
      productName: 'Cake',
      variantName: 'Default',
      reason: 'SHORT',
      requested: 3,
      available: 0,
      level: -3,
    },
  ])
})

test('receipt numbers run without a gap per outlet and day', async () => {
  const other = await openShop(acme())
  const numbers: string[] = []
  for (let index = 0; index < 3; index += 1) {
    const body = {
      outletId: other.outletId,
      items: [{ variantId: other.bag, quantity: 1 }],
      status: index === 1 ? 'PARKED' : 'COMPLETED',
    }
    numbers.push((await acme().post('/sales', body)).data.sale.number.slice(-4))
  }
  expect(numbers).toEqual(['0001', '0002', '0003'])
})

test('a bill is paid in parts and completes with the part that covers it', async () => {
  const other = await openShop(acme())
  await stock(acme(), other.outletId, other.latte, 5)
  const opened = await acme().post('/sales', {
    outletId: other.outletId,
    items: [{ variantId: other.latte, quantity: 2 }],
  })
  expect(opened.data.sale).toMatchObject({ status: 'PARKED', remaining: 30_000, completedAt: null })
  expect(await levelOf(acme(), other.outletId, other.latte)).toBe(5)
  const path = `/sales/${opened.data.sale.id}`
  const first = await acme().post(`${path}/payments`, { method: 'QRIS', amount: 10_000 })
  expect(first.data.sale).toMatchObject({ status: 'PARKED', paidTotal: 10_000, remaining: 20_000 })
  const second = await acme().post(`${path}/payments`, { method: 'CASH', amount: 25_000 })
  expect(second.data.sale).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000, changeTotal: 5_000 })
  expect(await levelOf(acme(), other.outletId, other.latte)).toBe(3)
  const third = await acme().post(`${path}/payments`, { method: 'CASH', amount: 1 })
  expect([third.status, third.error.code, third.error.details.sale.status]).toEqual([
    409,
    'CONFLICT',
    'COMPLETED',
  ])
  const voided = await acme().post(`${path}/void`, { reason: 'wrong table' })
  expect(voided.data.sale).toMatchObject({
    status: 'VOIDED',
    voidReason: 'wrong table',
    total: 30_000,
    remaining: 0,
    refundedTotal: 0,
  })
  expect(await levelOf(acme(), other.outletId, other.latte)).toBe(5)
  expect((await acme().post(`${path}/void`)).status).toBe(409)
})

test('a bill is edited under its version and settled', async () => {
  const other = await openShop(acme())
  const opened = await acme().post('/sales', {
    outletId: other.outletId,
    items: [{ variantId: other.latte, quantity: 1, note: 'hot' }],
  })
  const { id, items, version } = opened.data.sale
  const edit = {
    items: [
      { id: items[0].id, quantity: 2 },
      { variantId: other.cake, quantity: 1 },
    ],
    orderDiscount: 500,
  }
  const edited = await acme().patch(`/sales/${id}/items`, edit, { headers: { 'if-match': `"${version}"` } })
  expect(edited.status, edited.text).toBe(200)
  expect(edited.data.sale).toMatchObject({
    subtotal: 37_500,
    total: 37_000,
    version: version + 1,
    itemCount: 2,
  })
  expect(edited.data.sale.items[0]).toMatchObject({ id: items[0].id, quantity: 2, note: 'hot' })
  const stale = await acme().patch(`/sales/${id}/items`, edit, { headers: { 'if-match': `"${version}"` } })
  expect([stale.status, stale.error.details.sale.version]).toEqual([409, version + 1])
  const short = await acme().post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 1_000 }] })
  expect(refusalOf(short)).toMatchObject({ status: 422, param: 'payments' })
  const settled = await acme().post(`/sales/${id}/settle`, {
    payments: [
      { method: 'CARD', amount: 7_000 },
      { method: 'CASH', amount: 30_000 },
    ],
  })
  expect(settled.data.sale.status).toBe('COMPLETED')
})

test('one key replays one sale, byte for byte', async () => {
  const body = { outletId: shop.outletId, items: [{ variantId: shop.bag, quantity: 1 }], status: 'COMPLETED' }
  const first = await acme().post('/sales', body, { idempotencyKey: 'till-1-0001' })
  const again = await acme().post('/sales', body, { idempotencyKey: 'till-1-0001' })
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(again.data).toEqual(first.data)
  const other = await acme().post('/sales', { ...body, note: 'x' }, { idempotencyKey: 'till-1-0001' })
  expect(refusalOf(other)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
})

test('a sale refunds its lines and then the rest', async () => {
  const taxed = await openShop(acme(), { taxRateBps: 1000 })
  await stock(acme(), taxed.outletId, taxed.latte, 10)
  const sold = await acme().post('/sales', {
    outletId: taxed.outletId,
    items: [{ variantId: taxed.latte, quantity: 3 }],
    deliveryFee: 5_000,
    status: 'COMPLETED',
  })
  const { id, items } = sold.data.sale
  const part = await acme().post(`/sales/${id}/refund`, {
    lines: [{ transactionItemId: items[0].id, qty: 1 }],
    restock: true,
  })
  expect(part.status, part.text).toBe(200)
  expect(part.data).toMatchObject({
    giftCard: null,
    sale: { status: 'COMPLETED', refundStatus: 'PARTIAL', refundedTotal: 16_500 },
  })
  expect(await levelOf(acme(), taxed.outletId, taxed.latte)).toBe(8)
  expect((await acme().post(`/sales/${id}/void`)).status).toBe(409)
  const rest = await acme().post(`/sales/${id}/refund`, {})
  expect(rest.data.sale).toMatchObject({ refundStatus: 'FULL', refundedTotal: 54_500 })
  expect((await acme().post(`/sales/${id}/refund`, {})).status).toBe(409)
})

test('a bill splits and merges without losing a rupiah', async () => {
  const other = await openShop(acme())
  const opened = await acme().post('/sales', {
    outletId: other.outletId,
    orderType: 'DINE_IN',
    items: [
      { variantId: other.latte, quantity: 3 },
      { variantId: other.cake, quantity: 1 },
    ],
  })
  const { id, items } = opened.data.sale
  const split = await acme().post(`/sales/${id}/split`, { items: [{ id: items[0].id, quantity: 1 }] })
  expect(split.status, split.text).toBe(201)
  expect([split.data.sale.total, split.data.from.total]).toEqual([15_000, 37_500])
  const merged = await acme().post(`/sales/${id}/merge`, { saleId: split.data.sale.id })
  expect(merged.status, merged.text).toBe(200)
  expect([merged.data.sale.total, merged.data.merged.status]).toEqual([52_500, 'VOIDED'])
})

test('the list filters, pages and never shows another workspace', async () => {
  const other = await openShop(acme())
  for (let index = 0; index < 3; index += 1) {
    await acme().post('/sales', { outletId: other.outletId, items: [{ variantId: other.bag, quantity: 1 }] })
  }
  const first = await acme().get(`/sales?outletId=${other.outletId}&limit=2`)
  expect([first.data.length, first.meta.hasMore]).toEqual([2, true])
  const second = await acme().get(`/sales?outletId=${other.outletId}&limit=2&cursor=${first.meta.cursor}`)
  expect([second.data.length, second.meta.hasMore, second.meta.cursor]).toEqual([1, false, null])
  expect((await acme().get('/sales?outletId=out_nowhere')).data).toEqual([])
  expect((await globex().get(`/sales?outletId=${other.outletId}`)).data).toEqual([])
  expect((await globex().get(`/sales/${first.data[0].id}`)).status).toBe(404)
})

test.each([
  [{ items: [] }, 422, 'items'],
  [{ items: [{ variantId: 'var_nope', quantity: 1 }] }, 404, 'items[0].variantId'],
  [{ items: [{ quantity: 1 }] }, 400, 'items[0].variantId'],
  [{ items: 'x' }, 400, 'items'],
])('POST /sales refuses %j', async (body, status, param) => {
  const refused = await sell(body)
  expect(refusalOf(refused)).toMatchObject({ status, param })
})
