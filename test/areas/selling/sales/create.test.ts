import { beforeAll, describe, expect, test } from 'vitest'
import {
  makeCustomer,
  makeProduct,
  makeTable,
  openShift,
  openShop,
  type Shop,
} from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { refusalOf, saleOf } from '../../../support/expect.ts'
import { acme, globex, useService } from '../../../support/service.ts'

useService()

let shop: Shop
let elsewhere: Shop
let table: { id: string; label: string }
beforeAll(async () => {
  shop = await openShop(acme())
  elsewhere = await openShop(acme())
  table = await makeTable(acme(), shop.outletId, 'A1')
})

const latte = (fields: Record<string, unknown> = {}) => ({ variantId: shop.latte, quantity: 1, ...fields })
const post = (body: Record<string, unknown>) =>
  acme().post('/sales', { outletId: shop.outletId, items: [latte()], ...body })
const cash = (amount: number) => [{ method: 'CASH', amount }]

describe('the state a sale opens in follows what was asked and what was paid', () => {
  const free = [{ variantId: '', quantity: 1, unitPrice: 0 }]
  const named = (body: Record<string, unknown>) =>
    'items' in body ? { ...body, items: [latte({ unitPrice: 0 })] } : body
  test.each([
    ['nothing asked, nothing paid', {}, 'PARKED', 0],
    ['an empty list of payments reads as none', { payments: [] }, 'PARKED', 0],
    ['nothing asked, covered', { payments: cash(15_000) }, 'COMPLETED', 1],
    ['nothing asked, a deposit', { payments: cash(5_000) }, 'PARKED', 1],
    ['nothing asked, of no cost', { items: free }, 'PARKED', 0],
    ['held, nothing paid', { status: 'PARKED' }, 'PARKED', 0],
    ['held, a deposit', { status: 'PARKED', payments: cash(5_000) }, 'PARKED', 1],
    ['held, prepaid', { status: 'PARKED', payments: cash(15_000) }, 'PARKED', 1],
    ['completed, no tender named', { status: 'COMPLETED' }, 'COMPLETED', 1],
    ['completed, an empty list', { status: 'COMPLETED', payments: [] }, 'COMPLETED', 1],
    ['completed, covered', { status: 'COMPLETED', payments: cash(15_000) }, 'COMPLETED', 1],
    ['completed, of no cost', { status: 'COMPLETED', items: free }, 'COMPLETED', 0],
  ])('%s', async (_, body, status, tenders) => {
    const sale = saleOf(await post(named(body)))
    expect([sale.status, sale.payments.length, sale.completedAt !== null]).toEqual([
      status,
      tenders,
      status === 'COMPLETED',
    ])
    expect(sale.remaining).toBe(sale.total - sale.paidTotal)
  })

  test('completed with tenders that do not cover is refused and leaves nothing', async () => {
    const before = (await acme().get(`/sales?outletId=${shop.outletId}&limit=1`)).data[0].id
    const answer = await post({ status: 'COMPLETED', payments: cash(14_999) })
    expect(refusalOf(answer)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'payments' })
    expect((await acme().get(`/sales?outletId=${shop.outletId}&limit=1`)).data[0].id).toBe(before)
  })

  test('the tender nobody named is cash of exactly the total', async () => {
    const sale = saleOf(await post({ status: 'COMPLETED', items: [latte({ quantity: 3 })] }))
    expect(sale.payments).toMatchObject([
      { method: 'CASH', amount: 45_000, tendered: 45_000, change: 0, status: 'PAID', applied: true },
    ])
  })

  test('a failed attempt is kept for the log and pays nothing', async () => {
    const failed = { method: 'CARD', amount: 15_000, status: 'FAILED' }
    const sale = saleOf(await post({ payments: [failed, ...cash(15_000)] }))
    expect(sale).toMatchObject({ status: 'COMPLETED', paidTotal: 15_000 })
    expect(
      sale.payments.map((tender: { status: string; applied: boolean }) => [tender.status, tender.applied]),
    ).toEqual([
      ['FAILED', false],
      ['PAID', true],
    ])
    expect(refusalOf(await post({ status: 'COMPLETED', payments: [failed] }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'payments',
    })
  })

  test('a pending tender beside one that covers has failed once the sale is completed', async () => {
    const pending = { method: 'QRIS', amount: 15_000, status: 'PENDING', providerRef: 'create-1' }
    const sale = saleOf(await post({ payments: [pending, ...cash(15_000)] }))
    expect(sale.status).toBe('COMPLETED')
    expect(sale.payments.map((tender: { status: string }) => tender.status)).toEqual(['FAILED', 'PAID'])
    expect(await acme().get(`/sales/${sale.id}`).then(saleOf)).toEqual(sale)
  })
})

