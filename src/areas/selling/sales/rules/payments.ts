import { assert } from '../../../../core/assert.ts'
import { type CashRounding, roundCash } from '../../../../core/cash-rounding.ts'
import { conflict, invalid, malformed } from '../../../../core/errors.ts'
import { sum } from '../../../../core/money.ts'
import { isDay } from '../../../../core/time.ts'
import { requireAmountDue } from './state.ts'

export const PAYMENT_METHODS = [
  'CASH',
  'QRIS',
  'VA',
  'CARD',
  'TRANSFER',
  'GIFT_CARD',
  'CREDIT',
  'OTHER',
] as const
export const PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** A payment as the till sends it (B-payment-1); rupiah, `amount` > 0 and `tendered` ≥ 0 are the schema's matter. */
export type SentPayment = {
  method: PaymentMethod
  amount: number
  tendered?: number | null
  reference?: string | null
  providerRef?: string | null
  /** When CREDIT is due, as a day. */
  dueDate?: string | null
  status?: PaymentStatus
}

/**
 * A payment as it is stored: `amount` is what was applied to the sale, `change` what the cashier hands back
 * (B-payment-10), and `rounding` what the cash due differs from the amount (B-rounding-2).
 */
export type AppliedPayment = {
  method: PaymentMethod
  amount: number
  tendered: number | null
  change: number
  rounding: number
  reference: string | null
  providerRef: string | null
  dueDate: string | null
  status: PaymentStatus
}

/** `paidTotal` is the sale's after these payments; the other sums are those of these payments only. Rupiah. */
export type AppliedPayments = {
  applied: AppliedPayment[]
  paidTotal: number
  changeTotal: number
  roundingTotal: number
}

/** `cashRounding` is what the sale has frozen; without it nothing is rounded. */
type Bill = { total: number; paidTotal: number; cashRounding?: CashRounding | null }
type ParamOf = (index: number) => string

const inList: ParamOf = (index) => `payments[${index}]`
const field = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** A card payment without its code cannot be debited, and these two methods are money in hand or none (B-payment-5). */
function requireConsistent(
  payment: SentPayment,
  status: PaymentStatus,
  path: string,
  allowPending: boolean,
): void {
  if (payment.method === 'GIFT_CARD' && !payment.reference?.trim()) {
    throw invalid(field(path, 'reference'), 'Enter the code of the gift card as the reference')
  }
  if (payment.dueDate && !isDay(payment.dueDate)) {
    throw malformed(field(path, 'dueDate'), 'dueDate must be a day such as 2026-12-31')
  }
  if (payment.dueDate && payment.method !== 'CREDIT') {
    throw invalid(
      field(path, 'dueDate'),
      `Only credit has a due date: leave it out of a ${payment.method} payment`,
    )
  }
  if (status !== 'PENDING') return
  if (payment.method === 'CASH' || payment.method === 'GIFT_CARD' || payment.method === 'CREDIT') {
    throw invalid(
      field(path, 'status'),
      `A ${payment.method} payment cannot be pending: send it once it is paid`,
    )
  }
  if (!allowPending) {
    throw invalid(
      field(path, 'status'),
      'A pending payment cannot complete a sale: park the bill until it is paid',
    )
  }
}

function cashAmounts(payment: SentPayment, { remaining, cashRounding }: AmountDue, path: string) {
  const due = cashRounding === null ? remaining : roundCash(remaining, cashRounding)
  if (cashRounding !== null && payment.amount >= Math.min(due, remaining)) {
    return roundedAmounts(payment, { remaining, due }, path)
  }
  const tendered = payment.tendered ?? payment.amount
  if (tendered < payment.amount) {
    throw invalid(
      field(path, 'tendered'),
      `The cash given (${tendered}) is less than the amount (${payment.amount})`,
    )
  }
  const amount = Math.min(payment.amount, remaining)
  return { amount, tendered, change: tendered - amount, rounding: 0 }
}

