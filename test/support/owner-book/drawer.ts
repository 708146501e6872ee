import { expect } from 'vitest'
import { done } from '../expect.ts'
import { at, type Book, type Money, owe, type Shift, type Sold, sum } from './book.ts'

export async function openDay(book: Book, day: string, time: string, float: number): Promise<void> {
  at(book, day, time)
  const { shift } = done(
    await book.api.post('/shifts/open', { outletId: book.outletId, openingFloat: float }),
  )
  book.days.push(day)
  book.shift = {
    id: shift.id,
    float,
    money: [],
    sales: [],
    paidIn: 0,
    paidOut: 0,
    debtsPaid: [],
    closed: null,
  }
  book.shifts.push(book.shift)
}

const shiftOf = ({ shift }: Book): Shift => {
  if (shift === null) throw new Error('open a shift first')
  return shift
}

/** No more cash can be paid out than the drawer should hold. */
export const canPayOut = (book: Book, amount: number): boolean => amount <= drawerOf(shiftOf(book)).expected

/** Cash that leaves the drawer for something that the shop needs. */
export async function payOut(book: Book, amount: number, category: string | null): Promise<void> {
  const shift = shiftOf(book)
  done(
    await book.api.post(`/shifts/${shift.id}/cash-movements`, {
      type: 'PAID_OUT',
      amount,
      reason: 'Belanja',
      ...(category !== null && { category }),
    }),
  )
  shift.paidOut += amount
  book.expenses.set(category, (book.expenses.get(category) ?? 0) + amount)
}

export async function payIn(book: Book, amount: number): Promise<void> {
  const shift = shiftOf(book)
  done(
    await book.api.post(`/shifts/${shift.id}/cash-movements`, { type: 'PAID_IN', amount, reason: 'Receh' }),
  )
  shift.paidIn += amount
}

export const byRate = (taxes: Map<number, number>) =>
  [...taxes].sort(([a], [b]) => a - b).map(([rateBps, tax]) => ({ rateBps, tax }))

export function taxesOf(sales: readonly Sold[]): Map<number, number> {
  const all = new Map<number, number>()
  for (const { taxes } of sales) for (const [rate, tax] of taxes) all.set(rate, (all.get(rate) ?? 0) + tax)
  return all
}

/** The money of each method: payments, and what went back. */
export function methodsOf(money: readonly Money[]) {
  return [...new Set(money.map(({ method }) => method))].sort().map((method) => {
    const own = money.filter((each) => each.method === method)
    const into = own.filter(({ kind }) => kind === 'IN')
    const amount = sum(into.map((each) => each.amount))
    const refunds = sum(own.filter(({ kind }) => kind === 'BACK').map((each) => each.amount))
    return { method, count: into.length, amount, refunds, net: amount - refunds }
  })
}

/** Debts that were paid in a shift, by method. */
const debtsOf = ({ debtsPaid }: Shift) =>
  [...new Set(debtsPaid.map(({ method }) => method))].sort().map((method) => {
    const own = debtsPaid.filter((each) => each.method === method)
    return { method, count: own.length, amount: sum(own.map(({ amount }) => amount)) }
  })

/** A customer pays a part of a debt. */
export async function payDebt(
  book: Book,
  customerId: string,
  amount: number,
  method: 'CASH' | 'TRANSFER',
): Promise<void> {
  const body = { method, amount, outletId: book.outletId }
  const { balance } = done(await book.api.post(`/customers/${customerId}/credit/payments`, body))
  owe(book, customerId, -amount)
  expect(balance).toBe(book.debts.get(customerId))
  shiftOf(book).debtsPaid.push({ method, amount })
}

/** What must be in the drawer: float, cash of sales, cash given back, each as it was rounded. */
export function drawerOf({ float, money, paidIn, paidOut, debtsPaid }: Shift) {
  const cash = money.filter(({ method }) => method === 'CASH')
  const flow = (kind: Money['kind'], of: 'amount' | 'rounding') =>
    sum(cash.filter((each) => each.kind === kind).map((each) => each[of]))
  const [sales, refunds] = [flow('IN', 'amount'), flow('BACK', 'amount')]
  const rounding = flow('IN', 'rounding') - flow('BACK', 'rounding')
  const creditPayments = sum(debtsPaid.filter(({ method }) => method === 'CASH').map(({ amount }) => amount))
  const expected = float + sales - refunds + rounding + creditPayments + paidIn - paidOut
  return { opening: float, sales, refunds, rounding, creditPayments, paidIn, paidOut, expected }
}

/** The figures of a Z report, worked out from what was written down. */
export function figuresOf(shift: Shift) {
  const sold = shift.sales.filter(({ voidedOn }) => voidedOn === null)
  const methods = methodsOf(shift.money)
  return {
    salesCount: sold.length,
    gross: sum(sold.map(({ gross }) => gross)),
    discounts: sum(sold.map(({ discounts }) => discounts)),
    tax: sum(taxesOf(sold).values()),
    taxes: byRate(taxesOf(sold)),
    service: sum(sold.map(({ service }) => service)),
    refunds: sum(methods.map(({ refunds }) => refunds)),
    byMethod: methods,
    creditPayments: debtsOf(shift),
    cash: drawerOf(shift),
    openBills: 0,
  }
}

export const zReport = async (book: Book, { id }: Shift) => done(await book.api.get(`/reports/shifts/${id}`))

/** Counts the drawer, which may be some rupiah off, closes the shift, and compares its Z report with the book. */
export async function closeDay(book: Book, day: string, time: string, off = 0): Promise<void> {
  at(book, day, time)
  const shift = shiftOf(book)
  const { expected } = drawerOf(shift)
  // More cash may have been given back than came in; an empty drawer holds nothing.
  const counted = Math.max(0, expected + off)
  done(await book.api.post(`/shifts/${shift.id}/close`, { countedCash: counted }))
  const report = await zReport(book, shift)
  expect(report.shift, `Z report of ${day}`).toMatchObject({
    status: 'CLOSED',
    expectedCash: expected,
    countedCash: counted,
    difference: counted - expected,
    summary: figuresOf(shift),
  })
  shift.closed = report
  book.shift = null
}