describe('where a sale belongs', () => {
  test.each([
    ['a counter sale has no order type', {}, null],
    ['at a table it is eaten here', { tableId: '@' }, 'DINE_IN'],
    ['an explicit type is kept', { tableId: '@', orderType: 'TAKEAWAY' }, 'TAKEAWAY'],
    ['an explicit null is kept too', { tableId: '@', orderType: null }, null],
    ['a delivery needs no table', { orderType: 'DELIVERY', tableId: null }, 'DELIVERY'],
  ])('%s', async (_, body, orderType) => {
    const sale = saleOf(await post('tableId' in body && body.tableId ? { ...body, tableId: table.id } : body))
    expect(sale.orderType).toBe(orderType)
    expect(sale.table).toEqual('tableId' in body && body.tableId ? { id: table.id, label: 'A1' } : null)
    expect(sale.items[0].kitchenStatus).toBe(orderType === null ? null : 'NEW')
  })

  test('the caller’s open shift is taken when none is named, another one may be named', async () => {
    const { outletId, bag } = await openShop(acme())
    const other = await memberOf(acme(), 'CASHIER')
    const [mine, theirs] = [await openShift(acme(), outletId), await openShift(other.api, outletId)]
    const sell = (body: object) =>
      acme().post('/sales', {
        outletId,
        items: [{ variantId: bag, quantity: 1 }],
        status: 'COMPLETED',
        ...body,
      })
    const own = saleOf(await sell({}))
    expect([own.shiftId, own.payments[0].shiftId, own.cashierId]).toEqual([
      mine,
      mine,
      acme().workspace.keyId,
    ])
    expect(saleOf(await sell({ shiftId: null })).shiftId).toBe(mine)
    const named = saleOf(await sell({ shiftId: theirs }))
    // The sale counts for the shift it names; the money lies in the drawer of whoever took it.
    expect([named.shiftId, named.payments[0].shiftId]).toEqual([theirs, mine])
    await acme().post(`/shifts/${theirs}/close`, { countedCash: 0 })
    expect(refusalOf(await sell({ shiftId: theirs }))).toEqual({ status: 409, code: 'CONFLICT' })
    const moved = await acme().post('/sales', {
      outletId: elsewhere.outletId,
      items: [{ variantId: bag, quantity: 1 }],
      shiftId: theirs,
    })
    expect(refusalOf(moved)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'shiftId' })
  })

  test('ids of nowhere and of other workspaces are 404, records in the wrong relation 422', async () => {
    const foreign = await openShop(globex())
    const foreignCustomer = await makeCustomer(globex())
    const [there, idle] = [
      await makeTable(acme(), elsewhere.outletId, 'B1'),
      await makeTable(acme(), shop.outletId, 'A9'),
    ]
    await post({ tableId: idle.id })
    await acme().delete(`/tables/${idle.id}`)
    const gone = (await makeProduct(acme(), { isActive: false })).variants[0].id
    const erased = await makeCustomer(acme())
    await post({ customerId: erased })
    await acme().delete(`/customers/${erased}`)
    const unknown = (kind: string) => `${kind}_01ARZ3NDEKTSV4RRFFQ69G5FAV`
    const table404 = { status: 404, code: 'NOT_FOUND', param: 'tableId' }
    const cases: [Record<string, unknown>, object][] = [
      [{ outletId: unknown('out') }, { status: 404, code: 'NOT_FOUND', param: 'outletId' }],
      [{ outletId: foreign.outletId }, { status: 404, code: 'NOT_FOUND', param: 'outletId' }],
      [
        { items: [latte(), { variantId: foreign.latte, quantity: 1 }] },
        { status: 404, code: 'NOT_FOUND', param: 'items[1].variantId' },
      ],
      [{ customerId: foreignCustomer }, { status: 404, code: 'NOT_FOUND', param: 'customerId' }],
      [{ customerId: unknown('cus') }, { status: 404, code: 'NOT_FOUND', param: 'customerId' }],
      [{ tableId: unknown('tbl') }, table404],
      [{ shiftId: unknown('shf') }, { status: 404, code: 'NOT_FOUND', param: 'shiftId' }],
      [{ tableId: there.id }, { status: 422, code: 'VALIDATION_ERROR', param: 'tableId' }],
      [{ tableId: idle.id }, { status: 422, code: 'VALIDATION_ERROR', param: 'tableId' }],
      [{ customerId: erased }, { status: 422, code: 'VALIDATION_ERROR', param: 'customerId' }],
      [
        { items: [latte(), { variantId: gone, quantity: 1 }] },
        { status: 422, code: 'VALIDATION_ERROR', param: 'items[1].variantId' },
      ],
      // What does not exist is told before what is wrong.
      [
        { tableId: there.id, shiftId: unknown('shf') },
        { status: 404, code: 'NOT_FOUND', param: 'shiftId' },
      ],
      [{ tableId: unknown('tbl'), items: [] }, table404],
      [
        { items: [latte({ modifiers: [{ name: 'Oat', price: 1, modifierId: unknown('mod') }] })] },
        { status: 404, code: 'NOT_FOUND', param: 'items[0].modifiers[0].modifierId' },
      ],
    ]
    for (const [body, expected] of cases)
      expect(refusalOf(await post(body)), JSON.stringify(body)).toEqual(expected)
  })

  test('an inactive outlet sells nothing new but finishes its open bills', async () => {
    const closing = await openShop(acme())
    const line = { variantId: closing.bag, quantity: 1 }
    const bill = saleOf(await acme().post('/sales', { outletId: closing.outletId, items: [line] }))
    await acme().patch(`/outlets/${closing.outletId}`, { isActive: false })
    const refused = await acme().post('/sales', { outletId: closing.outletId, items: [line] })
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'outletId' })
    saleOf(await acme().patch(`/sales/${bill.id}/items`, { items: [{ ...line, quantity: 2 }] }))
    expect(saleOf(await acme().post(`/sales/${bill.id}/settle`, { payments: cash(1_000) })).status).toBe(
      'COMPLETED',
    )
  })
})

