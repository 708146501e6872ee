import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { settlementOf } from '../rules/payments.ts'
import { requireState } from '../rules/state.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'

import type { PaymentIn, SaleAnswer } from '../schema.ts'
import { awaited, payBill, taken } from '../steps/pay-bill.ts'

/** Settles a bill with payments that cover what remains, or with none when nothing does (B-payment-8). */
export async function settleBill(
  tx: Tx,
  scope: Scope,
  id: string,
  payments: PaymentIn[],
): Promise<SaleAnswer> {
  const bill = await lockSale(tx, scope, id)
  return withSaleOnConflict(bill, () => {
    requireState('settle', bill.status)
    const known = awaited(bill, payments)
    const after = taken(scope, bill, known, settlementOf(payments, bill))
    const sentAt = payments.flatMap((_, index) => (known[index] === undefined ? [index] : []))
    const paramOf = (index: number) => `payments[${sentAt[index - bill.payments.length]}].reference`
    return payBill(tx, scope, bill, after, { completes: true, paramOf })
  })
}
