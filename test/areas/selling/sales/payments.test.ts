import { beforeAll, describe, expect, test } from 'vitest'
import { makeCard, makeTable, openShift, openShop, type Shop } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { assertLedgerInvariants, refusalOf, saleOf } from '../../../support/expect.ts'
import { cardOf, eventsAbout } from '../../../support/read.ts'
import { acme, deps, useService, workspace } from '../../../support/service.ts'

useService()

let shop: Shop
let card: { id: string; code: string }
let small: { code: string }
let voided: { id: string; code: string }
beforeAll(async () => {
  shop = await openShop(acme())
  card = await makeCard(acme(), 1_000_000, { code: 'GIFT-2026-BIG1' })
  small = await makeCard(acme(), 100)
  voided = await makeCard(acme(), 50_000)
  await acme().post(`/gift-cards/${voided.id}/void`)
})

type Tender = Record<string, unknown>
/** An open bill of 30.000. */
const openBill = async (fields: Record<string, unknown> = {}) =>
  saleOf(
    await acme().post('/sales', {
      outletId: shop.outletId,
      items: [{ variantId: shop.latte, quantity: 2 }],
      status: 'PARKED',
      ...fields,
    }),
  )
const pay = (id: string, tender: Tender) => acme().post(`/sales/${id}/payments`, tender)
const settle = (id: string, payments: Tender[]) => acme().post(`/sales/${id}/settle`, { payments })
const read = async (id: string) => saleOf(await acme().get(`/sales/${id}`))
const cash = (amount: number, fields: Tender = {}) => ({ method: 'CASH', amount, ...fields })

describe('a wrong tender is refused alike wherever it is sent', () => {
  const wrong: [string, Tender, number, string][] = [
    ['cash given below its amount', cash(30_000, { tendered: 29_999 }), 422, 'tendered'],
    ['a card above what remains', { method: 'CARD', amount: 30_001 }, 422, 'amount'],
    ['a transfer above what remains', { method: 'TRANSFER', amount: 30_001 }, 422, 'amount'],
    ['cash that is pending', cash(30_000, { status: 'PENDING' }), 422, 'status'],
    [
      'a card of paper that is pending',
      { method: 'GIFT_CARD', amount: 1, reference: 'X', status: 'PENDING' },
      422,
      'status',
    ],
    ['a gift card without its code', { method: 'GIFT_CARD', amount: 30_000 }, 422, 'reference'],
    [
      'a gift card with an empty code',
      { method: 'GIFT_CARD', amount: 30_000, reference: '  ' },
      422,
      'reference',
    ],
    [
      'a gift card that nobody issued',
      { method: 'GIFT_CARD', amount: 29_000, reference: 'NO-SUCH' },
      422,
      'reference',
    ],
    ['an amount of nothing', cash(0), 400, 'amount'],
    ['an amount in cents', cash(1.5), 400, 'amount'],
    ['no amount', { method: 'CASH' }, 400, 'amount'],
    ['cash given below zero', cash(1, { tendered: -1 }), 400, 'tendered'],
    ['no method', { amount: 30_000 }, 400, 'method'],
    [
      'a reference too long',
      { method: 'CARD', amount: 30_000, reference: 'x'.repeat(201) },
      400,
      'reference',
    ],
    [
      'a providerRef too long',
      { method: 'QRIS', amount: 1, providerRef: 'x'.repeat(121) },
      400,
      'providerRef',
    ],
    ['an unknown status', cash(30_000, { status: 'REFUNDED' }), 400, 'status'],
  ]
  test.each(wrong)('%s', async (_, tender, status, param) => {
    const bill = await openBill()
    const told = { status, code: 'VALIDATION_ERROR' }
    expect(refusalOf(await pay(bill.id, tender))).toEqual({ ...told, param })
    expect(refusalOf(await settle(bill.id, [cash(1_000), { ...tender }]))).toEqual({
      ...told,
      param: `payments[1].${param}`,
    })
    const items = [{ variantId: shop.latte, quantity: 2 }]
    const created = await acme().post('/sales', { outletId: shop.outletId, items, payments: [tender] })
    expect(refusalOf(created)).toEqual({ ...told, param: `payments[0].${param}` })
    expect(await read(bill.id)).toEqual(bill)
  })

  test.each([
    ['short', () => ({ method: 'GIFT_CARD', amount: 101, reference: small.code })],
    ['cancelled', () => ({ method: 'GIFT_CARD', amount: 1, reference: voided.code })],
  ])('a gift card that is %s', async (_, tender) => {
    const bill = await openBill()
    expect(refusalOf(await pay(bill.id, tender()))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'reference',
    })
    const settled = await settle(bill.id, [cash(29_000), { ...tender(), amount: 1_000 }])
    expect(refusalOf(settled)).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'payments[1].reference',
    })
    expect(await read(bill.id)).toEqual(bill)
  })

  test('pending has no place where a sale completes', async () => {
    const pending = { method: 'QRIS', amount: 30_000, status: 'PENDING' }
    const bill = await openBill()
    expect(refusalOf(await settle(bill.id, [pending]))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'payments[0].status',
    })
    const items = [{ variantId: shop.latte, quantity: 2 }]
    const created = await acme().post('/sales', {
      outletId: shop.outletId,
      items,
      status: 'COMPLETED',
      payments: [pending],
    })
    expect(refusalOf(created)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'payments[0].status' })
  })

  test('a tender behind the one that covers, or beside nothing left, is refused', async () => {
    const bill = await openBill()
    expect(refusalOf(await settle(bill.id, [cash(30_000), cash(1)]))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'payments[1].amount',
    })
    expect(refusalOf(await settle(bill.id, [cash(29_999)]))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'payments',
    })
    expect(refusalOf(await settle(bill.id, []))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'payments',
    })
    expect(refusalOf(await acme().post(`/sales/${bill.id}/settle`, {}))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'payments',
    })
    const unknown = '/sales/txn_01ARZ3NDEKTSV4RRFFQ69G5FAV'
    expect(refusalOf(await acme().post(`${unknown}/payments`, cash(1)))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
    expect(refusalOf(await acme().post(`${unknown}/settle`, { payments: [] }))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
  })
})

