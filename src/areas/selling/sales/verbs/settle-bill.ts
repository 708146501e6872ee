import type { Tx } from '../../../../platform/db/open.ts'
import { type Reply, runWrite } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { awaited, taken } from '../decide/payment.ts'
import { settlementOf } from '../rules/payments.ts'
import { requireState } from '../rules/state.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'

import type { Sale } from '../sale/types.ts'
import type { PaymentIn, SaleAnswer } from '../schema.ts'
import { type PaymentTools, payAtOnce } from '../steps/pay-at-once.ts'
import { payBill } from '../steps/pay-bill.ts'

/** Settles a bill with payments that cover what remains, or with none when nothing does (B-payment-8). */
export async function settleBill(
  tools: PaymentTools,
  scope: Scope,
  id: string,
  payments: PaymentIn[],
): Promise<Reply> {
  const decide = (bill: Sale) => ({ paid: decided(scope, bill, payments).paid, completes: true })
  const paid = await payAtOnce(tools, scope, id, { payments, decide })
  if (paid) return paid
  return tools.within(() =>
    runWrite(tools.deps, scope, tools.idem, async (tx) => ({
      status: 200,
      value: await settleWithLocks(tx, scope, id, payments),
      secret: false,
    })),
  )
}

async function settleWithLocks(tx: Tx, scope: Scope, id: string, payments: PaymentIn[]): Promise<SaleAnswer> {
  const bill = await lockSale(tx, scope, id)
  return withSaleOnConflict(bill, () => {
    const { known, paid } = decided(scope, bill, payments)
    const sentAt = payments.flatMap((_, index) => (known[index] === undefined ? [index] : []))
    const paramOf = (index: number, field: string) =>
      `payments[${sentAt[index - bill.payments.length]}].${field}`
    return payBill(tx, scope, { before: bill, after: paid }, { completes: true, paramOf })
  })
}

function decided(scope: Scope, bill: Sale, payments: PaymentIn[]) {
  requireState('settle', bill.status)
  const known = awaited(bill, payments)
  return { known, paid: taken(scope, bill, known, settlementOf(payments, bill)) }
}
