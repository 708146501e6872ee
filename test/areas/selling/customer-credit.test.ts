import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import { type BooksPart, brokenInvariants } from '../../../src/platform/db/invariants.ts'
import { inTx } from '../../../src/platform/db/open.ts'
import type { Answer, Api } from '../../support/api.ts'
import { makeCustomer, makeOutlet, makeVariant, openShift } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { assertInvariants, done, refusalOf, saleOf } from '../../support/expect.ts'
import { eventsOf } from '../../support/read.ts'
import { deps, useService, workspace } from '../../support/service.ts'

// Nine in the morning in Jakarta.
const NOW = '2026-11-26T02:00:00.000Z'
const clock = manualClock(NOW)
useService({ clock })
beforeEach(() => clock.set(NOW))

const DAY_MS = 86_400_000
const PRICE = 10_000
type Fields = Record<string, unknown>
type Shop = { api: Api; outletId: string; variantId: string; customerId: string }

/** A shop with goods at 10,000 and a customer who may owe 50,000. */
async function shop(fields: Fields = {}): Promise<Shop> {
  const api = await workspace()
  const outletId = await makeOutlet(api)
  const variantId = await makeVariant(api, { price: PRICE })
  const customerId = await makeCustomer(api, { name: 'Budi', creditLimit: 50_000, ...fields })
  return { api, outletId, variantId, customerId }
}
const credit = (amount: number, more: Fields = {}) => ({ method: 'CREDIT', amount, ...more })
const sell = ({ api, outletId, variantId, customerId }: Shop, quantity: number, fields: Fields = {}) =>
  api.post('/sales', {
    outletId,
    customerId,
    items: [{ variantId, quantity }],
    payments: [credit(quantity * PRICE)],
    ...fields,
  })
const owes = async ({ api, customerId }: Shop) => done(await api.get(`/customers/${customerId}/credit`))
const pay = ({ api, outletId, customerId }: Shop, amount: number, fields: Fields = {}) =>
  api.post(`/customers/${customerId}/credit/payments`, { method: 'CASH', amount, outletId, ...fields })
const refused = async (answer: Answer | Promise<Answer>) => {
  const { status, param } = refusalOf(await answer)
  return [status, param]
}

test('an outlet that took the payment of a debt is deactivated with its shifts, not deleted', async () => {
  const place = await shop()
  saleOf(await sell(place, 1))
  const kiosk = await makeOutlet(place.api)
  const shiftId = await openShift(place.api, kiosk)
  done(await pay(place, PRICE, { outletId: kiosk }))
  done(await place.api.post(`/shifts/${shiftId}/close`, { countedCash: PRICE }))
  expect(done(await place.api.delete(`/outlets/${kiosk}`))).toMatchObject({ deactivated: true })
  expect(done(await place.api.get(`/shifts/${shiftId}`)).shift).toMatchObject({ expectedCash: PRICE })
})