describe('cash and change', () => {
  test.each([
    ['exact', cash(30_000), 30_000, 30_000, 0],
    ['a large note', cash(30_000, { tendered: 50_000 }), 30_000, 50_000, 20_000],
    ['more than remains', cash(50_000), 30_000, 50_000, 20_000],
    ['more than remains, more still given', cash(50_000, { tendered: 100_000 }), 30_000, 100_000, 70_000],
  ])('%s', async (_, tender, amount, tendered, change) => {
    const sale = saleOf(await pay((await openBill()).id, tender))
    expect(sale.payments[0]).toMatchObject({ amount, tendered, change })
    expect(sale).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000, changeTotal: change, remaining: 0 })
  })

  test('change comes from the cash alone and adds up over tenders', async () => {
    const bill = await openBill()
    saleOf(await pay(bill.id, cash(5_000, { tendered: 10_000 })))
    const card = { method: 'CARD', amount: 20_000, tendered: 99_000 }
    const sale = saleOf(await settle(bill.id, [card, cash(6_000)]))
    expect(sale.payments.map((row: Tender) => [row['amount'], row['tendered'], row['change']])).toEqual([
      [5_000, 10_000, 5_000],
      [20_000, null, 0],
      [5_000, 6_000, 1_000],
    ])
    expect(sale).toMatchObject({ paidTotal: 30_000, changeTotal: 6_000 })
  })
})

