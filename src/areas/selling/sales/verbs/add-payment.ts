import { conflict } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { type Reply, runWrite } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { awaited, taken } from '../decide/payment.ts'
import { applyPayments } from '../rules/payments.ts'
import { requireAmountDue, requireState } from '../rules/state.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'

import type { Sale } from '../sale/types.ts'
import type { PaymentIn, SaleAnswer } from '../schema.ts'
import { type PaymentTools, payAtOnce } from '../steps/pay-at-once.ts'
import { payBill } from '../steps/pay-bill.ts'
import { isPendingElsewhere } from '../store/payments.ts'

/** Adds one payment to a bill; the one that covers what remains completes the sale exactly once (B-complete-1). */
export async function addPayment(
  tools: PaymentTools,
  scope: Scope,
  id: string,
  payment: PaymentIn,
): Promise<Reply> {
  const decide = (bill: Sale) => decided(scope, bill, payment)
  const paid = await payAtOnce(tools, scope, id, { payments: [payment], decide })
  if (paid) return paid
  return tools.within(() =>
    runWrite(tools.deps, scope, tools.idem, async (tx) => ({
      status: 200,
      value: await payWithLocks(tx, scope, id, payment),
      secret: false,
    })),
  )
}

async function payWithLocks(tx: Tx, scope: Scope, id: string, payment: PaymentIn): Promise<SaleAnswer> {
  const bill = await lockSale(tx, scope, id)
  return withSaleOnConflict(bill, async () => {
    requirePayable(bill, payment)
    await requireFreeReference(tx, scope, bill, payment)
    const { paid, completes } = decided(scope, bill, payment)
    return payBill(tx, scope, { before: bill, after: paid }, { completes, paramOf: (_, field) => field })
  })
}

function requirePayable(bill: Sale, payment: PaymentIn) {
  requireState('pay', bill.status)
  const known = awaited(bill, [payment])
  // A FAILED payment may be reported at any time; any other payment needs an amount due.
  if (known[0] === undefined || payment.status !== 'FAILED') requireAmountDue(bill)
  return known
}

function decided(scope: Scope, bill: Sale, payment: PaymentIn): { paid: Sale; completes: boolean } {
  const known = requirePayable(bill, payment)
  const { total, paidTotal, cashRounding } = bill
  const applied = applyPayments([payment], {
    total,
    paidTotal,
    cashRounding,
    allowPending: true,
    paramOf: () => '',
  })
  const completes = applied.paidTotal === total && applied.paidTotal > paidTotal
  return { paid: taken(scope, bill, known, applied), completes }
}

async function requireFreeReference(tx: Tx, scope: Scope, bill: Sale, payment: PaymentIn) {
  if (payment.status !== 'PENDING' || !payment.providerRef) return
  if (await isPendingElsewhere(tx, scope, payment.providerRef, bill.id)) {
    throw conflict('Another sale is already waiting for a payment with this providerRef')
  }
}