describe('a sale on credit', () => {
  test('adds to what the customer owes, with the due date, and a payment pays the oldest first', async () => {
    const place = await shop()
    const first = saleOf(await sell(place, 2, { payments: [credit(20_000, { dueDate: '2026-12-10' })] }))
    expect(first).toMatchObject({
      status: 'COMPLETED',
      payments: [{ method: 'CREDIT', amount: 20_000, dueDate: '2026-12-10', change: 0 }],
    })
    const second = saleOf(await sell(place, 1))
    expect(await owes(place)).toMatchObject({
      balance: 30_000,
      entries: [
        { type: 'CHARGE', saleId: second.id, amount: 10_000, open: 10_000, dueDate: null },
        { type: 'CHARGE', saleId: first.id, amount: 20_000, open: 20_000, dueDate: '2026-12-10' },
      ],
    })
    const paid = done(await pay(place, 25_000))
    expect(paid).toMatchObject({
      balance: 5_000,
      entry: { type: 'PAYMENT', amount: -25_000, balanceAfter: 5_000, method: 'CASH' },
      paid: [
        { saleId: first.id, amount: 20_000, open: 0 },
        { saleId: second.id, amount: 5_000, open: 5_000 },
      ],
    })
    const { customer } = done(await place.api.get(`/customers/${place.customerId}`))
    expect(customer).toMatchObject({ creditLimit: 50_000, creditBalance: 5_000 })
    expect(await eventsOf(place.api, 'service.customer_credit.changed.v1')).toHaveLength(3)
    await assertInvariants(deps().db)
  })

  test('is refused above the limit and exactly at it is accepted, on a bill as well', async () => {
    const place = await shop()
    expect(await refused(sell(place, 6))).toEqual([422, 'payments[0].amount'])
    saleOf(await sell(place, 5))
    expect(await refused(sell(place, 1))).toEqual([422, 'payments[0].amount'])
    const bill = saleOf(await sell(place, 1, { status: 'PARKED', payments: [] }))
    expect(await refused(place.api.post(`/sales/${bill.id}/payments`, credit(10_000)))).toEqual([
      422,
      'amount',
    ])
    const settled = place.api.post(`/sales/${bill.id}/settle`, { payments: [credit(10_000)] })
    expect(await refused(settled)).toEqual([422, 'payments[0].amount'])
    done(await pay(place, 10_000))
    expect(saleOf(await place.api.post(`/sales/${bill.id}/payments`, credit(10_000))).status).toBe(
      'COMPLETED',
    )
    expect((await owes(place)).balance).toBe(50_000)
    await assertInvariants(deps().db)
  })

  test('needs a customer, is never pending or offline, and alone has a due date, which is a day', async () => {
    const place = await shop()
    const fields = (payment: Fields) => ({ payments: [payment] })
    expect(await refused(sell(place, 1, { customerId: null }))).toEqual([422, 'payments[0].method'])
    expect(await refused(sell(place, 1, fields(credit(10_000, { status: 'PENDING' }))))).toEqual([
      422,
      'payments[0].status',
    ])
    const cash = { method: 'CASH', amount: 10_000, dueDate: '2026-12-10' }
    expect(await refused(sell(place, 1, fields(cash)))).toEqual([422, 'payments[0].dueDate'])
    for (const dueDate of ['2026-02-30', '0000-01-01']) {
      const answer = await refused(sell(place, 1, fields(credit(10_000, { dueDate }))))
      expect(answer, dueDate).toEqual([400, 'payments[0].dueDate'])
    }
    expect(await refused(sell(place, 1, fields(credit(10_001))))).toEqual([422, 'payments[0].amount'])
    const offline = { ref: 'T-1', soldAt: NOW, terms: {}, printedTotal: 10_000 }
    const items = [{ variantId: place.variantId, quantity: 1, unitPrice: 10_000 }]
    expect(await refused(sell(place, 1, { offline, items }))).toEqual([400, 'payments[0].method'])
    expect((await owes(place)).balance).toBe(0)
  })

  test('keeps the customer on the bill, and its tender is not corrected', async () => {
    const place = await shop()
    const bill = saleOf(await sell(place, 2, { status: 'PARKED', payments: [credit(5_000)] }))
    const items = [{ id: bill.items[0].id }]
    const other = await makeCustomer(place.api)
    const moved = place.api.patch(`/sales/${bill.id}/items`, { items, customerId: other })
    expect(refusalOf(await moved).status).toBe(409)
    const path = `/sales/${bill.id}/payments/${bill.payments[0].id}/correct`
    expect(await refused(place.api.post(path, { method: 'CASH' }))).toEqual([422, 'paymentId'])
  })

  test('50 sales at the same time never exceed the limit of one customer', async () => {
    const place = await shop({ creditLimit: 70_000 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => sell(place, 1)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(43)
    expect((await owes(place)).balance).toBe(70_000)
    await assertInvariants(deps().db)
  })

  test('above the limit needs an approval of a cashier where the workspace asks for it', async () => {
    const place = await shop({ creditLimit: 0 })
    done(await place.api.put('/settings', { approvals: { creditOverLimit: true } }))
    const { api: cashier } = await memberOf(place.api, 'CASHIER')
    expect(refusalOf(await sell({ ...place, api: cashier }, 1))).toMatchObject({
      status: 403,
      code: 'APPROVAL_REQUIRED',
    })
    expect(await refused(sell(place, 1))).toEqual([422, 'payments[0].amount'])
  })
})

describe('a refund', () => {
  test('takes the credit of its own sale back first, and gives money for what was paid', async () => {
    const place = await shop()
    const older = saleOf(await sell(place, 1))
    const sale = saleOf(await sell(place, 3))
    const refund = async (amount: number) =>
      done(await place.api.post(`/sales/${sale.id}/refund`, { amount })).sale.refunds.at(-1)
    expect(await refund(10_000)).toMatchObject({ method: 'CREDIT', amount: 10_000 })
    expect((await owes(place)).balance).toBe(30_000)
    done(await pay(place, 25_000))
    // The older sale is paid with 10,000, this one with 15,000 of 20,000: 5,000 are open.
    const last = await refund(20_000)
    expect(last).toMatchObject({ amount: 20_000, method: 'CASH' })
    expect(await owes(place)).toMatchObject({ balance: 0 })
    expect(older.total).toBe(10_000)
    await assertInvariants(deps().db)
  })

  test('to store credit issues a card over the money only', async () => {
    const place = await shop()
    const sale = saleOf(await sell(place, 2))
    done(await pay(place, 5_000))
    const body = { refundToStoreCredit: true }
    const { giftCard } = done(await place.api.post(`/sales/${sale.id}/refund`, body))
    expect(giftCard.balance).toBe(5_000)
    expect((await owes(place)).balance).toBe(0)
    await assertInvariants(deps().db)
  })

  test('by a void or a discard takes the whole credit back, and pays out what the customer has paid', async () => {
    const place = await shop()
    const sale = saleOf(await sell(place, 3))
    done(await pay(place, 10_000))
    const voided = saleOf(await place.api.post(`/sales/${sale.id}/void`, {}))
    expect(voided.status).toBe('VOIDED')
    expect((await owes(place)).balance).toBe(0)
    const bill = saleOf(await sell(place, 2, { status: 'PARKED', payments: [credit(5_000)] }))
    saleOf(await place.api.post(`/sales/${bill.id}/discard`, {}))
    expect((await owes(place)).balance).toBe(0)
    await assertInvariants(deps().db)
  })
})

describe('a payment of a debt', () => {
  test('in cash is in the drawer, and in the figures of the shift by method', async () => {
    const place = await shop()
    const shiftId = await openShift(place.api, place.outletId)
    saleOf(await sell(place, 4))
    done(await pay(place, 15_000))
    done(await pay(place, 5_000, { method: 'QRIS' }))
    const before = done(await place.api.get(`/shifts/${shiftId}`)).shift
    expect(before.summary).toMatchObject({
      byMethod: [{ method: 'CREDIT', count: 1, amount: 40_000 }],
      creditPayments: [
        { method: 'CASH', count: 1, amount: 15_000 },
        { method: 'QRIS', count: 1, amount: 5_000 },
      ],
      cash: { sales: 0, creditPayments: 15_000 },
    })
    expect(before.expectedCash - before.openingFloat).toBe(15_000)
    const list = done(await place.api.get(`/shifts?outletId=${place.outletId}`))
    expect((list.shifts ?? list)[0].expectedCash).toBe(before.expectedCash)
    const counted = { countedCash: before.expectedCash }
    expect(done(await place.api.post(`/shifts/${shiftId}/close`, counted)).shift.difference).toBe(0)
    await assertInvariants(deps().db)
  })

  test('is refused above the debt, for an unknown customer or outlet, and for a method that pays no debt', async () => {
    const place = await shop()
    expect(await refused(pay(place, 1))).toEqual([422, 'amount'])
    saleOf(await sell(place, 1))
    expect(await refused(pay(place, 10_001))).toEqual([422, 'amount'])
    expect(await refused(pay(place, 0))).toEqual([400, 'amount'])
    expect(await refused(pay(place, 1, { method: 'CREDIT' }))).toEqual([400, 'method'])
    expect(await refused(pay(place, 1, { outletId: 'out_none' }))).toEqual([404, 'outletId'])
    expect((await refused(pay({ ...place, customerId: 'cus_none' }, 1)))[0]).toBe(404)
  })

  test('of 20 payments at the same time no rupiah is taken twice', async () => {
    const place = await shop()
    saleOf(await sell(place, 5))
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(place, 5_000)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array(10).fill(201),
      ...Array(10).fill(422),
    ])
    expect(await owes(place)).toMatchObject({ balance: 0 })
    await assertInvariants(deps().db)
  })
})