describe('what a line may say', () => {
  test('a price of its own, modifiers per unit and a discount for the whole line', async () => {
    const group = (await acme().post('/modifiers', { name: 'Milk' })).data.group.id
    const made = await acme().post(`/modifiers/${group}/items`, { name: 'Oat', price: 5_000 })
    const { modifier } = made.data
    const modifiers = [
      { name: 'Oat', price: 5_000, modifierId: modifier.id },
      { name: 'Extra hot', price: 0 },
    ]
    const line = latte({ quantity: 2, unitPrice: 12_000, modifiers, discount: 4_000, note: ' no sugar ' })
    const sale = saleOf(await post({ items: [line, latte({ modifiers: [], note: null })] }))
    expect(sale).toMatchObject({ subtotal: 45_000, discountTotal: 4_000, total: 45_000, itemCount: 2 })
    expect(sale.items[0]).toMatchObject({
      unitPrice: 12_000,
      quantity: 2,
      discount: 4_000,
      lineTotal: 30_000,
      note: 'no sugar',
      modifiers: [
        { name: 'Oat', price: 5_000, modifierId: modifier.id },
        { name: 'Extra hot', price: 0, modifierId: null },
      ],
    })
    expect(sale.items[1]).toMatchObject({ unitPrice: 15_000, modifiers: [], note: null })
  })

  test.each([
    [{ quantity: 0 }, 400, 'quantity'],
    [{ quantity: 1.5 }, 400, 'quantity'],
    [{ quantity: '1' }, 400, 'quantity'],
    [{ quantity: 100_001 }, 400, 'quantity'],
    [{ unitPrice: -1 }, 400, 'unitPrice'],
    [{ unitPrice: 1_000_000_001 }, 400, 'unitPrice'],
    [{ discount: -1 }, 400, 'discount'],
    [{ discount: 15_001 }, 422, 'discount'],
    [{ note: 'x'.repeat(301) }, 400, 'note'],
    [{ note: 7 }, 400, 'note'],
    [{ modifiers: [{ price: 1 }] }, 400, 'modifiers[0].name'],
    [{ modifiers: [{ name: ' ', price: 1 }] }, 400, 'modifiers[0].name'],
    [{ modifiers: [{ name: 'x'.repeat(81), price: 1 }] }, 400, 'modifiers[0].name'],
    [{ modifiers: [{ name: 'Oat' }] }, 400, 'modifiers[0].price'],
    [{ modifiers: [{ name: 'Oat', price: -1 }] }, 400, 'modifiers[0].price'],
    [{ modifiers: Array.from({ length: 51 }, () => ({ name: 'Oat', price: 0 })) }, 400, 'modifiers'],
  ])('is bounded: %j', async (fields, status, param) => {
    const answer = await post({ items: [latte(), latte(fields)] })
    expect(refusalOf(answer)).toEqual({ status, code: 'VALIDATION_ERROR', param: `items[1].${param}` })
  })

  test('every bound is reachable', async () => {
    const modifiers = Array.from({ length: 50 }, () => ({ name: '😀'.repeat(80), price: 0 }))
    const line = latte({ quantity: 100_000, unitPrice: 0, note: '😀'.repeat(300), modifiers, discount: 0 })
    expect(saleOf(await post({ items: [line], note: '😀'.repeat(500) })).total).toBe(0)
    const items = Array.from({ length: 500 }, () => ({ variantId: shop.bag, quantity: 1 }))
    expect(saleOf(await post({ items })).itemCount).toBe(500)
    const dear = latte({ quantity: 1_000, unitPrice: 1_000_000_000 })
    expect(saleOf(await post({ items: [dear] })).total).toBe(1_000_000_000_000)
  })
})

