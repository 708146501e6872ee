import { beforeAll, describe, expect, test } from 'vitest'
import { makeProduct, makeTable, openShift, openShop, type Shop, stock } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { assertInvariants, refusalOf, saleOf } from '../../../support/expect.ts'
import { levelOf } from '../../../support/read.ts'
import { acme, deps, globex, useService, workspace } from '../../../support/service.ts'

useService()

type Fields = Record<string, unknown>
const sell = async (outletId: string, items: Fields[], fields: Fields = {}) =>
  saleOf(await acme().post('/sales', { outletId, items, status: 'COMPLETED', ...fields }))
const park = (outletId: string, items: Fields[], fields: Fields = {}) =>
  sell(outletId, items, { status: 'PARKED', ...fields })
const edit = async (id: string, body: Fields) => saleOf(await acme().patch(`/sales/${id}/items`, body))
const reread = async (id: string) => saleOf(await acme().get(`/sales/${id}`))
const refund = async (id: string, body: Fields = {}) => {
  const { data } = await acme().post(`/sales/${id}/refund`, body)
  return data.sale.refunds.find((row: { id: string }) => row.id === data.refundId)
}
const textReceipt = async (id: string) =>
  (await acme().get(`/sales/${id}/receipt?format=text&lang=en`)).text as string

describe('tax per product', () => {
  let shop: Shop
  let rice: { id: string; variants: { id: string }[] }
  let syrup: { id: string; variants: { id: string }[] }
  beforeAll(async () => {
    shop = await openShop(acme(), { taxRateBps: 1_000, taxLabel: 'PB1' })
    rice = await makeProduct(acme(), { name: 'Beras', taxRateBps: 0, variants: [{ price: 20_000 }] })
    syrup = await makeProduct(acme(), { name: 'Sirup', taxRateBps: 1_100, variants: [{ price: 10_005 }] })
  })

  const cart = () => [
    { variantId: shop.latte, quantity: 1 },
    { variantId: rice.variants[0]?.id, quantity: 1 },
    { variantId: syrup.variants[0]?.id, quantity: 1 },
  ]

  test('each rate is taxed once, sorted by rate, and the receipt lists each rate above 0', async () => {
    const sale = await sell(shop.outletId, cart())
    expect(sale).toMatchObject({
      taxes: [
        { rateBps: 0, base: 20_000, tax: 0 },
        { rateBps: 1_000, base: 15_000, tax: 1_500 },
        { rateBps: 1_100, base: 10_005, tax: 1_101 },
      ],
      taxTotal: 2_601,
      total: 47_606,
      items: [
        { taxRateBps: 1_000, taxAmount: 1_500, lineTotal: 16_500 },
        { taxRateBps: 0, taxAmount: 0, lineTotal: 20_000 },
        { taxRateBps: 1_100, taxAmount: 1_101, lineTotal: 11_106 },
      ],
    })
    expect(await reread(sale.id)).toMatchObject({ taxes: sale.taxes, items: sale.items })
    const text = await textReceipt(sale.id)
    expect(text).toMatch(/PB1 10% +Rp 1\.500/)
    expect(text).toMatch(/PB1 11% +Rp 1\.101/)
  })

  test('a sale at one rate shows it, and nothing else changes', async () => {
    const sale = await sell(shop.outletId, [{ variantId: shop.latte, quantity: 2 }])
    expect(sale).toMatchObject({
      taxes: [{ rateBps: 1_000, base: 30_000, tax: 3_000 }],
      serviceCharge: null,
      roundingTotal: 0,
      total: 33_000,
      items: [{ taxRateBps: 1_000, serviceShare: 0 }],
      payments: [{ rounding: 0 }],
    })
  })

  test('a changed rate is on the next sale, and on an open bill once it is edited', async () => {
    const product = await makeProduct(acme(), { taxRateBps: 500 })
    const items = [{ variantId: product.variants[0].id, quantity: 1 }]
    const bill = await park(shop.outletId, items)
    expect(bill.taxTotal).toBe(500)
    await acme().patch(`/products/${product.id}`, { taxRateBps: null })
    expect((await sell(shop.outletId, items)).taxTotal).toBe(1_000)
    expect((await reread(bill.id)).taxTotal).toBe(500)
    expect((await edit(bill.id, { items: [{ id: bill.items[0].id }] })).taxTotal).toBe(1_000)
  })

  test('refunds in parts give back the tax of each rate exactly', async () => {
    const sale = await sell(shop.outletId, cart())
    const lines = [{ transactionItemId: sale.items[2].id, qty: 1 }]
    expect(await refund(sale.id, { lines })).toMatchObject({
      amount: 11_106,
      split: { goods: 10_005, tax: 1_101, service: 0, deliveryFee: 0 },
    })
    await refund(sale.id, { amount: 7_777 })
    await refund(sale.id)
    expect(await reread(sale.id)).toMatchObject({ refundStatus: 'FULL', refundedTotal: 47_606 })
    await assertInvariants(deps().db)
  })

  test('reports and the shift tell the tax of each rate', async () => {
    const { outletId } = await openShop(acme(), { taxRateBps: 1_000 })
    const shiftId = await openShift(acme(), outletId)
    const sale = await sell(outletId, cart())
    const taxes = [
      { rateBps: 1_000, tax: 1_500 },
      { rateBps: 1_100, tax: 1_101 },
    ]
    const { shift } = (await acme().get(`/shifts/${shiftId}`)).data
    expect(shift.summary).toMatchObject({ tax: 2_601, taxes: [{ rateBps: 0, tax: 0 }, ...taxes] })
    const summary = async () => (await acme().get(`/reports/summary?outletId=${outletId}`)).data
    expect(await summary()).toMatchObject({ tax: 2_601, taxes: [{ rateBps: 0, tax: 0 }, ...taxes].slice(1) })
    await refund(sale.id)
    expect(await summary()).toMatchObject({ tax: 0, collected: 0 })
  })

  test('a rate outside 0 to 10000 is refused', async () => {
    for (const taxRateBps of [-1, 10_001, 1.5]) {
      const answer = await acme().patch(`/products/${rice.id}`, { taxRateBps })
      expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'taxRateBps' })
    }
    expect((await globex().patch(`/products/${rice.id}`, { taxRateBps: 0 })).status).toBe(404)
  })
})

