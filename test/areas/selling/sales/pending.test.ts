import { beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../support/build.ts'
import { refusalOf, saleOf } from '../../../support/expect.ts'
import { eventsAbout } from '../../../support/read.ts'
import { acme, useService } from '../../../support/service.ts'

useService()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme())
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
const cash = (amount: number) => ({ method: 'CASH', amount })

describe('a payment that is awaited', () => {
  const pending = (providerRef: string, amount = 30_000) => ({
    method: 'QRIS',
    amount,
    status: 'PENDING',
    providerRef,
  })

  test('reserves nothing and completes the bill when its reference is paid', async () => {
    const bill = await openBill()
    const waiting = saleOf(await pay(bill.id, pending('life-1')))
    expect(waiting).toMatchObject({ status: 'PARKED', paidTotal: 0, remaining: 30_000 })
    expect(waiting.payments).toMatchObject([
      { status: 'PENDING', applied: false, paidAt: null, shiftId: null },
    ])
    const sale = saleOf(await pay(bill.id, { method: 'QRIS', amount: 30_000, providerRef: 'life-1' }))
    expect(sale).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000 })
    expect(sale.payments).toMatchObject([{ id: waiting.payments[0].id, status: 'PAID', applied: true }])
    expect(sale.payments[0].paidAt).not.toBeNull()
    const told = await eventsAbout(acme(), waiting.payments[0].id)
    expect(told).toEqual([{ type: 'service.payment.received.v1', data: { payment: sale.payments[0] } }])
  })

  test('fails by its reference and stays failed', async () => {
    const bill = await openBill()
    saleOf(await pay(bill.id, pending('life-2')))
    const failed = saleOf(await pay(bill.id, { ...pending('life-2'), status: 'FAILED' }))
    expect([failed.status, failed.payments[0].status]).toEqual(['PARKED', 'FAILED'])
    for (const status of ['PAID', 'PENDING', 'FAILED']) {
      const again = await pay(bill.id, { ...pending('life-2'), status })
      expect(refusalOf(again)).toEqual({ status: 409, code: 'CONFLICT' })
      expect(again.error.details.sale).toEqual(failed)
    }
    const types = (await eventsAbout(acme(), failed.payments[0].id)).map(({ type }) => type)
    expect(types).toEqual(['service.payment.failed.v1'])
  })

  test('takes only the amount and method that were asked for', async () => {
    const bill = await openBill()
    const waiting = saleOf(await pay(bill.id, pending('life-3', 20_000)))
    for (const other of [{ amount: 19_999 }, { amount: 20_001 }, { method: 'VA' }]) {
      const answer = await pay(bill.id, { ...pending('life-3', 20_000), status: 'PAID', ...other })
      expect(refusalOf(answer)).toEqual({ status: 409, code: 'CONFLICT' })
      expect(answer.error.details.sale).toEqual(waiting)
    }
    expect(refusalOf(await pay(bill.id, pending('life-3', 20_000)))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
  })

  test('several may overlap, each within what remains; the one that no longer fits is refused', async () => {
    const bill = await openBill()
    expect(refusalOf(await pay(bill.id, pending('life-4', 30_001)))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'amount',
    })
    for (const ref of ['life-5', 'life-6']) saleOf(await pay(bill.id, pending(ref)))
    saleOf(await pay(bill.id, cash(1_000)))
    const late = await pay(bill.id, { ...pending('life-5'), status: 'PAID' })
    expect(refusalOf(late)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'amount' })
    const sale = saleOf(await pay(bill.id, cash(29_000)))
    expect(sale.payments.map((row: { status: string }) => row.status)).toEqual([
      'FAILED',
      'FAILED',
      'PAID',
      'PAID',
    ])
    for (const row of sale.payments.slice(0, 2)) {
      const told = await eventsAbout(acme(), row.id)
      expect(told).toEqual([{ type: 'service.payment.failed.v1', data: { payment: row } }])
    }
  })

  test('is ended by a settlement that names it, never failed beside its own money', async () => {
    const bill = await openBill()
    const waiting = saleOf(await pay(bill.id, pending('life-7', 20_000)))
    const named = { method: 'QRIS', amount: 20_000, providerRef: 'life-7' }
    expect(refusalOf(await settle(bill.id, [named, named, cash(10_000)]))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
    expect(refusalOf(await settle(bill.id, [{ ...named, amount: 19_000 }, cash(11_000)]))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
    const unknownCard = { method: 'GIFT_CARD', amount: 5_000, reference: 'NO-SUCH' }
    expect(refusalOf(await settle(bill.id, [named, cash(5_000), unknownCard]))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'payments[2].reference',
    })
    const sale = saleOf(await settle(bill.id, [named, cash(10_000)]))
    expect(sale.payments.map((row: Tender) => [row['id'] === waiting.payments[0].id, row['status']])).toEqual(
      [
        [true, 'PAID'],
        [false, 'PAID'],
      ],
    )
  })

  test('belongs to one sale, also when two ask at once and when a sale is created with it', async () => {
    const [first, second] = [await openBill(), await openBill()]
    saleOf(await pay(first.id, pending('shared-1')))
    const taken = await pay(second.id, pending('shared-1'))
    expect(refusalOf(taken)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(taken.error.details.sale).toEqual(second)
    const items = [{ variantId: shop.latte, quantity: 2 }]
    const create = (...payments: Tender[]) =>
      acme().post('/sales', { outletId: shop.outletId, items, payments })
    expect(refusalOf(await create(pending('shared-1')))).toEqual({ status: 409, code: 'CONFLICT' })
    expect(refusalOf(await create(pending('twice'), pending('twice')))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
    saleOf(await pay(first.id, { ...pending('shared-1'), status: 'FAILED' }))
    saleOf(await pay(second.id, pending('shared-1')))
    const bills = await Promise.all(Array.from({ length: 8 }, () => openBill()))
    const answers = await Promise.all(bills.map((bill) => pay(bill.id, pending('raced'))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
    for (const { status, error } of answers)
      if (status === 409) expect(error.details.sale.payments).toEqual([])
  })

  test('of a prepaid bill may fail without completing it', async () => {
    const bill = await openBill({ payments: [pending('prepaid-1', 10_000), cash(30_000)] })
    expect(bill).toMatchObject({ status: 'PARKED', remaining: 0 })
    expect(refusalOf(await pay(bill.id, { ...pending('prepaid-1', 10_000), status: 'PAID' }))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
    const failed = saleOf(await pay(bill.id, { ...pending('prepaid-1', 10_000), status: 'FAILED' }))
    expect([failed.status, failed.payments[0].status]).toEqual(['PARKED', 'FAILED'])
  })
})
