import { beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Api } from '../../../support/api.ts'
import { makeCustomer, makeTable, openShift, openShop, type Shop } from '../../../support/build.ts'
import { refusalOf, saleOf } from '../../../support/expect.ts'
import { acme, globex, useService, workspace } from '../../../support/service.ts'

useService({ clock: manualClock('2026-04-01T02:03:04.567Z') })

type Fields = Record<string, unknown>
const INSTANT = '2026-04-01T02:03:04.567Z'

describe('the receipt', () => {
  test('says everything there is to say about a sale', async () => {
    const api = acme()
    const receipt = {
      address: 'Jl. Kemang 1',
      phone: '021 555',
      receiptHeader: 'Halo',
      receiptFooter: 'Sampai jumpa',
    }
    const shop = await openShop(api, { taxRateBps: 1_000, ...receipt })
    const table = await makeTable(api, shop.outletId, 'R1')
    const customerId = await makeCustomer(api, { phone: '0812' })
    const shiftId = await openShift(api, shop.outletId)
    const items = [
      { variantId: shop.latte, quantity: 1, modifiers: [{ name: 'Oat', price: 5_000 }], note: 'hot' },
    ]
    const payments = [
      { method: 'CASH', amount: 22_000, tendered: 30_000, reference: 'till 1', providerRef: 'ref-1' },
    ]
    const body = { outletId: shop.outletId, tableId: table.id, customerId, items, payments, note: 'birthday' }
    const sold = saleOf(await api.post('/sales', body))
    await api.post(`/sales/${sold.id}/refund`, { amount: 2_200, reason: 'late' })
    const sale = saleOf(await api.get(`/sales/${sold.id}`))
    const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9A-Z]{26}$`))
    const stamps = { createdAt: INSTANT, updatedAt: INSTANT }
    expect(sale).toEqual({
      id: id('txn'),
      number: '260401-0001',
      outletId: shop.outletId,
      shiftId,
      customerId,
      tableId: table.id,
      orderType: 'DINE_IN',
      channel: null,
      promotions: [],
      voucherCodes: [],
      status: 'COMPLETED',
      note: 'birthday',
      itemCount: 1,
      subtotal: 20_000,
      discountTotal: 0,
      orderDiscount: 0,
      promoDiscount: 0,
      taxRateBps: 1_000,
      taxInclusive: false,
      taxTotal: 2_000,
      taxes: [{ rateBps: 1_000, base: 20_000, tax: 2_000 }],
      serviceCharge: null,
      deliveryFee: 0,
      total: 22_000,
      paidTotal: 22_000,
      remaining: 0,
      changeTotal: 8_000,
      roundingTotal: 0,
      refundedTotal: 2_200,
      refundStatus: 'PARTIAL',
      pointsEarned: 2,
      discountCode: null,
      redeemPoints: null,
      delivery: { status: null, shipmentId: null },
      deliveryDraft: null,
      version: 2,
      cashierId: api.workspace.keyId,
      completedAt: INSTANT,
      voidedAt: null,
      voidReason: null,
      offline: null,
      approvedBy: null,
      ...stamps,
      outlet: { name: 'Kemang', ...receipt },
      customer: { id: customerId, name: 'Sari', phone: '0812' },
      table: { id: table.id, label: 'R1' },
      items: [
        {
          id: id('tli'),
          variantId: shop.latte,
          productId: id('prd'),
          productName: 'Latte',
          variantName: 'Default',
          sku: null,
          quantity: 1,
          pack: null,
          unitPrice: 15_000,
          soldBy: 'UNIT',
          labelPrice: null,
          priceListId: null,
          promotionShare: 0,
          modifiers: [{ name: 'Oat', price: 5_000, modifierId: null }],
          discount: 0,
          orderDiscountShare: 0,
          taxRateBps: 1_000,
          taxAmount: 2_000,
          lineTotal: 22_000,
          serviceShare: 0,
          note: 'hot',
          refundedQty: 0,
          components: [],
          batches: [],
          station: null,
          kitchenStatus: 'NEW',
          kitchenUpdatedAt: null,
          isActive: true,
          cancelledQty: 0,
          ...stamps,
        },
      ],
      payments: [
        {
          id: id('pay'),
          saleId: sale.id,
          method: 'CASH',
          amount: 22_000,
          tendered: 30_000,
          change: 8_000,
          rounding: 0,
          reference: 'till 1',
          providerRef: 'ref-1',
          dueDate: null,
          status: 'PAID',
          verified: false,
          corrections: [],
          applied: true,
          shiftId,
          refundedAmount: 2_200,
          paidAt: INSTANT,
          ...stamps,
        },
      ],
      refunds: [
        {
          id: id('rfd'),
          transactionId: sale.id,
          amount: 2_200,
          split: { goods: 2_000, tax: 200, service: 0, deliveryFee: 0 },
          lines: [],
          method: 'CASH',
          tenders: [{ method: 'CASH', amount: 2_200, paymentId: null }],
          rounding: 0,
          restock: false,
          giftCardId: null,
          reason: 'late',
          shiftId,
          actorId: api.workspace.keyId,
          approvedBy: null,
          ...stamps,
        },
      ],
    })
    const { items: _lines, outlet: _outlet, customer: _customer, table: _table, ...row } = sale
    expect((await api.get(`/sales?tableId=${table.id}`)).data).toEqual([row])
  })

  test('is nobody else’s to read', async () => {
    const shop = await openShop(acme())
    const body = { outletId: shop.outletId, items: [{ variantId: shop.bag, quantity: 1 }] }
    const { id } = saleOf(await acme().post('/sales', body))
    expect(refusalOf(await globex().get(`/sales/${id}`))).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect(refusalOf(await acme().get('/sales/txn_01ARZ3NDEKTSV4RRFFQ69G5FAV'))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
    expect((await acme().get(`/sales/${'x'.repeat(65)}`)).status).toBe(404)
  })

  test('keeps the names of the day it was sold', async () => {
    const shop = await openShop(acme())
    const body = {
      outletId: shop.outletId,
      items: [{ variantId: shop.bag, quantity: 1 }],
      status: 'COMPLETED',
    }
    const sold = saleOf(await acme().post('/sales', body))
    await acme().patch(`/products/${sold.items[0].productId}`, { name: 'Paper bag' })
    expect(saleOf(await acme().get(`/sales/${sold.id}`)).items[0].productName).toBe('Bag')
  })
})

describe('the list', () => {
  let api: Api
  let shop: Shop
  let other: Shop
  let table: { id: string }
  let shiftId: string
  let customerId: string
  /** Ids by name, in the order they were made, all in one millisecond. */
  const made: Record<string, string> = {}
  beforeAll(async () => {
    api = await workspace()
    shop = await openShop(api)
    other = await openShop(api)
    table = await makeTable(api, shop.outletId, 'L1')
    customerId = await makeCustomer(api)
    const sell = async (name: string, fields: Fields = {}) => {
      const body = { outletId: shop.outletId, items: [{ variantId: shop.bag, quantity: 1 }], ...fields }
      made[name] = saleOf(await api.post('/sales', body)).id
    }
    await sell('parked')
    await sell('completed', { status: 'COMPLETED', customerId })
    await sell('elsewhere', { outletId: other.outletId })
    await sell('table', { tableId: table.id })
    await sell('takeaway', { orderType: 'TAKEAWAY', status: 'COMPLETED' })
    await sell('voided')
    await api.post(`/sales/${made['voided']}/discard`)
    shiftId = await openShift(api, shop.outletId)
    await sell('shift', { status: 'COMPLETED', orderType: 'DELIVERY' })
  })
  const names = (rows: { id: string }[]) =>
    rows.map(({ id }) => Object.entries(made).find(([, known]) => known === id)?.[0])

  test.each([
    ['', ['shift', 'voided', 'takeaway', 'table', 'elsewhere', 'completed', 'parked']],
    ['outletId=@other', ['elsewhere']],
    ['status=PARKED', ['table', 'elsewhere', 'parked']],
    ['status=COMPLETED', ['shift', 'takeaway', 'completed']],
    ['status=VOIDED', ['voided']],
    ['shiftId=@shift', ['shift']],
    ['tableId=@table', ['table']],
    ['customerId=@customer', ['completed']],
    ['orderType=DINE_IN', ['table']],
    ['orderType=TAKEAWAY', ['takeaway']],
    ['orderType=DELIVERY', ['shift']],
    ['status=COMPLETED&orderType=TAKEAWAY&outletId=@shop', ['takeaway']],
    ['status=PARKED&shiftId=@shift', []],
    ['outletId=out_nowhere', []],
    ['tableId=tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV', []],
    ['shiftId=x', []],
  ])('by %s', async (query, expected) => {
    const filled = query
      .replace('@other', other.outletId)
      .replace('@shop', shop.outletId)
      .replace('@shift', shiftId)
      .replace('@table', table.id)
      .replace('@customer', customerId)
    const { status, data } = await api.get(`/sales?${filled}`)
    expect([status, names(data)]).toEqual([200, expected])
    expect((await globex().get(`/sales?${filled}`)).data.some((row: { id: string }) => names([row])[0])).toBe(
      false,
    )
  })

  test('pages through sales of one millisecond without losing or repeating one', async () => {
    for (const limit of [1, 2, 3, 7]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await api.get(`/sales?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
        expect(page.meta.hasMore).toBe(page.meta.cursor !== null)
        seen.push(...page.data.map((row: { id: string }) => row.id))
        cursor = page.meta.cursor
      } while (cursor !== null)
      expect(names(seen.map((id) => ({ id })))).toEqual(Object.keys(made).toReversed())
    }
  })

  test('a page does not shift while new sales come in', async () => {
    const first = await api.get(`/sales?outletId=${other.outletId}&limit=1`)
    expect(first.meta).toMatchObject({ hasMore: false, cursor: null })
    const page = await api.get('/sales?limit=3')
    const body = { outletId: shop.outletId, items: [{ variantId: shop.bag, quantity: 1 }] }
    made['late'] = saleOf(await api.post('/sales', body)).id
    const next = await api.get(`/sales?limit=3&cursor=${page.meta.cursor}`)
    expect(names(next.data)).toEqual(['table', 'elsewhere', 'completed'])
    expect(names((await api.get('/sales?limit=1')).data)).toEqual(['late'])
  })

  test.each([
    ['status=OPEN', 'status'],
    ['status=parked', 'status'],
    ['orderType=EAT', 'orderType'],
    ['orderType=', 'orderType'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=many', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=', 'cursor'],
    [`outletId=${'x'.repeat(65)}`, 'outletId'],
    ['tableId=', 'tableId'],
  ])('refuses %s', async (query, param) => {
    expect(refusalOf(await api.get(`/sales?${query}`))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param,
    })
  })

  test('refuses a cursor of another list', async () => {
    await makeCustomer(api, { name: 'Second' })
    for (let index = 0; index < 2; index += 1) await api.post('/gift-cards', { amount: 1 })
    const { meta } = await api.get('/gift-cards?limit=1')
    expect(refusalOf(await api.get(`/sales?cursor=${meta.cursor}`))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'cursor',
    })
  })
})