describe('the record of the customer', () => {
  test('has a limit that managers set and cashiers do not', async () => {
    const place = await shop()
    const { api: cashier } = await memberOf(place.api, 'CASHIER')
    const path = `/customers/${place.customerId}`
    expect(await refused(cashier.patch(path, { creditLimit: 1 }))).toEqual([403, 'creditLimit'])
    expect(await refused(cashier.post('/customers', { name: 'Ani', creditLimit: 1 }))).toEqual([
      403,
      'creditLimit',
    ])
    expect(await refused(place.api.patch(path, { creditLimit: -1 }))).toEqual([400, 'creditLimit'])
    const { customer } = done(await place.api.patch(path, { creditLimit: 1 }))
    expect(customer).toMatchObject({ creditLimit: 1, creditBalance: 0 })
  })

  test('is not deleted while the customer owes, and stays erased afterwards', async () => {
    const place = await shop()
    saleOf(await sell(place, 1))
    const path = `/customers/${place.customerId}`
    expect(refusalOf(await place.api.delete(path)).status).toBe(409)
    const bill = saleOf(await sell(place, 1, { status: 'PARKED', payments: [] }))
    done(await pay(place, 10_000))
    expect(done(await place.api.delete(path)).deactivated).toBe(true)
    expect(await refused(place.api.post(`/sales/${bill.id}/payments`, credit(10_000)))).toEqual([
      422,
      'method',
    ])
  })

  test('makes a reminder for WhatsApp, and none without a debt or a number', async () => {
    const place = await shop({ phone: '0812-3456-7890' })
    const path = `/customers/${place.customerId}/credit/reminder`
    expect(refusalOf(await place.api.get(path)).status).toBe(409)
    saleOf(await sell(place, 1, { payments: [credit(10_000, { dueDate: '2026-12-10' })] }))
    const { text, url } = done(await place.api.get(path))
    expect(text).toContain('Budi')
    expect(text).toContain('Rp 10.000')
    expect(text).toContain('2026-12-10')
    expect(url).toBe(`https://wa.me/6281234567890?text=${encodeURIComponent(text)}`)
    expect(done(await place.api.get(`${path}?lang=en`)).text).toContain('you owe')
    done(await place.api.patch(`/customers/${place.customerId}`, { phone: 'none' }))
    expect(refusalOf(await place.api.get(path)).status).toBe(409)
  })
})