describe('what a sale may say', () => {
  const many = Array.from({ length: 501 }, () => ({ variantId: 'var_x', quantity: 1 }))
  test.each([
    [{ items: [] }, 422, 'items'],
    [{ items: many }, 400, 'items'],
    [{ orderType: 'EAT' }, 400, 'orderType'],
    [{ status: 'VOIDED' }, 400, 'status'],
    [{ note: 'x'.repeat(501) }, 400, 'note'],
    [{ orderDiscount: -1 }, 400, 'orderDiscount'],
    [{ orderDiscount: 15_001 }, 422, 'orderDiscount'],
    [{ deliveryFee: -1 }, 400, 'deliveryFee'],
    [{ deliveryFee: 1_000_000_000_000 }, 422, 'deliveryFee'],
    [{ discountCode: 'x'.repeat(51) }, 400, 'discountCode'],
    [{ redeemPoints: -1 }, 400, 'redeemPoints'],
    [{ deliveryDraft: { text: 'x'.repeat(32 * 1024) } }, 400, 'deliveryDraft'],
    [{ payments: Array.from({ length: 21 }, () => ({ method: 'CASH', amount: 1 })) }, 400, 'payments'],
    [{ payments: [{ method: 'BARTER', amount: 1 }] }, 400, 'payments[0].method'],
    [{ payments: [{ method: 'CASH', amount: 0 }] }, 400, 'payments[0].amount'],
    [{ payments: [{ method: 'CASH' }] }, 400, 'payments[0].amount'],
  ])('is bounded: %j', async (body, status, param) => {
    expect(refusalOf(await post(body))).toEqual({ status, code: 'VALIDATION_ERROR', param })
  })

  test('a sale above a million million rupiah is refused', async () => {
    const dear = latte({ quantity: 1_000, unitPrice: 1_000_000_000 })
    expect(refusalOf(await post({ items: [dear, latte({ unitPrice: 1 })] }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items',
    })
    const largest = latte({
      quantity: 100_000,
      unitPrice: 1_000_000_000,
      modifiers: Array.from({ length: 50 }, () => ({ name: 'Gold', price: 1_000_000_000 })),
    })
    expect((await post({ items: Array.from({ length: 500 }, () => largest) })).status).toBe(422)
  })

  test('the delivery fee is added after tax; code and points are kept without effect', async () => {
    const taxed = await openShop(acme(), { taxRateBps: 1_000 })
    const draft = { destination: { address: 'Jl. Sudirman 1', contact: { name: 'Budi' } }, items: [null, 1] }
    const body = {
      outletId: taxed.outletId,
      items: [{ variantId: taxed.latte, quantity: 2 }],
      orderType: 'DELIVERY',
      orderDiscount: 10_000,
      deliveryFee: 12_000,
      deliveryDraft: draft,
      discountCode: 'HEMAT',
      redeemPoints: 500,
      note: 'gate 2',
    }
    const sale = saleOf(await acme().post('/sales', body))
    expect(sale).toMatchObject({
      subtotal: 30_000,
      discountTotal: 10_000,
      orderDiscount: 10_000,
      promoDiscount: 0,
      taxTotal: 2_000,
      deliveryFee: 12_000,
      total: 34_000,
      discountCode: 'HEMAT',
      redeemPoints: 500,
      delivery: { status: 'awaiting_dispatch', shipmentId: null },
      note: 'gate 2',
    })
    expect(sale.deliveryDraft).toEqual(draft)
    expect(saleOf(await acme().get(`/sales/${sale.id}`)).deliveryDraft).toEqual(draft)
    expect(saleOf(await post({ deliveryDraft: null })).delivery.status).toBeNull()
    expect(saleOf(await post({ deliveryDraft: 'as sent' })).deliveryDraft).toBe('as sent')
  })

  test('inclusive prices hold their tax', async () => {
    const taxed = await openShop(acme(), { taxRateBps: 1_100, taxInclusive: true })
    const sale = saleOf(
      await acme().post('/sales', {
        outletId: taxed.outletId,
        items: [
          { variantId: taxed.latte, quantity: 2 },
          { variantId: taxed.cake, quantity: 1 },
        ],
        orderDiscount: 2_500,
        status: 'COMPLETED',
      }),
    )
    expect(sale).toMatchObject({ subtotal: 37_500, taxTotal: 3_468, total: 35_000, taxInclusive: true })
    const lines = sale.items.map((item: { lineTotal: number; taxAmount: number }) => [
      item.lineTotal,
      item.taxAmount,
    ])
    expect(lines).toEqual([
      [28_000, 2_774],
      [7_000, 694],
    ])
  })
})

test('a code and points that nothing valued are listed in warnings, and the sale keeps its full price', async () => {
  const code =
    'The code HEMAT was not applied, because the marketing module is off. Use orderDiscount to lower the price'
  const points = '50 points were not redeemed, because the marketing module is off'
  const expected = [
    { code: 'MARKETING_MODULE_DISABLED', field: 'discountCode', message: code },
    { code: 'MARKETING_MODULE_DISABLED', field: 'redeemPoints', message: points },
  ]
  const customerId = await makeCustomer(acme())
  for (const fields of [{ status: 'COMPLETED' }, { status: 'COMPLETED', customerId }, { status: 'PARKED' }]) {
    const answer = await post({ ...fields, discountCode: 'HEMAT', redeemPoints: 50 })
    expect([saleOf(answer).total, answer.data.warnings]).toEqual([15_000, expected])
  }
  const silent = await post({ status: 'COMPLETED', discountCode: '', redeemPoints: 0 })
  expect(silent.data.warnings).toEqual([])
  const idempotencyKey = `warned-${Date.now()}`
  const body = { outletId: shop.outletId, items: [latte()], status: 'COMPLETED', discountCode: 'HEMAT' }
  const first = await acme().post('/sales', body, { idempotencyKey })
  const again = await acme().post('/sales', body, { idempotencyKey })
  expect([again.data.warnings, again.data]).toEqual([expected.slice(0, 1), first.data])
})

describe('a sale that looks completed and is not paid is an open bill that says so', () => {
  const open = 'so the sale is an open bill: add the payment, or send status PARKED to open a bill'
  const nothing = `Nothing of Rp 15000 is paid, ${open}`
  const qris = (amount: number) => ({ method: 'QRIS', amount, status: 'PENDING' })
  const SAID: readonly [string, () => Record<string, unknown>, string][] = [
    ['without payments', () => ({}), nothing],
    ['with an empty list of payments', () => ({ payments: [] }), nothing],
    ['with a deposit', () => ({ payments: cash(5_000) }), `Only Rp 5000 of Rp 15000 is paid, ${open}`],
    ['with a failed payment', () => ({ payments: [{ ...qris(15_000), status: 'FAILED' }] }), nothing],
    ['with a pending payment of a part', () => ({ payments: [qris(5_000)] }), nothing],
    [
      'at a table, with a deposit',
      () => ({ tableId: table.id, payments: cash(5_000) }),
      `Only Rp 5000 of Rp 15000 is paid, ${open}`,
    ],
  ]
  const SILENT: readonly [string, () => Record<string, unknown>][] = [
    ['held on purpose', () => ({ status: 'PARKED' })],
    ['held on purpose with a deposit', () => ({ status: 'PARKED', payments: cash(5_000) })],
    ['of a table', () => ({ tableId: table.id })],
    ['that waits for a pending payment', () => ({ payments: [qris(15_000)] })],
    ['paid by cash and the rest pending', () => ({ payments: [...cash(5_000), qris(10_000)] })],
  ]
  test.each(SAID)('%s', async (_, fields, message) => {
    for (const customer of [{}, { customerId: await makeCustomer(acme()) }]) {
      const answer = await post({ ...customer, ...fields() })
      expect([answer.status, saleOf(answer).status]).toEqual([201, 'PARKED'])
      expect(answer.data.warnings).toEqual([{ code: 'NOT_PAID', field: 'payments', message }])
    }
  })
  test.each(SILENT)('but not one %s', async (_, fields) => {
    const answer = await post(fields())
    expect([saleOf(answer).status, answer.data.warnings]).toEqual(['PARKED', []])
  })
  test('beside what else was not done', async () => {
    const answer = await post({ discountCode: 'HEMAT' })
    expect(answer.data.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'MARKETING_MODULE_DISABLED',
      'NOT_PAID',
    ])
  })
})