describe('service charge', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(acme(), { taxRateBps: 1_000, serviceChargeBps: 500 })
  })
  const lattes = (quantity = 2) => [{ variantId: shop.latte, quantity }]
  const dineIn = { orderType: 'DINE_IN' }

  test('a dine-in sale pays it with its tax, a takeaway does not', async () => {
    const sale = await sell(shop.outletId, lattes(), { ...dineIn, orderDiscount: 3_000 })
    expect(sale).toMatchObject({
      serviceCharge: { bps: 500, base: 27_000, amount: 1_350, tax: 135 },
      taxes: [{ rateBps: 1_000, base: 28_350, tax: 2_835 }],
      taxTotal: 2_835,
      total: 31_185,
      items: [{ lineTotal: 29_700, serviceShare: 1_485 }],
    })
    expect(await reread(sale.id)).toMatchObject({ serviceCharge: sale.serviceCharge, taxes: sale.taxes })
    const text = await textReceipt(sale.id)
    expect(text).toMatch(/Service charge 5% +Rp 1\.350/)
    expect(text).toMatch(/Tax 10% +Rp 2\.835/)
    const takeaway = await sell(shop.outletId, lattes(), { orderType: 'TAKEAWAY' })
    expect(takeaway).toMatchObject({ serviceCharge: null, total: 33_000 })
  })

  test('the base can be the price before discounts, and the charge untaxed', async () => {
    const { outletId } = await openShop(acme(), {
      taxRateBps: 1_000,
      serviceChargeBps: 500,
      serviceChargeBase: 'BEFORE_DISCOUNT',
    })
    const fields = { ...dineIn, orderDiscount: 3_000 }
    expect(await sell(outletId, lattes(), fields)).toMatchObject({
      serviceCharge: { bps: 500, base: 30_000, amount: 1_500, tax: 150 },
      total: 31_350,
    })
    await acme().patch(`/outlets/${outletId}`, { serviceChargeTaxable: false })
    expect(await sell(outletId, lattes(), fields)).toMatchObject({
      serviceCharge: { bps: 500, base: 30_000, amount: 1_500, tax: 0 },
      taxTotal: 2_700,
      total: 31_200,
    })
  })

  test('inclusive prices are freed of their tax before it is computed, and its tax comes on top', async () => {
    const { outletId } = await openShop(acme(), {
      taxRateBps: 1_000,
      taxInclusive: true,
      serviceChargeBps: 500,
    })
    const sale = await sell(outletId, lattes(), dineIn)
    expect(sale).toMatchObject({
      serviceCharge: { bps: 500, base: 27_273, amount: 1_364, tax: 136 },
      taxes: [{ rateBps: 1_000, base: 28_637, tax: 2_863 }],
      total: 31_500,
    })
    const summary = (await acme().get(`/reports/summary?outletId=${outletId}`)).data
    expect(summary).toMatchObject({ net: 27_273, tax: 2_863, service: 1_364, collected: 31_500 })
    await refund(sale.id)
    expect(await reread(sale.id)).toMatchObject({ refundStatus: 'FULL' })
  })

  test('a refund of units gives back their part of it, and the rest ends exactly at the total', async () => {
    const sale = await sell(shop.outletId, lattes(), { ...dineIn, orderDiscount: 3_000 })
    const lines = [{ transactionItemId: sale.items[0].id, qty: 1 }]
    expect(await refund(sale.id, { lines })).toMatchObject({
      amount: 15_592,
      split: { goods: 13_500, tax: 1_417, service: 675, deliveryFee: 0 },
      lines: [{ qty: 1, amount: 15_592 }],
    })
    expect(await refund(sale.id)).toMatchObject({
      amount: 15_593,
      split: { goods: 13_500, tax: 1_418, service: 675, deliveryFee: 0 },
    })
    expect(await reread(sale.id)).toMatchObject({ refundStatus: 'FULL', refundedTotal: 31_185 })
  })

  test('a waived charge is null, and stays waived through edits and splits until false is sent', async () => {
    const items = [...lattes(), { variantId: shop.cake, quantity: 1 }]
    const bill = await park(shop.outletId, items, { ...dineIn, waiveServiceCharge: true })
    expect(bill).toMatchObject({ serviceCharge: null, total: 41_250 })
    const kept = bill.items.map(({ id }: { id: string }) => ({ id }))
    expect((await edit(bill.id, { items: kept })).serviceCharge).toBeNull()
    const { data } = await acme().post(`/sales/${bill.id}/split`, {
      items: [{ id: bill.items[1].id, quantity: 1 }],
    })
    expect([data.sale.serviceCharge, data.from.serviceCharge]).toEqual([null, null])
    const charged = await edit(data.sale.id, {
      items: [{ id: data.sale.items[0].id }],
      waiveServiceCharge: false,
    })
    expect(charged).toMatchObject({ serviceCharge: { base: 7_500, amount: 375, tax: 38 }, total: 8_663 })
  })

  test('a split shares it out, a merge adds it up, and a settled bill shows it in shift and report', async () => {
    const { outletId } = await openShop(acme(), { taxRateBps: 1_000, serviceChargeBps: 500 })
    const shiftId = await openShift(acme(), outletId)
    const bill = await park(outletId, [...lattes(), { variantId: shop.cake, quantity: 1 }], dineIn)
    const { data } = await acme().post(`/sales/${bill.id}/split`, {
      items: [{ id: bill.items[1].id, quantity: 1 }],
    })
    expect(data.from.serviceCharge).toEqual({ bps: 500, base: 30_000, amount: 1_500, tax: 150 })
    expect(data.sale.serviceCharge).toEqual({ bps: 500, base: 7_500, amount: 375, tax: 38 })
    const merged = saleOf(await acme().post(`/sales/${bill.id}/merge`, { saleId: data.sale.id }))
    expect(merged).toMatchObject({ serviceCharge: { base: 37_500, amount: 1_875, tax: 188 }, total: 43_313 })
    const paid = saleOf(
      await acme().post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: 43_313, tendered: 50_000 }),
    )
    expect(paid).toMatchObject({ status: 'COMPLETED', changeTotal: 6_687 })
    const { shift } = (await acme().get(`/shifts/${shiftId}`)).data
    expect(shift.summary).toMatchObject({ gross: 37_500, tax: 3_938, service: 1_875 })
    const summary = (await acme().get(`/reports/summary?outletId=${outletId}`)).data
    expect(summary).toMatchObject({ net: 37_500, tax: 3_938, service: 1_875, collected: 43_313 })
    const page = (await acme().get(`/reports/shifts/${shiftId}?format=text&lang=en`)).text
    expect(page).toMatch(/Service charge +Rp 1\.875/)
  })

  test('points are earned on the goods alone', async () => {
    const customerId = (await acme().post('/customers', { name: 'Sari' })).data.customer.id
    const sale = await sell(shop.outletId, lattes(), { ...dineIn, customerId })
    expect([sale.serviceCharge.amount, sale.pointsEarned]).toEqual([1_500, 3])
  })

  test('an order at a table is dine-in, and a sale without an order type pays none', async () => {
    const table = await makeTable(acme(), shop.outletId)
    expect((await park(shop.outletId, lattes(), { tableId: table.id })).serviceCharge.amount).toBe(1_500)
    expect((await park(shop.outletId, lattes())).serviceCharge).toBeNull()
  })

  test('terms outside their bounds are refused', async () => {
    for (const [fields, param] of [
      [{ serviceChargeBps: 3_001 }, 'serviceChargeBps'],
      [{ serviceChargeOrderTypes: ['EAT_IN'] }, 'serviceChargeOrderTypes[0]'],
      [{ serviceChargeBase: 'NET' }, 'serviceChargeBase'],
      [{ cashRounding: { step: 25, mode: 'UP' } }, 'cashRounding.step'],
      [{ cashRounding: { step: 100, mode: 'ROUND' } }, 'cashRounding.mode'],
    ] as const) {
      const answer = await acme().patch(`/outlets/${shop.outletId}`, fields)
      expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
    }
  })
})