describe('gift cards', () => {
  test('are debited when the tender is stored, shown by their tail only, and get their money back', async () => {
    const bill = await openBill()
    const part = saleOf(
      await pay(bill.id, { method: 'GIFT_CARD', amount: 12_000, reference: 'gift2026big1' }),
    )
    expect(part).toMatchObject({ status: 'PARKED', remaining: 18_000 })
    expect(part.payments[0].reference).toBe('****BIG1')
    expect((await cardOf(acme(), card.code)).balance).toBe(988_000)
    const discarded = saleOf(await acme().post(`/sales/${bill.id}/discard`, { reason: 'left' }))
    expect(discarded.payments).toMatchObject([
      { status: 'PAID', refundedAmount: 12_000, reference: '****BIG1' },
    ])
    const { balance, entries } = await cardOf(acme(), card.code)
    expect([balance, entries[0].type, entries[0].amount]).toEqual([1_000_000, 'REFUND', 12_000])
    const body = JSON.stringify(await eventsAbout(acme(), bill.id))
    expect(body).not.toMatch(/gift2026big1|GIFT-2026-BIG1/i)
    await assertLedgerInvariants(deps().db)
  })

  test('several pay one sale, one of them twice, and completion takes nothing again', async () => {
    const [a, b] = [await makeCard(acme(), 10_000), await makeCard(acme(), 20_000)]
    const tender = (code: string, amount: number) => ({ method: 'GIFT_CARD', amount, reference: code })
    const bill = await openBill({ payments: [tender(b.code, 5_000)] })
    expect((await cardOf(acme(), b.code)).balance).toBe(15_000)
    const short = [tender(a.code, 10_000), tender(b.code, 15_000)]
    const sale = saleOf(await settle(bill.id, short))
    expect(sale.status).toBe('COMPLETED')
    expect(await cardOf(acme(), a.code)).toMatchObject({ balance: 0, status: 'REDEEMED' })
    expect(await cardOf(acme(), b.code)).toMatchObject({ balance: 0, status: 'REDEEMED' })
    await assertLedgerInvariants(deps().db)
  })

  test('of two sales that pay with the same two cards, each in its own order, both end', async () => {
    const [a, b] = [await makeCard(acme(), 300_000), await makeCard(acme(), 300_000)]
    const tender = (code: string) => ({ method: 'GIFT_CARD', amount: 15_000, reference: code })
    const bills = await Promise.all(Array.from({ length: 20 }, () => openBill()))
    const orders = [
      [tender(a.code), tender(b.code)],
      [tender(b.code), tender(a.code)],
    ]
    const answers = await Promise.all(bills.map(({ id }, index) => settle(id, orders[index % 2] ?? [])))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    for (const { code } of [a, b]) expect((await cardOf(acme(), code)).status).toBe('REDEEMED')
  })

  test('nobody guesses codes at the till: after twenty unknown ones the credential has to wait', async () => {
    const api = await workspace()
    const { outletId, latte } = await openShop(api)
    const sell = (reference: string) =>
      api.post('/sales', {
        outletId,
        items: [{ variantId: latte, quantity: 1 }],
        payments: [{ method: 'GIFT_CARD', amount: 15_000, reference }],
      })
    for (let guess = 0; guess < 20; guess += 1) expect((await sell(`GUESS-${guess}`)).status).toBe(422)
    const held = await sell((await makeCard(api, 15_000)).code)
    expect(refusalOf(held)).toEqual({ status: 429, code: 'RATE_LIMITED' })
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await api.get(`/sales?outletId=${outletId}`)).data).toEqual([])
  })

  test('a card that did not pay keeps its code to itself', async () => {
    const failed = { method: 'GIFT_CARD', amount: 1_000, reference: card.code, status: 'FAILED' }
    const bill = await openBill({ payments: [failed] })
    saleOf(await pay(bill.id, failed))
    const { payments } = await read(bill.id)
    expect(payments.map((row: Tender) => row['reference'])).toEqual(['****BIG1', '****BIG1'])
    const stored = await deps()
      .db.selectFrom('payments')
      .select('reference')
      .where('saleId', '=', bill.id)
      .execute()
    expect(stored.map((row) => row.reference)).toEqual(['****BIG1', '****BIG1'])
    expect((await cardOf(acme(), card.code)).balance).toBe(1_000_000)
  })
})

