import { beforeAll, describe, expect, test } from 'vitest'
import {
  makeCard,
  makeCustomer,
  makeProduct,
  makeTable,
  openShop,
  type Shop,
} from '../../../support/build.ts'
import { refusalOf, saleOf } from '../../../support/expect.ts'
import { eventsAbout } from '../../../support/read.ts'
import { acme, globex, useService } from '../../../support/service.ts'

useService()

let shop: Shop
let elsewhere: Shop
beforeAll(async () => {
  shop = await openShop(acme())
  elsewhere = await openShop(acme())
})

type Fields = Record<string, unknown>
const latte = (quantity: number, fields: Fields = {}) => ({ variantId: shop.latte, quantity, ...fields })
const cake = (quantity: number, fields: Fields = {}) => ({ variantId: shop.cake, quantity, ...fields })
const open = async (items: Fields[], fields: Fields = {}) =>
  saleOf(await acme().post('/sales', { outletId: shop.outletId, items, status: 'PARKED', ...fields }))
const edit = (id: string, body: Fields, ifMatch?: string) =>
  acme().patch(`/sales/${id}/items`, body, ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } })
const read = async (id: string) => saleOf(await acme().get(`/sales/${id}`))

describe('lines are replaced and the bill is priced again', () => {
  test('by id a line keeps what it does not send; the list is the bill, in its order', async () => {
    const modifiers = [{ name: 'Oat', price: 5_000, modifierId: null }]
    const bill = await open([latte(2, { discount: 1_000, note: 'hot', modifiers }), cake(1)])
    const [first, second] = bill.items
    const body = { items: [latte(1, { note: 'new' }), { id: first.id, quantity: 3 }] }
    const sale = saleOf(await edit(bill.id, body))
    expect(sale.items.map((item: { id: string }) => item.id)).toEqual([
      expect.stringMatching(/^tli_/),
      first.id,
    ])
    expect(sale.items[1]).toMatchObject({
      quantity: 3,
      discount: 1_000,
      note: 'hot',
      modifiers,
      unitPrice: 15_000,
    })
    expect(sale.items.some((item: { id: string }) => item.id === second.id)).toBe(false)
    expect(sale).toMatchObject({
      subtotal: 74_000,
      total: 74_000,
      itemCount: 2,
      version: 2,
      status: 'PARKED',
    })
    expect(await read(bill.id)).toEqual(sale)
    const told = await eventsAbout(acme(), bill.id)
    expect(told.at(-1)).toEqual({ type: 'service.sale.updated.v1', data: { sale } })
  })

  test('a discount that nobody sent shrinks with its line, one that was sent must fit', async () => {
    const bill = await open([latte(2, { discount: 20_000 })])
    const { id } = bill.items[0]
    expect(saleOf(await edit(bill.id, { items: [{ id, quantity: 1 }] })).items[0].discount).toBe(15_000)
    expect(refusalOf(await edit(bill.id, { items: [cake(1), { id, discount: 15_001 }] }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items[1].discount',
    })
    const cleared = saleOf(await edit(bill.id, { items: [{ id, discount: 0, note: null, modifiers: [] }] }))
    expect(cleared.items[0]).toMatchObject({ discount: 0, lineTotal: 15_000 })
  })

  test('an order discount stays, is lowered to the subtotal when carried over, and refused when sent above it', async () => {
    const bill = await open([latte(2)], { orderDiscount: 12_000 })
    expect(saleOf(await edit(bill.id, { items: [cake(2)] }))).toMatchObject({
      orderDiscount: 12_000,
      total: 3_000,
    })
    expect(saleOf(await edit(bill.id, { items: [cake(1)] }))).toMatchObject({
      orderDiscount: 7_500,
      total: 0,
    })
    const above = await edit(bill.id, { items: [cake(1)], orderDiscount: 7_501 })
    expect(refusalOf(above)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'orderDiscount' })
    expect(saleOf(await edit(bill.id, { items: [cake(1)], orderDiscount: 0 })).total).toBe(7_500)
  })

  test('the tax is the outlet’s of today, the delivery fee stays', async () => {
    const taxed = await openShop(acme(), { taxRateBps: 1_000 })
    const items = [{ variantId: taxed.latte, quantity: 2 }]
    const { id } = saleOf(
      await acme().post('/sales', { outletId: taxed.outletId, items, deliveryFee: 4_000 }),
    )
    await acme().patch(`/outlets/${taxed.outletId}`, { taxRateBps: 1_100, taxInclusive: true })
    expect(saleOf(await acme().get(`/sales/${id}`))).toMatchObject({ taxRateBps: 1_000, taxTotal: 3_000 })
    expect(saleOf(await edit(id, { items }))).toMatchObject({
      taxRateBps: 1_100,
      taxInclusive: true,
      taxTotal: 2_973,
      total: 34_000,
    })
  })

  test('what is no longer sold stays on the bill that holds it, and comes on no other', async () => {
    const product = await makeProduct(acme(), { name: 'Last one', variants: [{ price: 1_000 }] })
    const variantId = product.variants[0].id
    const bill = await open([{ variantId, quantity: 1 }])
    const other = await open([cake(1)])
    await acme().patch(`/products/${product.id}`, { isActive: false })
    expect(saleOf(await edit(bill.id, { items: [{ variantId, quantity: 2 }, cake(1)] })).total).toBe(9_500)
    expect(refusalOf(await edit(other.id, { items: [cake(1), { variantId, quantity: 1 }] }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items[1].variantId',
    })
  })

  test('a modifier that is offered no more stays on the bill that holds it, and comes on no other', async () => {
    const { group } = (await acme().post('/modifiers', { name: 'Milk' })).data
    const items = `/modifiers/${group.id}/items`
    const modifierId = (await acme().post(items, { name: 'Oat', price: 5_000 })).data.modifier.id
    const modifiers = [{ name: 'Oat', price: 5_000, modifierId }]
    const bill = await open([latte(1, { modifiers })])
    const other = await open([latte(1)])
    expect((await acme().delete(`${items}/${modifierId}`)).status).toBe(200)
    const [{ id }] = bill.items
    const kept = saleOf(
      await edit(bill.id, { items: [{ id, quantity: 2, modifiers: bill.items[0].modifiers }] }),
    )
    expect([kept.total, kept.items[0].modifiers]).toEqual([40_000, modifiers])
    expect(saleOf(await edit(bill.id, { items: [latte(3, { modifiers })] })).total).toBe(60_000)
    expect(refusalOf(await edit(other.id, { items: [latte(1, { modifiers })] }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'items[0].modifiers[0].modifierId',
    })
  })

  test('a discount may be as large as the whole line, however much of it the kitchen has started', async () => {
    const bill = await open([latte(1)], { orderType: 'DINE_IN' })
    const [{ id }] = bill.items
    await acme().post(`/kds/items/${id}/advance`)
    const grown = saleOf(await edit(bill.id, { items: [{ id, quantity: 5, discount: 20_000 }] }))
    expect(
      grown.items.map((item: Fields) => [item['quantity'], item['discount'], item['kitchenStatus']]),
    ).toEqual([
      [1, 15_000, 'PREPARING'],
      [4, 5_000, 'NEW'],
    ])
    expect([grown.total, grown.discountTotal]).toEqual([55_000, 20_000])
    const [started, rest] = grown.items
    const beyond = [{ id: started.id, quantity: 2, discount: 30_001 }, { id: rest.id }]
    expect(refusalOf(await edit(bill.id, { items: beyond }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items[0].discount',
    })
  })
})

describe('details around the lines', () => {
  test('absent keeps, null clears', async () => {
    const table = await makeTable(acme(), shop.outletId, 'E1')
    const customerId = await makeCustomer(acme())
    const deliveryDraft = { destination: { address: 'Jl. Thamrin' } }
    const details = {
      tableId: table.id,
      customerId,
      deliveryDraft,
      note: 'by the window',
      orderType: 'DELIVERY',
    }
    const bill = await open([latte(1)], details)
    const items = [{ id: bill.items[0].id }]
    const kept = saleOf(await edit(bill.id, { items }))
    expect(kept).toMatchObject({
      ...details,
      table: { label: 'E1' },
      delivery: { status: 'awaiting_dispatch' },
    })
    const nulls = { tableId: null, customerId: null, deliveryDraft: null, note: null, orderType: null }
    const cleared = saleOf(await edit(bill.id, { items, ...nulls }))
    expect(cleared).toMatchObject({ ...nulls, table: null, customer: null, delivery: { status: null } })
    expect(await read(bill.id)).toEqual(cleared)
    const moved = saleOf(await edit(bill.id, { items, ...details, note: '' }))
    expect(moved).toMatchObject({ ...details, note: null, customer: { id: customerId } })
  })

  test('the address of a customer is not left on the bill of another, or of none', async () => {
    const [ani, budi] = [await makeCustomer(acme()), await makeCustomer(acme())]
    const deliveryDraft = { destination: { contactName: 'Ani', address: 'Jl. Melati 5' } }
    const bill = await open([latte(1)], { orderType: 'DELIVERY', deliveryDraft })
    const items = [{ id: bill.items[0].id }]
    const hers = saleOf(await edit(bill.id, { items, customerId: ani }))
    expect(hers).toMatchObject({ customerId: ani, deliveryDraft })
    for (const customerId of [budi, null])
      expect(refusalOf(await edit(bill.id, { items, customerId }))).toEqual({ status: 409, code: 'CONFLICT' })
    expect(await read(bill.id)).toEqual(hers)
    expect(saleOf(await edit(bill.id, { items, customerId: ani }))).toMatchObject({ deliveryDraft })
    const own = { destination: { contactName: 'Budi', address: 'Jl. Mawar 1' } }
    const his = saleOf(await edit(bill.id, { items, customerId: budi, deliveryDraft: own }))
    expect(his).toMatchObject({ customerId: budi, deliveryDraft: own })
    const nobodys = saleOf(await edit(bill.id, { items, customerId: null, deliveryDraft: null }))
    expect(nobodys).toMatchObject({ customerId: null, deliveryDraft: null })
  })

  test('a bill moves between tables and frees the one it leaves; its own may be named although it was closed', async () => {
    const [from, to] = [
      await makeTable(acme(), shop.outletId, 'E2'),
      await makeTable(acme(), shop.outletId, 'E3'),
    ]
    const bill = await open([latte(1)], { tableId: from.id })
    const items = [{ id: bill.items[0].id }]
    const occupied = async () => {
      const { tables } = (await acme().get(`/tables/floor?outletId=${shop.outletId}`)).data
      return tables
        .filter((row: { occupied: boolean; label: string }) => row.occupied && row.label !== 'E1')
        .map((row: { label: string }) => row.label)
    }
    expect(await occupied()).toEqual(['E2'])
    saleOf(await edit(bill.id, { items, tableId: to.id }))
    expect(await occupied()).toEqual(['E3'])
    await acme().delete(`/tables/${to.id}`)
    expect(saleOf(await edit(bill.id, { items, tableId: to.id, note: 'x' })).table.label).toBe('E3')
    saleOf(await edit(bill.id, { items, tableId: from.id }))
    expect(refusalOf(await edit(bill.id, { items, tableId: to.id }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'tableId',
    })
    expect(
      (await acme().post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: 15_000 }] }))
        .status,
    ).toBe(200)
    expect(await occupied()).toEqual([])
  })

  test('ids of nowhere are 404 before the state of the bill, records in the wrong relation 422 after it', async () => {
    const foreign = await openShop(globex())
    const there = await makeTable(acme(), elsewhere.outletId, 'X1')
    const bill = await open([latte(1)])
    const items = [latte(1)]
    const other = await open([cake(1)])
    const unknown = (kind: string) => `${kind}_01ARZ3NDEKTSV4RRFFQ69G5FAV`
    const missing: [Fields, string][] = [
      [{ items: [latte(1), { variantId: foreign.latte, quantity: 1 }] }, 'items[1].variantId'],
      [{ items, tableId: unknown('tbl') }, 'tableId'],
      [{ items, customerId: await makeCustomer(globex()) }, 'customerId'],
      [
        { items: [latte(1, { modifiers: [{ name: 'x', price: 0, modifierId: unknown('mod') }] })] },
        'items[0].modifiers[0].modifierId',
      ],
    ]
    for (const [body, param] of missing)
      expect(refusalOf(await edit(bill.id, body))).toEqual({ status: 404, code: 'NOT_FOUND', param })
    expect(refusalOf(await edit(bill.id, { items: [{ id: other.items[0].id }] }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'items[0].id',
    })
    expect(refusalOf(await edit(bill.id, { items, tableId: there.id }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'tableId',
    })
    expect((await globex().patch(`/sales/${bill.id}/items`, { items })).status).toBe(404)
    await acme().post(`/sales/${bill.id}/discard`)
    expect((await edit(bill.id, { items, tableId: unknown('tbl') })).status).toBe(404)
    expect((await edit(bill.id, { items, tableId: there.id })).status).toBe(409)
  })

  test.each([
    [{ items: [] }, 422, 'items'],
    [{}, 400, 'items'],
    [{ items: [{ quantity: 1 }] }, 400, 'items[0].variantId'],
    [{ items: [{ variantId: '@', quantity: 0 }] }, 400, 'items[0].quantity'],
    [{ items: [{ variantId: '@' }] }, 400, 'items[0].quantity'],
    [{ items: [{ variantId: '@', quantity: 1 }], orderDiscount: null }, 400, 'orderDiscount'],
    [{ items: [{ variantId: '@', quantity: 1 }], orderType: 'EAT' }, 400, 'orderType'],
    [{ items: [{ variantId: '@', quantity: 1 }], deliveryDraft: 'x'.repeat(33_000) }, 400, 'deliveryDraft'],
  ])('is bounded: %#', async (body, status, param) => {
    const bill = await open([latte(1)])
    const filled = JSON.parse(JSON.stringify(body).replaceAll('@', shop.cake))
    expect(refusalOf(await edit(bill.id, filled))).toEqual({ status, code: 'VALIDATION_ERROR', param })
    expect(await read(bill.id)).toEqual(bill)
  })

  test('a line may be named once only', async () => {
    const bill = await open([latte(1)])
    const { id } = bill.items[0]
    expect(refusalOf(await edit(bill.id, { items: [{ id }, { id }] }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items[1].id',
    })
  })
})

describe('money and state guard the bill', () => {
  test('it never falls under what was paid, and never completes by an edit', async () => {
    const card = await makeCard(acme(), 20_000)
    const payments = [{ method: 'GIFT_CARD', amount: 15_000, reference: card.code }]
    const bill = await open([latte(2)], { payments })
    const under = await edit(bill.id, { items: [cake(1)] })
    expect(refusalOf(under)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(under.error.details.sale).toEqual(bill)
    const even = saleOf(await edit(bill.id, { items: [latte(1)] }))
    expect(even).toMatchObject({
      status: 'PARKED',
      total: 15_000,
      paidTotal: 15_000,
      remaining: 0,
      completedAt: null,
    })
    const done = await acme().post(`/sales/${bill.id}/settle`, { payments: [] })
    expect(saleOf(done).status).toBe('COMPLETED')
  })

  test.each(['COMPLETED', 'VOIDED'])('a %s sale is not edited', async (status) => {
    const bill = await open([latte(1)])
    const path = `/sales/${bill.id}`
    const closed = saleOf(
      status === 'VOIDED'
        ? await acme().post(`${path}/discard`)
        : await acme().post(`${path}/payments`, { method: 'CASH', amount: 15_000 }),
    )
    const refused = await edit(bill.id, { items: [latte(2)] })
    expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(refused.error.details.sale).toEqual(closed)
    const stranger = await edit(bill.id, { items: [{ id: 'tli_1' }] })
    expect(refusalOf(stranger)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'items[0].id' })
    const incomplete = await edit(bill.id, { items: [{ quantity: 1 }] })
    expect(refusalOf(incomplete)).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'items[0].variantId',
    })
  })

  test.each([
    ['the version in quotes', '"1"', 200],
    ['a weak one', 'W/"1"', 200],
    ['a bare one', '1', 200],
    ['any', '*', 200],
    ['none', undefined, 200],
    ['an old one', '"0"', 409],
    ['one that is yet to come', '"2"', 409],
    ['a word', '"latest"', 400],
    ['nothing', '', 400],
    ['a fraction', '"1.0"', 400],
  ])('If-Match: %s', async (_, ifMatch, status) => {
    const bill = await open([latte(1)])
    const answer = await edit(bill.id, { items: [latte(2)] }, ifMatch)
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'If-Match' })
    if (status === 409) expect(answer.error.details.sale).toEqual(bill)
    expect((await read(bill.id)).version).toBe(status === 200 ? 2 : 1)
  })

  test('of many waiters with the same version one wins; without a version the last one does', async () => {
    const guarded = await open([latte(1)])
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => edit(guarded.id, { items: [latte(index + 2)] }, '"1"')),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
    const winner = answers.find(({ status }) => status === 200)
    expect(await read(guarded.id)).toEqual(winner && saleOf(winner))
    for (const { status, error } of answers) if (status === 409) expect(error.details.sale.version).toBe(2)

    const free = await open([latte(1)])
    const all = await Promise.all(
      Array.from({ length: 8 }, () => edit(free.id, { items: [latte(2), cake(1)] })),
    )
    expect(all.map((answer) => saleOf(answer).version).toSorted((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9,
    ])
    expect(await read(free.id)).toMatchObject({ version: 9, itemCount: 2, total: 37_500 })
  })

  test('an edit and a payment in one moment never leave a bill overpaid', async () => {
    const bills = await Promise.all(Array.from({ length: 6 }, () => open([latte(2)])))
    for (const bill of bills) {
      const [edited, paid] = await Promise.all([
        edit(bill.id, { items: [latte(1)] }),
        acme().post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: 20_000 }),
      ])
      const after = await read(bill.id)
      // Edited first: the cash covers and gives change. Paid first: the edit would fall under it.
      expect([edited.status, paid.status, after.status]).toEqual(
        edited.status === 200 ? [200, 200, 'COMPLETED'] : [409, 200, 'PARKED'],
      )
      expect(after.paidTotal).toBeLessThanOrEqual(after.total)
    }
  })
})