describe('cash rounding', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(acme(), { cashRounding: { step: 100, mode: 'NEAREST' } })
  })
  const worth = (unitPrice: number) => [{ variantId: shop.bag, quantity: 1, unitPrice }]
  const pay = (id: string, payment: Fields) => acme().post(`/sales/${id}/payments`, payment)

  test('cash that completes a sale is rounded, a tie up, and the total stays', async () => {
    expect(await sell(shop.outletId, worth(10_050))).toMatchObject({
      total: 10_050,
      paidTotal: 10_050,
      roundingTotal: 50,
      payments: [{ method: 'CASH', amount: 10_050, tendered: 10_100, change: 0, rounding: 50 }],
    })
    const payments = [{ method: 'CASH', amount: 10_040, tendered: 20_000 }]
    const sale = await sell(shop.outletId, worth(10_040), { payments })
    expect(sale).toMatchObject({
      roundingTotal: -40,
      changeTotal: 10_000,
      payments: [{ amount: 10_040, tendered: 20_000, change: 10_000, rounding: -40 }],
    })
    const text = await textReceipt(sale.id)
    expect(text).toMatch(/Rounding +-Rp 40/)
    expect(text).toMatch(/Cash +Rp 20\.000/)
    expect(text).toMatch(/Change +Rp 10\.000/)
  })

  test('other methods are not rounded, nor is cash that pays a part', async () => {
    const bill = await park(shop.outletId, worth(10_040))
    const part = saleOf(await pay(bill.id, { method: 'CASH', amount: 5_030 }))
    expect(part).toMatchObject({ status: 'PARKED', remaining: 5_010, roundingTotal: 0 })
    const rest = saleOf(await pay(bill.id, { method: 'QRIS', amount: 5_010 }))
    expect(rest).toMatchObject({ status: 'COMPLETED', roundingTotal: 0 })
  })

  test('cash of the rounded due or of the remaining amount completes a bill', async () => {
    const down = await park(shop.outletId, worth(10_040))
    expect(saleOf(await pay(down.id, { method: 'CASH', amount: 10_000 }))).toMatchObject({
      status: 'COMPLETED',
      payments: [{ amount: 10_040, tendered: 10_000, change: 0, rounding: -40 }],
    })
    const up = await park(shop.outletId, worth(10_060))
    expect(saleOf(await pay(up.id, { method: 'CASH', amount: 10_060 }))).toMatchObject({
      status: 'COMPLETED',
      payments: [{ amount: 10_060, tendered: 10_100, change: 0, rounding: 40 }],
    })
    const nothing = await park(shop.outletId, worth(40))
    expect(saleOf(await pay(nothing.id, { method: 'CASH', amount: 40, tendered: 0 }))).toMatchObject({
      status: 'COMPLETED',
      payments: [{ amount: 40, tendered: 0, rounding: -40 }],
    })
  })

  test('a settled bill with gift-free tenders rounds the cash that covers it', async () => {
    const bill = await park(shop.outletId, worth(10_040))
    const settled = saleOf(
      await acme().post(`/sales/${bill.id}/settle`, {
        payments: [
          { method: 'QRIS', amount: 5_000 },
          { method: 'CASH', amount: 5_040, tendered: 5_000 },
        ],
      }),
    )
    expect(settled).toMatchObject({ status: 'COMPLETED', roundingTotal: -40, changeTotal: 0 })
  })

  test('cash below the rounded due is refused', async () => {
    const bill = await park(shop.outletId, worth(10_060))
    const answer = await pay(bill.id, { method: 'CASH', amount: 10_060, tendered: 10_060 })
    expect(refusalOf(answer)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'tendered' })
    expect(answer.error.message).toContain('10100')
  })

  test('the drawer holds the rounded cash, through refund, void and close', async () => {
    const { outletId } = await openShop(acme(), { cashRounding: { step: 100, mode: 'NEAREST' } })
    const shiftId = await openShift(acme(), outletId, 1_000)
    const expectedCash = async () => (await acme().get(`/shifts/${shiftId}`)).data.shift.expectedCash
    const voided = await sell(outletId, worth(10_050))
    expect(await expectedCash()).toBe(11_100)
    await acme().post(`/sales/${voided.id}/void`, {})
    expect(await expectedCash()).toBe(1_000)
    const sale = await sell(outletId, worth(10_050))
    expect(await refund(sale.id, { amount: 3_020 })).toMatchObject({ amount: 3_020, rounding: -20 })
    expect(await expectedCash()).toBe(1_000 + 10_100 - 3_000)
    const listed = (await acme().get(`/shifts?outletId=${outletId}`)).data[0]
    expect(listed.expectedCash).toBe(8_100)
    const summary = (await acme().get(`/reports/summary?outletId=${outletId}`)).data
    expect(summary).toMatchObject({ collected: 7_030, rounding: 70 })
    const closed = (await acme().post(`/shifts/${shiftId}/close`, { countedCash: 8_100 })).data.shift
    expect(closed).toMatchObject({ difference: 0 })
    expect(closed.summary.cash).toMatchObject({
      opening: 1_000,
      sales: 20_100,
      refunds: 13_070,
      rounding: 70,
      expected: 8_100,
    })
    const page = (await acme().get(`/reports/shifts/${shiftId}?format=text&lang=en`)).text
    expect(page).toMatch(/Rounding +Rp 70/)
    await assertInvariants(deps().db)
  })

  test('a shift that was closed before rounding existed shows the tax of its rates', async () => {
    const { outletId } = await openShop(acme(), { taxRateBps: 1_100 })
    const shiftId = await openShift(acme(), outletId)
    await sell(outletId, worth(10_000))
    const { shift } = (await acme().post(`/shifts/${shiftId}/close`, { countedCash: 11_100 })).data
    await deps().pool.query(
      `update shifts set summary = (summary - 'taxes' - 'service') #- '{cash,rounding}' where id = $1`,
      [shiftId],
    )
    expect(shift.summary.taxes).toEqual([{ rateBps: 1_100, tax: 1_100 }])
    expect((await acme().get(`/shifts/${shiftId}`)).data.shift.summary).toEqual(shift.summary)
  })

  test('an open bill keeps the rounding it was opened with until it is edited', async () => {
    const { outletId } = await openShop(acme())
    const bill = await park(outletId, worth(10_050))
    await acme().patch(`/outlets/${outletId}`, { cashRounding: { step: 1_000, mode: 'DOWN' } })
    await edit(bill.id, { items: [{ id: bill.items[0].id }] })
    expect(saleOf(await pay(bill.id, { method: 'CASH', amount: 10_050 }))).toMatchObject({
      roundingTotal: -50,
      payments: [{ tendered: 10_050, change: 50 }],
    })
  })

  test.each([0, 100])(
    'a prepaid bill keeps the terms of its rounded cash when its outlet rounds to %i',
    async (step) => {
      const { outletId } = await openShop(acme(), { cashRounding: { step: 50, mode: 'NEAREST' } })
      const items = worth(10_040)
      const prepaid = { payments: [{ method: 'CASH', amount: 10_040 }] }
      const bill = await park(outletId, items, prepaid)
      expect(bill).toMatchObject({ status: 'PARKED', paidTotal: 10_040, roundingTotal: 10 })
      await acme().patch(`/outlets/${outletId}`, { cashRounding: { step, mode: 'NEAREST' } })
      const other = await park(outletId, worth(5_030))
      await acme().post(`/sales/${bill.id}/merge`, { saleId: other.id })
      const edited = await edit(bill.id, { items: [...items, ...worth(5_010)] })
      expect(edited).toMatchObject({ total: 15_050, roundingTotal: 10 })
      await assertInvariants(deps().db)
      const rest = await edit(bill.id, { items: [...items, ...worth(5_020)] })
      expect(saleOf(await pay(rest.id, { method: 'CASH', amount: 5_020 }))).toMatchObject({
        status: 'COMPLETED',
        roundingTotal: 10 - 20,
      })
      await assertInvariants(deps().db)
    },
  )

  test('a prepaid bill has the new terms once its rounded cash was corrected to another method', async () => {
    const { outletId } = await openShop(acme(), { cashRounding: { step: 100, mode: 'NEAREST' } })
    const items = worth(10_040)
    const bill = await park(outletId, items, { payments: [{ method: 'CASH', amount: 10_040 }] })
    await acme().patch(`/outlets/${outletId}`, { cashRounding: { step: 50, mode: 'NEAREST' } })
    const [{ id: paymentId }] = bill.payments
    await acme().post(`/sales/${bill.id}/payments/${paymentId}/correct`, { method: 'QRIS' })
    await edit(bill.id, { items: [...items, ...worth(5_060)] })
    expect(saleOf(await pay(bill.id, { method: 'CASH', amount: 5_060 }))).toMatchObject({
      status: 'COMPLETED',
      roundingTotal: -10,
    })
    await assertInvariants(deps().db)
  })
})

