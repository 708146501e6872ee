import { beforeAll, describe, expect, test } from 'vitest'
import {
  makeCard,
  makeCustomer,
  makeTable,
  openShift,
  openShop,
  type Shop,
  stock,
} from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { refusalOf, saleOf } from '../../../support/expect.ts'
import { cardOf, customerOf, eventsAbout, levelOf } from '../../../support/read.ts'
import { acme, deps, globex, useService } from '../../../support/service.ts'

useService()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme(), { taxRateBps: 1_000 })
})

type Fields = Record<string, unknown>
/** Two lattes with 10% tax: 33.000. */
const sell = async (fields: Fields = {}) =>
  saleOf(
    await acme().post('/sales', {
      outletId: shop.outletId,
      items: [{ variantId: shop.latte, quantity: 2 }],
      ...fields,
    }),
  )
const end = (id: string, how: 'void' | 'discard', body?: Fields) => acme().post(`/sales/${id}/${how}`, body)

describe('a void', () => {
  test('takes back everything the sale did and keeps its figures', async () => {
    const customerId = await makeCustomer(acme())
    const card = await makeCard(acme(), 10_000)
    const payments = [
      { method: 'GIFT_CARD', amount: 10_000, reference: card.code },
      { method: 'QRIS', amount: 3_000 },
      { method: 'CASH', amount: 20_000, tendered: 50_000 },
    ]
    await stock(acme(), shop.outletId, shop.latte, 5)
    const sold = await sell({ customerId, payments, note: 'wrong guest' })
    expect([sold.pointsEarned, await levelOf(acme(), shop.outletId, shop.latte)]).toEqual([3, 3])
    const sale = saleOf(await end(sold.id, 'void', { reason: ' wrong guest ' }))
    const figures = [
      'subtotal',
      'taxTotal',
      'total',
      'paidTotal',
      'changeTotal',
      'pointsEarned',
      'completedAt',
      'number',
    ]
    for (const figure of figures) expect([figure, sale[figure]]).toEqual([figure, sold[figure]])
    expect(sale).toMatchObject({
      status: 'VOIDED',
      voidReason: 'wrong guest',
      remaining: 0,
      refundStatus: 'NONE',
      refundedTotal: 0,
      refunds: [],
      version: sold.version + 1,
    })
    expect(sale.voidedAt).not.toBeNull()
    expect(sale.payments.map((row: Fields) => [row['status'], row['refundedAmount'], row['amount']])).toEqual(
      [
        ['PAID', 10_000, 10_000],
        ['PAID', 3_000, 3_000],
        ['PAID', 20_000, 20_000],
      ],
    )
    expect(saleOf(await acme().get(`/sales/${sold.id}`))).toEqual(sale)
    expect((await cardOf(acme(), card.code)).balance).toBe(10_000)
    expect(await customerOf(acme(), customerId)).toMatchObject({
      pointsBalance: 0,
      totalSpent: 0,
      visitCount: 0,
    })
    expect(await levelOf(acme(), shop.outletId, shop.latte)).toBe(5)
    const { data: moves } = await acme().get(`/inventory/movements?outletId=${shop.outletId}&limit=1`)
    expect(moves[0]).toMatchObject({ type: 'VOID', qtyDelta: 2, transactionId: sold.id, refundId: null })
    const told = await eventsAbout(acme(), sold.id)
    expect(told.at(-1)).toEqual({ type: 'service.sale.voided.v1', data: { sale } })
    expect((await eventsAbout(acme(), customerId)).at(-1)?.data.entry).toMatchObject({
      type: 'REVERSE',
      points: -3,
    })
  })

  test('gives the share of a card that was cancelled meanwhile back in cash', async () => {
    const here = await openShop(acme())
    const shift = await openShift(acme(), here.outletId, 100_000)
    const card = await makeCard(acme(), 15_000)
    const sold = saleOf(
      await acme().post('/sales', {
        outletId: here.outletId,
        items: [{ variantId: here.latte, quantity: 1 }],
        payments: [{ method: 'GIFT_CARD', amount: 15_000, reference: card.code }],
      }),
    )
    await acme().post(`/gift-cards/${card.id}/void`)
    saleOf(await end(sold.id, 'void'))
    expect((await cardOf(acme(), card.code)).balance).toBe(0)
    expect((await acme().get(`/shifts/${shift}`)).data.shift.expectedCash).toBe(85_000)
  })

  test('books the cash to the drawer it comes out of, never to one that is closed', async () => {
    const here = await openShop(acme())
    const cashier = await memberOf(acme(), 'CASHIER')
    const items = [{ variantId: here.latte, quantity: 1 }]
    const sellThere = async () =>
      saleOf(await cashier.api.post('/sales', { outletId: here.outletId, items, status: 'COMPLETED' }))
    const theirs = await openShift(cashier.api, here.outletId, 50_000)
    const [first, second, third] = [await sellThere(), await sellThere(), await sellThere()]
    const cashOf = async (id: string) => (await acme().get(`/shifts/${id}`)).data.shift.expectedCash
    saleOf(await end(first.id, 'void'))
    expect(await cashOf(theirs)).toBe(80_000)
    const mine = await openShift(acme(), here.outletId, 20_000)
    saleOf(await end(second.id, 'void'))
    expect([await cashOf(theirs), await cashOf(mine)]).toEqual([80_000, 5_000])
    await cashier.api.post(`/shifts/${theirs}/close`, { countedCash: 80_000 })
    await acme().post(`/shifts/${mine}/close`, { countedCash: 5_000 })
    saleOf(await end(third.id, 'void'))
    expect([await cashOf(theirs), await cashOf(mine)]).toEqual([80_000, 5_000])
  })

  test('of a sale of no cost returns its goods and nothing else', async () => {
    const here = await openShop(acme())
    const items = [{ variantId: here.latte, quantity: 2, unitPrice: 0 }]
    const sold = saleOf(await acme().post('/sales', { outletId: here.outletId, items, status: 'COMPLETED' }))
    expect(saleOf(await end(sold.id, 'void'))).toMatchObject({ status: 'VOIDED', payments: [] })
    expect(await levelOf(acme(), here.outletId, here.latte)).toBe(0)
  })

  test('is refused by state, with the sale as it is; twice is once', async () => {
    const open = await sell()
    const refunded = await sell({ status: 'COMPLETED' })
    const { sale: partly } = (await acme().post(`/sales/${refunded.id}/refund`, { amount: 1 })).data
    const done = await sell({ status: 'COMPLETED' })
    const voided = saleOf(await end(done.id, 'void'))
    for (const [id, sale] of [
      [open.id, open],
      [refunded.id, partly],
      [done.id, voided],
    ]) {
      const refused = await end(id, 'void')
      expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
      expect(refused.error.details.sale).toEqual(sale)
    }
    const both = await sell({ status: 'COMPLETED' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => end(both.id, 'void')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })
})

describe('a discard', () => {
  test('gives back what was paid, fails what was awaited, frees the table and moves no goods', async () => {
    const card = await makeCard(acme(), 10_000)
    const table = await makeTable(acme(), shop.outletId, 'V1')
    const payments = [
      { method: 'GIFT_CARD', amount: 6_000, reference: card.code },
      { method: 'QRIS', amount: 5_000, status: 'PENDING', providerRef: 'discard-1' },
      { method: 'CARD', amount: 1_000, status: 'FAILED' },
      { method: 'CASH', amount: 2_000 },
    ]
    const level = await levelOf(acme(), shop.outletId, shop.latte)
    const open = await sell({ payments, tableId: table.id })
    const sale = saleOf(await end(open.id, 'discard', { reason: null }))
    expect(sale).toMatchObject({
      status: 'VOIDED',
      voidReason: null,
      total: 33_000,
      paidTotal: 8_000,
      remaining: 0,
      completedAt: null,
      refunds: [],
      pointsEarned: 0,
    })
    expect(sale.payments.map((row: Fields) => [row['status'], row['refundedAmount']])).toEqual([
      ['PAID', 6_000],
      ['FAILED', 0],
      ['FAILED', 0],
      ['PAID', 2_000],
    ])
    expect((await cardOf(acme(), card.code)).balance).toBe(10_000)
    expect(await levelOf(acme(), shop.outletId, shop.latte)).toBe(level)
    const { tables } = (await acme().get(`/tables/floor?outletId=${shop.outletId}`)).data
    expect(tables.find((row: { id: string }) => row.id === table.id).occupied).toBe(false)
    expect((await eventsAbout(acme(), open.id)).at(-1)).toEqual({
      type: 'service.sale.discarded.v1',
      data: { sale },
    })
    expect((await eventsAbout(acme(), sale.payments[1].id)).map(({ type }) => type)).toEqual([
      'service.payment.failed.v1',
    ])
    const { data } = await acme().get(`/kds?outletId=${shop.outletId}`)
    expect(data.tickets.some((ticket: { id: string }) => ticket.id === open.id)).toBe(false)
  })

  test('is refused for a sale that is over, and while the partner holds money of it', async () => {
    const done = await sell({ status: 'COMPLETED' })
    const gone = await sell()
    const discarded = saleOf(await end(gone.id, 'discard'))
    const held = await sell({ payments: [{ method: 'QRIS', amount: 1_000, providerRef: 'verified-1' }] })
    await deps()
      .db.updateTable('payments')
      .set({ verified: true })
      .where('id', '=', held.payments[0].id)
      .execute()
    const verified = saleOf(await acme().get(`/sales/${held.id}`))
    for (const sale of [done, discarded, verified]) {
      const refused = await end(sale.id, 'discard')
      expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
      expect(refused.error.details.sale).toEqual(sale)
    }
  })

  test('and a payment in one moment: one of them happens, never both', async () => {
    for (let round = 0; round < 6; round += 1) {
      const open = await sell()
      const [gone, paid] = await Promise.all([
        end(open.id, 'discard'),
        acme().post(`/sales/${open.id}/payments`, { method: 'CASH', amount: 33_000 }),
      ])
      expect([gone.status, paid.status].toSorted()).toEqual([200, 409])
      const { status } = saleOf(await acme().get(`/sales/${open.id}`))
      expect(status).toBe(gone.status === 200 ? 'VOIDED' : 'COMPLETED')
    }
  })
})

test.each(['void', 'discard'] as const)('%s: bounds, unknown sales and other workspaces', async (how) => {
  const sale = await sell(how === 'void' ? { status: 'COMPLETED' } : {})
  expect(refusalOf(await end(sale.id, how, { reason: 'x'.repeat(301) }))).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
    param: 'reason',
  })
  expect(refusalOf(await end(sale.id, how, { reason: 7 }))).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
    param: 'reason',
  })
  const path = `/sales/${sale.id}/${how}`
  expect(refusalOf(await globex().post(path))).toEqual({ status: 404, code: 'NOT_FOUND' })
  expect(refusalOf(await end('txn_01ARZ3NDEKTSV4RRFFQ69G5FAV', how))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
  })
  const reason = '😀'.repeat(300)
  expect(saleOf(await end(sale.id, how, { reason })).voidReason).toBe(reason)
})
