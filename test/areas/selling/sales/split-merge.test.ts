import { beforeAll, describe, expect, test } from 'vitest'
import { makeCustomer, makeTable, openShift, openShop, type Shop } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { done, refusalOf, saleOf } from '../../../support/expect.ts'
import { eventsAbout } from '../../../support/read.ts'
import { acme, globex, useService } from '../../../support/service.ts'

useService()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme(), { taxRateBps: 1_000 })
})

type Fields = Record<string, unknown>
/** 4 lattes with 1.000 off the line and 2 cakes: 74.000 before tax. */
const open = async (fields: Fields = {}) =>
  saleOf(
    await acme().post('/sales', {
      outletId: shop.outletId,
      orderType: 'DINE_IN',
      status: 'PARKED',
      items: [
        { variantId: shop.latte, quantity: 4, discount: 1_001 },
        { variantId: shop.cake, quantity: 2 },
      ],
      ...fields,
    }),
  )
const split = (id: string, body: Fields) => acme().post(`/sales/${id}/split`, body)
const merge = (id: string, saleId: unknown) => acme().post(`/sales/${id}/merge`, { saleId })
const read = async (id: string) => saleOf(await acme().get(`/sales/${id}`))
const states = (sale: { items: Fields[] }) =>
  sale.items.map((item) => [item['quantity'], item['kitchenStatus'], item['isActive'], item['cancelledQty']])
const UNKNOWN = 'txn_01ARZ3NDEKTSV4RRFFQ69G5FAV'