describe('open items', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(acme(), { taxRateBps: 1_000 })
    await stock(acme(), shop.outletId, shop.latte, 10)
  })
  const wrap = { name: 'Bungkus kado', unitPrice: 5_000, quantity: 2 }

  test('an item with a name and a price is sold without a product and moves no stock', async () => {
    const sale = await sell(shop.outletId, [wrap, { variantId: shop.latte, quantity: 1 }])
    expect(sale).toMatchObject({
      total: 27_500,
      items: [
        { variantId: null, productId: null, productName: 'Bungkus kado', quantity: 2, lineTotal: 11_000 },
        { variantId: shop.latte },
      ],
    })
    expect(await levelOf(acme(), shop.outletId, shop.latte)).toBe(9)
    expect(await textReceipt(sale.id)).toContain('Bungkus kado')
    const lines = [{ transactionItemId: sale.items[0].id, qty: 1 }]
    expect(await refund(sale.id, { lines, restock: true })).toMatchObject({ amount: 5_500 })
    await acme().post(`/sales/${(await sell(shop.outletId, [wrap])).id}/void`, {})
    await assertInvariants(deps().db)
  })

  test('reports count all of them in one row', async () => {
    const { outletId } = await openShop(acme())
    await sell(outletId, [wrap, { name: 'Ongkos rakit', unitPrice: 20_000, quantity: 1, discount: 1_000 }])
    const at = `outletId=${outletId}`
    const top = (await acme().get(`/reports/top-products?${at}`)).data.products
    expect(top).toEqual([{ productId: null, name: 'Open items', quantity: 3, grams: 0, revenue: 29_000 }])
    const margin = (await acme().get(`/reports/margin?${at}`)).data
    expect(JSON.stringify(margin)).toContain(
      '"productId":null,"name":"Open items","quantity":3,"grams":0,"revenue":29000',
    )
  })

  test('its own rate, discount, modifiers and station are kept, and an edit matches it by its name', async () => {
    const item = {
      ...wrap,
      taxRateBps: 0,
      discount: 1_000,
      modifiers: [{ name: 'Pita', price: 500 }],
      station: 'kado',
      note: 'merah',
    }
    const bill = await park(shop.outletId, [item], { orderType: 'TAKEAWAY' })
    expect(bill).toMatchObject({
      total: 10_000,
      items: [{ taxRateBps: 0, discount: 1_000, station: 'kado', note: 'merah', kitchenStatus: 'NEW' }],
    })
    const again = await edit(bill.id, { items: [{ ...item, quantity: 3 }] })
    expect(again.items).toHaveLength(1)
    expect(again).toMatchObject({ total: 15_500, items: [{ id: bill.items[0].id, quantity: 3 }] })
    const renamed = await edit(bill.id, {
      items: [{ id: bill.items[0].id, name: 'Kado besar', taxRateBps: null }],
    })
    expect(renamed).toMatchObject({
      total: 17_050,
      items: [{ productName: 'Kado besar', taxRateBps: 1_000, station: 'kado' }],
    })
  })

  test('the kitchen sees it when it has a station, and else not', async () => {
    const { outletId } = await openShop(acme())
    const tickets = async () => (await acme().get(`/kds?outletId=${outletId}`)).data.tickets
    await park(outletId, [wrap], { orderType: 'TAKEAWAY' })
    expect(await tickets()).toEqual([])
    await park(outletId, [{ ...wrap, station: 'bar' }, wrap], { orderType: 'TAKEAWAY' })
    const [ticket, ...more] = await tickets()
    expect(more).toEqual([])
    expect(ticket.items).toMatchObject([{ name: 'Bungkus kado', station: 'bar' }])
  })

  test('bad input names its field', async () => {
    const { latte } = shop
    for (const [item, param] of [
      [{ quantity: 1 }, 'items[0].variantId'],
      [{ name: 'Kado', quantity: 1 }, 'items[0].unitPrice'],
      [{ variantId: latte, name: 'Kado', quantity: 1 }, 'items[0].name'],
      [{ variantId: latte, station: 'bar', quantity: 1 }, 'items[0].station'],
      [{ variantId: latte, taxRateBps: 0, quantity: 1 }, 'items[0].taxRateBps'],
      [{ ...wrap, taxRateBps: 10_001 }, 'items[0].taxRateBps'],
      [{ ...wrap, name: '' }, 'items[0].name'],
    ] as const) {
      const answer = await acme().post('/sales', { outletId: shop.outletId, items: [item] })
      expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
    }
    const bill = await park(shop.outletId, [{ variantId: latte, quantity: 1 }])
    const answer = await acme().patch(`/sales/${bill.id}/items`, {
      items: [{ id: bill.items[0].id, name: 'Kado' }],
    })
    expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'items[0].name' })
  })

  test('where they are switched off none is sold, except one that is on the bill already', async () => {
    const { outletId } = await openShop(globex())
    const post = (body: Fields) => globex().post('/sales', { outletId, ...body })
    const bill = saleOf(await post({ items: [wrap], status: 'PARKED' }))
    expect((await globex().put('/settings', { openItems: false })).data.settings.openItems).toBe(false)
    const refusal = { status: 422, code: 'VALIDATION_ERROR', param: 'items[0].name' }
    expect(refusalOf(await post({ items: [wrap] }))).toEqual(refusal)
    const change = (items: Fields[]) => globex().patch(`/sales/${bill.id}/items`, { items })
    expect(saleOf(await change([{ id: bill.items[0].id, quantity: 4 }])).total).toBe(20_000)
    expect(refusalOf(await change([{ ...wrap, name: 'Lain' }]))).toEqual(refusal)
  })
})