test('a blank due date counts as no due date, in a new sale and in a payment on a bill', async () => {
  const place = await shop()
  const sold = saleOf(await sell(place, 1, { payments: [credit(10_000, { dueDate: ' ' })] }))
  expect(sold.payments).toMatchObject([{ method: 'CREDIT', dueDate: null }])
  for (const dueDate of ['', ' ']) {
    const bill = saleOf(await sell(place, 1, { payments: [] }))
    const paid = await place.api.post(`/sales/${bill.id}/payments`, {
      method: 'CASH',
      amount: 10_000,
      dueDate,
    })
    expect(saleOf(paid)).toMatchObject({ status: 'COMPLETED', payments: [{ dueDate: null }] })
  }
  await assertInvariants(deps().db)
})

test('receivables have the age of their due date, or of the sale, by customer', async () => {
  const place = await shop({ creditLimit: 1_000_000 })
  saleOf(await sell(place, 1, { payments: [credit(10_000, { dueDate: '2026-11-26' })] }))
  saleOf(await sell(place, 2, { payments: [credit(20_000, { dueDate: '2026-10-27' })] }))
  saleOf(await sell(place, 3, { payments: [credit(30_000, { dueDate: '2026-10-26' })] }))
  saleOf(await sell(place, 4, { payments: [credit(40_000, { dueDate: '2026-09-26' })] }))
  const ages = { current: 10_000, days30: 20_000, days60: 30_000, days90: 40_000 }
  const row = { customerId: place.customerId, name: 'Budi', balance: 100_000 }
  expect(done(await place.api.get('/reports/receivables')).receivables).toEqual([{ ...row, ...ages }])
  const table = (await place.api.get('/reports/receivables?format=csv')).text
  expect(table).toContain('customerId,name,balance,current,days30,days60,days90')
  const { api: cashier } = await memberOf(place.api, 'CASHIER')
  expect(refusalOf(await cashier.get('/reports/receivables')).status).toBe(403)
  const quiet = await makeCustomer(place.api, { creditLimit: 10_000 })
  saleOf(await sell({ ...place, customerId: quiet }, 1))
  clock.advance(DAY_MS)
  const later = done(await place.api.get('/reports/receivables')).receivables
  expect(later.find(({ customerId }: Fields) => customerId === quiet)).toMatchObject({ days30: 10_000 })
})