describe('a split', () => {
  test('belongs to the member who splits it and to their open shift; the old bill stays with its own', async () => {
    const [opener, splitter] = [await memberOf(acme(), 'CASHIER'), await memberOf(acme(), 'CASHIER')]
    const [own, other] = [
      await openShift(opener.api, shop.outletId),
      await openShift(splitter.api, shop.outletId),
    ]
    const items = [
      { variantId: shop.latte, quantity: 1 },
      { variantId: shop.cake, quantity: 1 },
    ]
    const bill = saleOf(await opener.api.post('/sales', { outletId: shop.outletId, status: 'PARKED', items }))
    const { sale, from } = done(
      await splitter.api.post(`/sales/${bill.id}/split`, { items: [{ id: bill.items[0].id, quantity: 1 }] }),
    )
    const ownerOf = async ({ id }: { id: string }) => {
      const { cashierId, shiftId } = await read(id)
      return [cashierId, shiftId]
    }
    expect(await ownerOf(sale)).toEqual([splitter.id, other])
    expect(await ownerOf(from)).toEqual([opener.id, own])
  })

  test('moves lines to a bill of its own: discounts in proportion, kitchen states along, the rest stays', async () => {
    const table = await makeTable(acme(), shop.outletId, 'S1')
    const customerId = await makeCustomer(acme())
    const bill = await open({
      tableId: table.id,
      customerId,
      orderDiscount: 5_000,
      deliveryFee: 3_000,
      note: 'old',
    })
    const [latte, cake] = bill.items
    for (let step = 0; step < 2; step += 1) await acme().post(`/kds/items/${latte.id}/advance`)
    const answer = await split(bill.id, {
      items: [
        { id: cake.id, quantity: 2 },
        { id: latte.id, quantity: 1 },
      ],
      note: 'hers',
    })
    expect(answer.status, answer.text).toBe(201)
    const { sale, from } = answer.data
    expect([await read(sale.id), await read(bill.id)]).toEqual([sale, from])
    expect(sale).toMatchObject({
      status: 'PARKED',
      outletId: shop.outletId,
      tableId: table.id,
      orderType: 'DINE_IN',
      customerId: null,
      note: 'hers',
      orderDiscount: 0,
      deliveryFee: 0,
      version: 1,
      payments: [],
      taxRateBps: 1_000,
    })
    expect(from).toMatchObject({
      orderDiscount: 5_000,
      deliveryFee: 3_000,
      note: 'old',
      customerId,
      version: 2,
    })
    expect(sale.number).not.toBe(bill.number)
    expect(sale.items.map((item: Fields) => [item['variantId'], item['quantity'], item['discount']])).toEqual(
      [
        [shop.latte, 1, 250],
        [shop.cake, 2, 0],
      ],
    )
    expect(from.items.map((item: Fields) => [item['id'], item['quantity'], item['discount']])).toEqual([
      [latte.id, 3, 751],
    ])
    // A line that moves whole keeps its id; the part of one gets its own.
    expect([sale.items[1].id === cake.id, sale.items[0].id === latte.id]).toEqual([true, false])
    expect([states(sale), states(from)]).toEqual([
      [
        [1, 'READY', true, 0],
        [2, 'NEW', true, 0],
      ],
      [[3, 'READY', true, 0]],
    ])
    expect(sale.subtotal + from.subtotal).toBe(bill.subtotal)
    expect([sale.total, from.total]).toEqual([32_725, 46_174])
    expect(await eventsAbout(acme(), sale.id)).toEqual([{ type: 'service.sale.parked.v1', data: { sale } }])
    const told = await eventsAbout(acme(), bill.id)
    expect(told.map(({ type }) => type)).toEqual([
      'service.sale.parked.v1',
      'service.sale.updated.v1',
      // What the kitchen still had to make went with the new bill.
      'service.kitchen.ticket_ready.v1',
    ])
    expect(told[1]?.data).toEqual({ sale: from })
  })

  test('goes to another table or to none', async () => {
    const [here, there] = [
      await makeTable(acme(), shop.outletId, 'S2'),
      await makeTable(acme(), shop.outletId, 'S3'),
    ]
    const bill = await open({ tableId: here.id })
    const one = { items: [{ id: bill.items[1].id, quantity: 1 }] }
    expect((await split(bill.id, { ...one, tableId: there.id })).data.sale.table).toEqual({
      id: there.id,
      label: 'S3',
    })
    expect(
      (await split(bill.id, { items: [{ id: bill.items[0].id, quantity: 1 }], tableId: null })).data.sale
        .table,
    ).toBeNull()
  })

  test('leaves payments behind, as far as they fit', async () => {
    const bill = await open({ payments: [{ method: 'CASH', amount: 60_000 }] })
    const most = { items: [{ id: bill.items[0].id, quantity: 2 }] }
    const refused = await split(bill.id, most)
    expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(refused.error.details.sale).toEqual(bill)
    const { sale, from } = (await split(bill.id, { items: [{ id: bill.items[1].id, quantity: 2 }] })).data
    expect([from.paidTotal, from.remaining, sale.paidTotal]).toEqual([60_000, 4_899, 0])
    expect(
      saleOf(await acme().post(`/sales/${sale.id}/payments`, { method: 'CASH', amount: 16_500 })).status,
    ).toBe('COMPLETED')
  })

  test('is refused where nothing sensible would be left', async () => {
    const [bill, other] = [await open(), await open()]
    const [latte, cake] = bill.items
    const there = await makeTable(acme(), (await openShop(acme())).outletId, 'S4')
    const cases: [Fields, number, string][] = [
      [{ items: [] }, 422, 'items'],
      [
        {
          items: [
            { id: latte.id, quantity: 4 },
            { id: cake.id, quantity: 2 },
          ],
        },
        422,
        'items',
      ],
      [{ items: [{ id: latte.id, quantity: 5 }] }, 422, 'items[0].quantity'],
      [
        {
          items: [
            { id: latte.id, quantity: 1 },
            { id: latte.id, quantity: 1 },
          ],
        },
        422,
        'items[1].id',
      ],
      [{ items: [{ id: other.items[0].id, quantity: 1 }] }, 404, 'items[0].id'],
      [{ items: [{ id: latte.id, quantity: 0 }] }, 400, 'items[0].quantity'],
      [{ items: [{ id: latte.id, quantity: 1 }], tableId: there.id }, 422, 'tableId'],
      [{ items: [{ id: latte.id, quantity: 1 }], tableId: 'tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 404, 'tableId'],
      [{}, 400, 'items'],
    ]
    for (const [body, status, param] of cases) {
      const code = status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR'
      expect(refusalOf(await split(bill.id, body)), JSON.stringify(body)).toEqual({ status, code, param })
    }
    expect(await read(bill.id)).toEqual(bill)
    const one = { items: [{ id: latte.id, quantity: 1 }] }
    expect((await split(UNKNOWN, one)).status).toBe(404)
    expect((await globex().post(`/sales/${bill.id}/split`, one)).status).toBe(404)
    const gone = saleOf(await acme().post(`/sales/${bill.id}/discard`))
    for (const body of [one, { ...one, tableId: there.id }]) {
      const refused = await split(bill.id, body)
      expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
      expect(refused.error.details.sale).toEqual(gone)
    }
  })
})

describe('a merge', () => {
  test('brings all lines and discounts to one bill and closes the other under its number', async () => {
    const table = await makeTable(acme(), shop.outletId, 'M1')
    const target = await open({ orderDiscount: 4_000 })
    const items = [
      { variantId: shop.latte, quantity: 1 },
      { variantId: shop.cake, quantity: 3 },
    ]
    const other = await open({ items, orderDiscount: 1_000, deliveryFee: 2_000, tableId: table.id })
    await acme().post(`/kds/items/${other.items[1].id}/advance`)
    await acme().patch(`/sales/${other.id}/items`, {
      items: [{ id: other.items[0].id }, { id: other.items[1].id, quantity: 1 }],
    })
    const answer = await merge(target.id, other.id)
    expect(answer.status, answer.text).toBe(200)
    const { sale, merged } = answer.data
    expect([await read(target.id), await read(other.id)]).toEqual([sale, merged])
    expect(sale).toMatchObject({
      orderDiscount: 5_000,
      deliveryFee: 2_000,
      itemCount: 4,
      number: target.number,
    })
    expect(sale.subtotal).toBe(73_999 + 15_000 + 7_500)
    expect(states(sale)).toEqual([
      [4, 'NEW', true, 0],
      [2, 'NEW', true, 0],
      [1, 'NEW', true, 0],
      [1, 'PREPARING', true, 0],
      [0, 'PREPARING', false, 2],
    ])
    expect(sale.items[2].id).toBe(other.items[0].id)
    expect(merged).toMatchObject({
      status: 'VOIDED',
      voidReason: `Merged into ${target.number}`,
      items: [],
      total: 0,
      remaining: 0,
      number: other.number,
    })
    expect((await eventsAbout(acme(), target.id)).at(-1)).toEqual({
      type: 'service.sale.updated.v1',
      data: { sale },
    })
    expect((await eventsAbout(acme(), other.id)).at(-1)).toEqual({
      type: 'service.sale.discarded.v1',
      data: { sale: merged },
    })
    const { tickets } = (await acme().get(`/kds?outletId=${shop.outletId}`)).data
    expect(tickets.some((ticket: { id: string }) => ticket.id === other.id)).toBe(false)
    const settled = await acme().post(`/sales/${target.id}/settle`, {
      payments: [{ method: 'CASH', amount: sale.total }],
    })
    expect(saleOf(settled).status).toBe('COMPLETED')
  })

  test('brings along what the bill itself leaves open: whose it is, where it goes, what is cooking', async () => {
    const customerId = await makeCustomer(acme())
    const table = await makeTable(acme(), shop.outletId, 'M2')
    const draft = { destination: { address: ' Jl. Melati 1 ' } }
    const counter = await open({ orderType: null })
    const other = await open({
      orderType: 'DELIVERY',
      customerId,
      tableId: table.id,
      note: 'ring twice',
      deliveryDraft: draft,
      deliveryFee: 9_000,
      discountCode: 'HEMAT',
    })
    await acme().post(`/kds/items/${other.items[0].id}/advance`)
    const { sale } = (await merge(counter.id, other.id)).data
    expect(sale).toMatchObject({
      orderType: 'DELIVERY',
      customerId,
      customer: { id: customerId },
      tableId: table.id,
      table: { id: table.id },
      note: 'ring twice',
      deliveryDraft: draft,
      deliveryFee: 9_000,
      discountCode: 'HEMAT',
      delivery: { status: 'awaiting_dispatch' },
    })
    expect(await read(counter.id)).toEqual(sale)
    const { tickets } = (await acme().get(`/kds?outletId=${shop.outletId}`)).data
    expect(tickets.some((ticket: { id: string }) => ticket.id === counter.id)).toBe(true)
    const mine = await open({ note: 'mine' })
    const theirs = await open({ note: 'theirs', orderType: 'TAKEAWAY' })
    expect((await merge(mine.id, theirs.id)).data.sale).toMatchObject({ note: 'mine', orderType: 'DINE_IN' })
  })

  test('is refused when the lines of both are more than a bill holds', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, () => ({ variantId: shop.bag, quantity: 1 }))
    const [target, other] = [await open({ items: many(300) }), await open({ items: many(201) })]
    expect(refusalOf(await merge(target.id, other.id))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'saleId',
    })
    expect(await read(other.id)).toEqual(other)
  })

  test('keeps what was paid on the target and is refused while the other holds money', async () => {
    const target = await open({ payments: [{ method: 'CASH', amount: 10_000 }] })
    const paid = await open({ payments: [{ method: 'CASH', amount: 10_000 }] })
    const waiting = await open({
      payments: [{ method: 'QRIS', amount: 10_000, status: 'PENDING', providerRef: 'm-1' }],
    })
    const failed = await open({ payments: [{ method: 'CARD', amount: 10_000, status: 'FAILED' }] })
    for (const { id } of [paid, waiting])
      expect(refusalOf(await merge(target.id, id))).toEqual({ status: 409, code: 'CONFLICT' })
    const { sale } = (await merge(target.id, failed.id)).data
    expect([sale.paidTotal, sale.remaining]).toEqual([10_000, sale.total - 10_000])
  })

  test('brings no address along to the bill of another customer, who would not take it with them', async () => {
    const deliveryDraft = { destination: { contactName: 'Ibu Ani', address: 'Jl. Melati 5' } }
    const [ani, budi] = [
      await makeCustomer(acme(), { name: 'Ani' }),
      await makeCustomer(acme(), { name: 'Budi' }),
    ]
    const hers = await open({ customerId: ani, orderType: 'DELIVERY', deliveryDraft })
    const his = await open({ customerId: budi })
    expect(refusalOf(await merge(his.id, hers.id))).toEqual({ status: 409, code: 'CONFLICT' })
    expect(await read(his.id)).toEqual(his)
    const nobodys = await open()
    expect((await merge(nobodys.id, hers.id)).data.sale).toMatchObject({ customerId: ani, deliveryDraft })
    expect((await acme().delete(`/customers/${ani}`)).status).toBe(200)
    expect((await read(nobodys.id)).deliveryDraft).toBeNull()
  })

  test('is refused for itself, another outlet, unknown bills and bills that are over', async () => {
    const [target, other] = [await open(), await open()]
    const elsewhere = await openShop(acme())
    const there = saleOf(
      await acme().post('/sales', {
        outletId: elsewhere.outletId,
        items: [{ variantId: shop.bag, quantity: 1 }],
      }),
    )
    expect(refusalOf(await merge(target.id, target.id))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'saleId',
    })
    expect(refusalOf(await merge(target.id, there.id))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'saleId',
    })
    expect(refusalOf(await merge(target.id, UNKNOWN))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'saleId',
    })
    expect(refusalOf(await merge(UNKNOWN, target.id))).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect(refusalOf(await merge(target.id, 7))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'saleId',
    })
    expect((await globex().post(`/sales/${target.id}/merge`, { saleId: other.id })).status).toBe(404)
    await acme().post(`/sales/${other.id}/discard`)
    expect((await merge(target.id, other.id)).status).toBe(409)
    expect((await merge(other.id, target.id)).status).toBe(409)
    expect(await read(target.id)).toEqual(target)
  })

  test('two bills merged into each other at once become one, whoever wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await open(), await open()]
      const answers = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const after = await Promise.all([read(a.id), read(b.id)])
      expect(after.map((sale) => sale.total).toSorted((x, y) => x - y)).toEqual([0, 2 * a.total])
    }
  })
})