describe('approvals', () => {
  test('a cashier needs one for an open item and for waiving the service charge, on a sale and on an edit', async () => {
    const api = await workspace('Approvals')
    const { outletId, latte } = await openShop(api, { serviceChargeBps: 500 })
    const { api: cashier } = await memberOf(api, 'CASHIER')
    const approvals = (await api.put('/settings', { approvals: { openItem: true, waiveService: true } })).data
      .settings.approvals
    expect(approvals).toMatchObject({ openItem: true, waiveService: true, priceChange: false })
    const items = [{ variantId: latte, quantity: 1 }]
    const wrap = { name: 'Bungkus kado', unitPrice: 5_000, quantity: 1 }
    const sale = (fields: Fields) =>
      cashier.post('/sales', { outletId, items, orderType: 'DINE_IN', ...fields })
    const needed = (answer: { status: number; error: { code: string; details: { action: string } } }) => [
      answer.status,
      answer.error.code,
      answer.error.details.action,
    ]
    expect(needed(await sale({ items: [wrap] }))).toEqual([403, 'APPROVAL_REQUIRED', 'openItem'])
    expect(needed(await sale({ waiveServiceCharge: true }))).toEqual([
      403,
      'APPROVAL_REQUIRED',
      'waiveService',
    ])
    const bill = saleOf(await sale({ status: 'PARKED' }))
    const change = (fields: Fields) =>
      cashier.patch(`/sales/${bill.id}/items`, { items: [{ id: bill.items[0].id }], ...fields })
    expect(needed(await change({ waiveServiceCharge: true }))).toEqual([
      403,
      'APPROVAL_REQUIRED',
      'waiveService',
    ])
    expect(needed(await change({ items: [{ id: bill.items[0].id }, wrap] }))).toEqual([
      403,
      'APPROVAL_REQUIRED',
      'openItem',
    ])
    saleOf(await api.patch(`/sales/${bill.id}/items`, { items: [wrap], waiveServiceCharge: true }))
    expect(saleOf(await cashier.patch(`/sales/${bill.id}/items`, { items: [wrap] })).serviceCharge).toBeNull()
  })
})