/** Cash that completes a bill: the customer hands over the rounded remainder, and the bill is paid (B-rounding-2). */
function roundedAmounts(
  payment: SentPayment,
  { remaining, due }: { remaining: number; due: number },
  path: string,
) {
  const tendered = payment.tendered ?? Math.max(payment.amount, due)
  if (tendered < due) {
    throw invalid(
      field(path, 'tendered'),
      `The cash given (${tendered}) is less than the ${due} that is due after rounding`,
    )
  }
  return { amount: remaining, tendered, change: tendered - due, rounding: due - remaining }
}

function exactAmounts(payment: SentPayment, { remaining }: AmountDue, path: string) {
  if (payment.amount > remaining) {
    throw invalid(
      field(path, 'amount'),
      `Only ${remaining} is left to pay: a ${payment.method} payment gives no change and cannot be larger`,
    )
  }
  return { amount: payment.amount, tendered: null, change: 0, rounding: 0 }
}

/** What remains to be paid, and how cash that pays all of it is rounded. */
type AmountDue = { remaining: number; cashRounding: CashRounding | null }

function applyOne(payment: SentPayment, due: AmountDue, path: string, allowPending: boolean): AppliedPayment {
  const status = payment.status ?? 'PAID'
  requireConsistent(payment, status, path, allowPending)
  const facts = {
    method: payment.method,
    reference: payment.reference ?? null,
    providerRef: payment.providerRef ?? null,
    dueDate: payment.dueDate || null,
    status,
  }
  if (status === 'FAILED') return { ...facts, amount: payment.amount, tendered: null, change: 0, rounding: 0 }
  if (due.remaining === 0) {
    throw invalid(field(path, 'amount'), 'The bill is already paid in full: remove this payment')
  }
  const takesCash = payment.method === 'CASH'
  return { ...facts, ...(takesCash ? cashAmounts : exactAmounts)(payment, due, path) }
}

/**
 * One payment of the partner is one payment here: a second one with its id would count its money twice (B-payment-7).
 */
function requireDistinctReferences(payments: readonly SentPayment[]) {
  const told = new Map<string, PaymentStatus>()
  for (const { providerRef, status = 'PAID' } of payments) {
    if (!providerRef) continue
    const earlier = told.get(providerRef)
    if (earlier) throw conflict(`The payment with this providerRef is already ${earlier}`)
    told.set(providerRef, status)
  }
}

/**
 * Applies payments in the order sent (B-payment-3, B-payment-5). Only PAID ones count; PENDING ones reserve nothing,
 * though each alone must fit the remaining; FAILED ones are kept for the log. Only cash may exceed the remaining, and
 * only cash gives change. `paramOf(index)` is the body path of a payment, '' when the body itself is the payment.
 * 422: `…amount` above the remaining or after the payment that covers, `…tendered` below the amount, `…status` for a
 * PENDING that may not be, `…reference` for a gift card without its code. 409 for a providerRef that is sent twice.
 */
export function applyPayments(
  payments: readonly SentPayment[],
  options: Bill & { allowPending: boolean; paramOf?: ParamOf },
): AppliedPayments {
  const paramOf = options.paramOf ?? inList
  let paidTotal = options.paidTotal
  requireDistinctReferences(payments)
  const applied = payments.map((payment, index) => {
    const due = { remaining: options.total - paidTotal, cashRounding: options.cashRounding ?? null }
    const result = applyOne(payment, due, paramOf(index), options.allowPending)
    if (result.status === 'PAID') paidTotal += result.amount
    return result
  })
  assert(paidTotal <= options.total, 'applied payments never exceed the total')
  return {
    applied,
    paidTotal,
    changeTotal: sum(applied.map((payment) => payment.change)),
    roundingTotal: sum(applied.map((payment) => payment.rounding)),
  }
}

/**
 * The state a new sale opens in (B-sale-2, B-sale-3). `requested` is the body's status, `paid` what its payments
 * cover and `hasPayments` whether it names any (an empty list reads as none). COMPLETED without `payments` is a cash
 * sale of the exact total, so it completes. 422 `payments` if the payments of a COMPLETED sale do not cover it.
 */
