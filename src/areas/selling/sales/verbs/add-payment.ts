import { conflict } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { applyPayments } from '../rules/payments.ts'
import { requireAmountDue, requireState } from '../rules/state.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'

import type { Sale } from '../sale/types.ts'
import type { PaymentIn, SaleAnswer } from '../schema.ts'
import { awaited, payBill, taken } from '../steps/pay-bill.ts'
import { isPendingElsewhere } from '../store/payments.ts'

/** Adds one payment to a bill; the one that covers what remains completes the sale exactly once (B-complete-1). */
export async function addPayment(tx: Tx, scope: Scope, id: string, payment: PaymentIn): Promise<SaleAnswer> {
  const bill = await lockSale(tx, scope, id)
  return withSaleOnConflict(bill, async () => {
    requireState('pay', bill.status)
    const known = awaited(bill, [payment])
    // A failed session may be reported at any time; everything else needs something left to pay.
    if (known[0] === undefined || payment.status !== 'FAILED') requireAmountDue(bill)
    await requireFreeReference(tx, scope, bill, payment)
    const { total, paidTotal } = bill
    const applied = applyPayments([payment], { total, paidTotal, allowPending: true, paramOf: () => '' })
    const completes = applied.paidTotal === total && applied.paidTotal > paidTotal
    const paramOf = () => 'reference'
    return payBill(tx, scope, bill, taken(scope, bill, known, applied), { completes, paramOf })
  })
}

async function requireFreeReference(tx: Tx, scope: Scope, bill: Sale, payment: PaymentIn) {
  if (payment.status !== 'PENDING' || !payment.providerRef) return
  if (await isPendingElsewhere(tx, scope, payment.providerRef, bill.id)) {
    throw conflict('Another sale is already waiting for a payment with this providerRef')
  }
}