describe('the state of the sale decides first', () => {
  test('a sale takes twenty tenders and no more', async () => {
    const bill = await openBill({ payments: Array.from({ length: 20 }, () => cash(100)) })
    const full = await pay(bill.id, cash(100))
    expect(refusalOf(full)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(full.error.details.sale).toEqual(bill)
    expect(refusalOf(await settle(bill.id, [cash(28_000)]))).toEqual({ status: 409, code: 'CONFLICT' })
  })

  test('failed tenders never keep a bill from being paid, and have an end of their own', async () => {
    const failed = { method: 'CARD', amount: 1_000, status: 'FAILED' }
    const bill = await openBill({ payments: Array.from({ length: 20 }, () => failed) })
    expect(refusalOf(await pay(bill.id, failed))).toEqual({ status: 409, code: 'CONFLICT' })
    expect(saleOf(await pay(bill.id, cash(bill.total)))).toMatchObject({ status: 'COMPLETED' })
  })

  test("one partner's payment is one tender, in one request as in two", async () => {
    const paid = { method: 'QRIS', amount: 1_000, providerRef: 'twice-1' }
    const twice = { payments: [paid, paid] }
    const opened = await acme().post('/sales', {
      outletId: shop.outletId,
      items: [{ variantId: shop.latte, quantity: 1 }],
      ...twice,
    })
    expect(refusalOf(opened)).toEqual({ status: 409, code: 'CONFLICT' })
    const bill = await openBill({ payments: [paid] })
    expect(refusalOf(await pay(bill.id, paid))).toEqual({ status: 409, code: 'CONFLICT' })
  })

  test('a covered bill is settled with nothing, and takes nothing more', async () => {
    const table = await makeTable(acme(), shop.outletId, 'P1')
    const bill = await openBill({ payments: [cash(30_000)], tableId: table.id })
    for (const answer of [await pay(bill.id, cash(1)), await settle(bill.id, [cash(1)])]) {
      expect(refusalOf(answer)).toEqual({ status: 409, code: 'CONFLICT' })
      expect(answer.error.details.sale).toEqual(bill)
    }
    const done = saleOf(await settle(bill.id, []))
    expect([done.status, done.version]).toEqual(['COMPLETED', 2])
    const free = await openBill({ items: [{ variantId: shop.latte, quantity: 1, unitPrice: 0 }] })
    expect(refusalOf(await pay(free.id, cash(1)))).toEqual({ status: 409, code: 'CONFLICT' })
    expect(saleOf(await settle(free.id, []))).toMatchObject({ status: 'COMPLETED', payments: [] })
  })

  test.each(['COMPLETED', 'VOIDED'])('a %s sale takes no tender', async (status) => {
    const { id } = await openBill()
    const closed = saleOf(
      await (status === 'VOIDED' ? acme().post(`/sales/${id}/discard`) : pay(id, cash(30_000))),
    )
    for (const answer of [await pay(id, cash(1)), await settle(id, [cash(1)]), await settle(id, [])]) {
      expect(refusalOf(answer)).toEqual({ status: 409, code: 'CONFLICT' })
      expect(answer.error.details.sale).toEqual(closed)
    }
  })
})

describe('the drawer', () => {
  test('gets each tender where it was taken; a bill that outlives its shift moves on', async () => {
    const { outletId, latte } = await openShop(acme())
    const other = await memberOf(acme(), 'CASHIER')
    const mine = await openShift(acme(), outletId)
    const open = async () =>
      saleOf(
        await acme().post('/sales', {
          outletId,
          items: [{ variantId: latte, quantity: 2 }],
          status: 'PARKED',
        }),
      )
    const [paidOver, prepaid, unbooked] = [await open(), await open(), await open()]
    expect(paidOver.shiftId).toBe(mine)
    expect(saleOf(await pay(paidOver.id, cash(10_000))).payments[0].shiftId).toBe(mine)
    const byOther = saleOf(await other.api.post(`/sales/${prepaid.id}/payments`, cash(5_000)))
    expect(byOther.payments[0].shiftId).toBe(mine)
    await acme().post(`/shifts/${mine}/close`, { countedCash: 15_000 })
    const closed = (await acme().get(`/shifts/${mine}`)).data.shift
    const theirs = await openShift(other.api, outletId)
    const completed = saleOf(await other.api.post(`/sales/${paidOver.id}/payments`, cash(20_000)))
    expect(completed.payments.map((row: { shiftId: string }) => row.shiftId)).toEqual([mine, theirs])
    expect([completed.status, completed.shiftId]).toEqual(['COMPLETED', theirs])
    expect(saleOf(await pay(unbooked.id, cash(30_000)))).toMatchObject({
      shiftId: null,
      payments: [{ shiftId: null }],
    })
    saleOf(
      await acme().patch(`/sales/${prepaid.id}/items`, {
        items: [{ variantId: latte, quantity: 1, unitPrice: 5_000 }],
      }),
    )
    // Its last tender lies in a drawer that is counted and closed.
    expect(saleOf(await settle(prepaid.id, [])).shiftId).toBeNull()
    expect((await acme().get(`/shifts/${mine}`)).data.shift).toEqual(closed)
    await assertLedgerInvariants(deps().db)
  })
})