export function openingStatus(sale: {
  requested: 'COMPLETED' | 'PARKED' | undefined
  hasPayments: boolean
  total: number
  paidTotal: number
}): 'COMPLETED' | 'PARKED' {
  const covered = sale.paidTotal === sale.total
  if (sale.requested === 'PARKED') return 'PARKED'
  if (sale.requested === undefined) return covered && sale.paidTotal > 0 ? 'COMPLETED' : 'PARKED'
  if (sale.hasPayments && !covered) {
    throw invalid(
      'payments',
      `The payments cover ${sale.paidTotal} of ${sale.total}: add the rest, or park the bill`,
    )
  }
  return 'COMPLETED'
}

/**
 * Explains why a new sale without `status` is an open bill (B-answer-7). Null for a bill of a table, or one whose
 * PENDING payments cover the rest: there the caller expects it.
 */
export function notPaidMessage(sale: {
  hasTable: boolean
  payments: readonly { status: PaymentStatus; amount: number }[]
  paidTotal: number
  total: number
}): string | null {
  const { hasTable, payments, paidTotal, total } = sale
  const pending = sum(payments.flatMap(({ status, amount }) => (status === 'PENDING' ? [amount] : [])))
  if (paidTotal + pending >= total || (hasTable && payments.length === 0)) return null
  const paid = paidTotal === 0 ? 'Nothing of' : `Only Rp ${paidTotal} of`
  return `${paid} Rp ${total} is paid, so the sale is an open bill: add the payment, or send status PARKED to open a bill`
}

/** The implied payment: exactly the cash that is due (B-sale-3, B-rounding-2). `total` > 0. */
function impliedCash(total: number, cashRounding: CashRounding | null): AppliedPayment {
  const due = cashRounding === null ? total : roundCash(total, cashRounding)
  return {
    method: 'CASH',
    amount: total,
    tendered: due,
    change: 0,
    rounding: due - total,
    reference: null,
    providerRef: null,
    dueDate: null,
    status: 'PAID',
  }
}

/**
 * Returns the state and the stored payments of a new sale (B-sale-2, B-sale-3, B-payment-5). A COMPLETED sale without
 * payments gets a cash payment of its total. Throws as its two
 * parts do.
 */
export function openingOf(sale: {
  requested: 'COMPLETED' | 'PARKED' | undefined
  payments: readonly SentPayment[] | undefined
  total: number
  cashRounding?: CashRounding | null
}): AppliedPayments & { status: 'COMPLETED' | 'PARKED' } {
  const payments = sale.payments ?? []
  const sent = applyPayments(payments, {
    total: sale.total,
    paidTotal: 0,
    cashRounding: sale.cashRounding ?? null,
    allowPending: sale.requested !== 'COMPLETED',
  })
  const status = openingStatus({
    requested: sale.requested,
    hasPayments: payments.length > 0,
    total: sale.total,
    paidTotal: sent.paidTotal,
  })
  if (status === 'PARKED' || payments.length > 0 || sale.total === 0) return { ...sent, status }
  const cash = impliedCash(sale.total, sale.cashRounding ?? null)
  return { applied: [cash], paidTotal: sale.total, changeTotal: 0, roundingTotal: cash.rounding, status }
}

/**
 * The payments that settle an open bill (B-payment-8). All are PAID or FAILED, and together they cover the remaining
 * amount; an empty list settles a bill with nothing to pay. Throws 409 for a payment on such a bill, 422 param
 * `payments` if they do not cover, else as `applyPayments`.
 */
export function settlementOf(payments: readonly SentPayment[], bill: Bill): AppliedPayments {
  if (payments.length > 0) requireAmountDue(bill)
  const settled = applyPayments(payments, { ...bill, allowPending: false })
  if (settled.paidTotal < bill.total) {
    throw invalid(
      'payments',
      `The payments leave ${bill.total - settled.paidTotal} unpaid: add the rest, or record them one by one`,
    )
  }
  return settled
}