describe('offline sales', () => {
  test('are computed by the terms and rates that the till used', async () => {
    const shop = await openShop(acme())
    const now = deps().clock.now()
    const body = (ref: string, printedTotal: number) => ({
      outletId: shop.outletId,
      orderType: 'DINE_IN',
      items: [
        { variantId: shop.latte, quantity: 2, unitPrice: 15_000, taxRateBps: 1_100 },
        { name: 'Kado', quantity: 1, unitPrice: 5_040 },
      ],
      payments: [{ method: 'CASH', amount: 40_771, tendered: 50_000 }],
      offline: {
        ref,
        soldAt: now,
        terms: {
          taxRateBps: 1_000,
          taxInclusive: false,
          serviceChargeBps: 500,
          serviceChargeOrderTypes: ['DINE_IN'],
          serviceChargeBase: 'AFTER_DISCOUNT',
          serviceChargeTaxable: true,
          cashRounding: { step: 500, mode: 'DOWN' },
        },
        printedTotal,
      },
    })
    // 35.040 of goods, 1.752 service; 11% of 30.000 is 3.300, 10% of 5.040 + 1.752 is 679.
    const answer = await acme().post('/sales', body('T1-1', 40_771))
    expect(saleOf(answer)).toMatchObject({
      total: 40_771,
      serviceCharge: { bps: 500, base: 35_040, amount: 1_752, tax: 175 },
      taxes: [
        { rateBps: 1_000, base: 6_792, tax: 679 },
        { rateBps: 1_100, base: 30_000, tax: 3_300 },
      ],
      roundingTotal: -271,
      changeTotal: 9_500,
    })
    expect(
      answer.data.warnings.map(({ code, field }: { code: string; field: string }) => [code, field]),
    ).toEqual([
      ['TAX_CHANGED', 'items[0].taxRateBps'],
      ['TERMS_CHANGED', 'offline.terms.taxRateBps'],
      ['TERMS_CHANGED', 'offline.terms.serviceChargeBps'],
      ['TERMS_CHANGED', 'offline.terms.cashRounding'],
    ])
    const wrong = await acme().post('/sales', body('T1-2', 40_770))
    expect(refusalOf(wrong)).toEqual({ status: 422, code: 'OFFLINE_TOTAL', param: 'offline.printedTotal' })
  })
})
