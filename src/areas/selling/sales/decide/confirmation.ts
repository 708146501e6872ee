import { newId } from '../../../../core/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Payment, Sale } from '../sale/types.ts'

type Money = { sessionId: string; amount: number }

/** The sale with money that the payment partner reports for one of its payments (B-payment-9). */
export const confirmed = (scope: Scope, sale: Sale, payment: Payment, money: Money): Sale =>
  payment.status === 'PAID'
    ? { ...sale, payments: paidAgain(scope, sale.payments, payment, money) }
    : withMoney(scope, sale, payment, money)

function paidAgain(scope: Scope, payments: Payment[], paid: Payment, money: Money): Payment[] {
  if (paid.verified) return [...payments, twice(scope, paid, money)]
  const { sessionId } = money
  const verified = { ...paid, verified: true, sessionId, updatedAt: scope.now }
  return payments.map((row) => (row.id === paid.id ? verified : row))
}

const twice = (scope: Scope, payment: Payment, { sessionId, amount }: Money): Payment => ({
  ...payment,
  id: newId('payment'),
  sessionId,
  amount,
  rounding: 0,
  applied: false,
  verified: true,
  refundedAmount: 0,
  shiftId: null,
  paidAt: scope.now,
  createdAt: scope.now,
  updatedAt: scope.now,
})

function withMoney(scope: Scope, bill: Sale, payment: Payment, { sessionId, amount }: Money): Sale {
  const remaining = bill.status === 'PARKED' ? bill.total - bill.paidTotal : 0
  const part = Math.min(amount, remaining)
  const paid: Payment = {
    ...payment,
    status: 'PAID',
    verified: true,
    sessionId,
    paidAt: scope.now,
    updatedAt: scope.now,
  }
  const kept = part > 0 ? { ...paid, amount: part, applied: true } : { ...paid, amount, applied: false }
  const rest = amount - kept.amount
  const surplus: Payment[] =
    rest > 0 ? [{ ...paid, id: newId('payment'), amount: rest, applied: false, createdAt: scope.now }] : []
  const payments = [...bill.payments.map((row) => (row.id === payment.id ? kept : row)), ...surplus]
  if (part === 0) return { ...bill, payments }
  return {
    ...bill,
    payments,
    paidTotal: bill.paidTotal + part,
    version: bill.version + 1,
    updatedAt: scope.now,
  }
}