/** The invariants of the areas that break when `change` runs; the change is undone. */
async function broken(change: string, areas: BooksPart[] = ['customers']): Promise<string[]> {
  let names: string[] = []
  await inTx(deps().db, async (tx) => {
    // oxlint-disable-next-line typescript/no-explicit-any -- a test may write what no store writes
    const { numAffectedRows } = await sql.raw(change).execute(tx as any)
    expect([change, numAffectedRows]).toEqual([change, 1n])
    names = (await brokenInvariants(tx as never, areas)).map(({ name }) => name)
    throw new Error('undone')
  }).catch((error: Error) => {
    if (error.message !== 'undone') throw error
  })
  return names
}

test('the invariants notice expected cash and a payment of a debt in cash that differ by one', async () => {
  const place = await shop()
  const shiftId = await openShift(place.api, place.outletId)
  saleOf(await sell(place, 2))
  done(await pay(place, 7_000))
  const closed = done(await place.api.post(`/shifts/${shiftId}/close`, { countedCash: 7_000 }))
  expect(closed.shift).toMatchObject({ expectedCash: 7_000, difference: 0 })
  const name = 'the expected cash of a closed shift is what was booked to it, and nothing was booked later'
  const changes = [
    `update shifts set expected_cash = expected_cash + 1 where id = '${shiftId}'`,
    `update customer_credit_entries set amount = amount - 1 where shift_id = '${shiftId}'`,
    `update customer_credit_entries set method = 'QRIS' where shift_id = '${shiftId}'`,
  ]
  for (const change of changes) expect(await broken(change, ['shifts'])).toContain(name)
})

test('the invariants notice store credit that differs by one from the tender of its refund', async () => {
  const place = await shop()
  const sale = saleOf(await sell(place, 2))
  done(await pay(place, 5_000))
  const { giftCard } = done(await place.api.post(`/sales/${sale.id}/refund`, { refundToStoreCredit: true }))
  const name = 'store credit is worth what its refund gave'
  const card = `update gift_cards set initial_amount = initial_amount + 1 where id = '${giftCard.id}'`
  expect(await broken(card, ['cards'])).toContain(name)
  const tender = `update refund_tenders set amount = amount + 1 where method = 'STORE_CREDIT'
    and account_id = '${place.api.workspace.accountId}'`
  expect(await broken(tender, ['cards'])).toEqual([name])
})

test('the invariants notice a balance, a charge, a chain, a tender and a reversal that are off by one', async () => {
  const place = await shop()
  const sale = saleOf(await sell(place, 2))
  done(await place.api.post(`/sales/${sale.id}/refund`, { amount: 5_000 }))
  await openShift(place.api, place.outletId)
  done(await pay(place, 1_000))
  const sum = 'what a customer owes is the sum of the credit entries, and of what is open of the charges'
  const chain = 'the credit entries of a customer form one chain from nothing to the balance'
  const changed = (text: string) => broken(`${text} and customer_id = '${place.customerId}'`)
  const entries = 'update customer_credit_entries set'
  expect(await changed(`${entries} open = open + 1 where type = 'CHARGE' and open < amount`)).toEqual([sum])
  expect(await changed(`${entries} balance_after = balance_after + 1 where type = 'CHARGE'`)).toEqual([chain])
  expect(await changed(`${entries} amount = amount + 1 where type = 'CHARGE'`)).toEqual(
    expect.arrayContaining([sum, chain, 'a tender on credit has its one charge']),
  )
  expect(await changed(`${entries} payment_id = 'pay_none' where type = 'CHARGE'`)).toEqual([
    'a tender on credit has its one charge',
    'a charge has its one tender on credit',
  ])
  expect(await changed(`${entries} amount = amount - 1 where type = 'REVERSAL'`)).toEqual(
    expect.arrayContaining(['what a refund, void or discard takes of credit is its reversal']),
  )
  const raised = `update customers set credit_balance = credit_balance + 1 where id = '${place.customerId}'`
  expect(await broken(raised)).toEqual([sum, chain])
})
