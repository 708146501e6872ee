import { notFound } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { lockSale } from '../sale/load.ts'

import type { Payment, Sale } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { SaleAnswer } from '../schema.ts'
import { announcePayments } from '../steps/announce.ts'
import { payBill } from '../steps/pay-bill.ts'
import { save } from '../store/write.ts'

/**
 * Applies money that the payment partner reports for a payment (B-payment-9); `amount` in rupiah. On an open bill it
 * is applied up to what remains, and completes the sale when it covers; the excess becomes a separate record. For a
 * completed or voided sale it is kept with `applied` false and changes nothing else. Either way it is stored once,
 * however often it is reported, and the unapplied amount is announced so that staff refund it. Only evidence of the
 * partner turns FAILED into PAID. For a payment that is PAID already: what the till said of it is the same money,
 * which is verified from then on; any other money has come twice, and is kept unapplied as a separate record, unless
 * the sale has money of `sessionId` already: a partner may report it again long after the session was removed. 404
 * for an unknown sale or payment. With `leaveOpen` a covered bill stays open: its money has arrived, but its goods
 * are out of stock.
 */
export async function confirmPayment(
  tx: Tx,
  scope: Scope,
  saleId: string,
  evidence: { paymentId: string; sessionId: string; amount: number; leaveOpen?: boolean },
): Promise<SaleAnswer> {
  const before = await lockSale(tx, scope, saleId)
  const payment = before.payments.find((row) => row.id === evidence.paymentId)
  if (!payment) throw notFound('payment')
  const isPaid = payment.status === 'PAID'
  if (before.payments.some(({ sessionId }) => sessionId === evidence.sessionId)) {
    return { sale: saleView(before), stockWarnings: [] }
  }
  const after = isPaid
    ? { ...before, payments: paidAgain(scope, before.payments, payment, evidence) }
    : confirmed(scope, before, payment, evidence)
  if (after.paidTotal > before.paidTotal) {
    const completes = after.paidTotal === after.total && evidence.leaveOpen !== true
    return payBill(tx, scope, { before, after }, { completes, isPaidFor: true, paramOf: () => 'reference' })
  }
  await save(tx, scope, { before, after })
  const sale = saleView(after)
  await announcePayments(tx, scope, { before, after }, sale)
  return { sale, stockWarnings: [] }
}

type Money = { sessionId: string; amount: number }

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

function confirmed(scope: Scope, bill: Sale, payment: Payment, { sessionId, amount }: Money): Sale {
  const remaining = bill.status === 'PARKED' ? bill.total - bill.paidTotal : 0
  const applied = Math.min(amount, remaining)
  const paid: Payment = {
    ...payment,
    status: 'PAID',
    verified: true,
    sessionId,
    paidAt: scope.now,
    updatedAt: scope.now,
  }
  const kept = applied > 0 ? { ...paid, amount: applied, applied: true } : { ...paid, amount, applied: false }
  const rest = amount - kept.amount
  const surplus: Payment[] =
    rest > 0 ? [{ ...paid, id: newId('payment'), amount: rest, applied: false, createdAt: scope.now }] : []
  const payments = [...bill.payments.map((row) => (row.id === payment.id ? kept : row)), ...surplus]
  if (applied === 0) return { ...bill, payments }
  return {
    ...bill,
    payments,
    paidTotal: bill.paidTotal + applied,
    version: bill.version + 1,
    updatedAt: scope.now,
  }
}
