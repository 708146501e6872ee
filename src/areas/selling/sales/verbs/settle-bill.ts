import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireState } from '../rules/state.ts'
import { settlementOf } from '../rules/tenders.ts'
import { lockBill, withSaleOnConflict } from '../sale/load.ts'

import type { SaleAnswer, TenderBody } from '../schema.ts'
import { awaited, storeTenders, taken } from '../steps/pay-bill.ts'

/** Settles a bill with tenders that cover what remains, or with none when nothing does (contract S2, 26.2). */
export async function settleBill(
  tx: Tx,
  scope: Scope,
  id: string,
  payments: TenderBody[],
): Promise<SaleAnswer> {
  const bill = await lockBill(tx, scope, id)
  return withSaleOnConflict(bill, () => {
    requireState('settle', bill.status)
    const known = awaited(bill, payments)
    const after = taken(scope, bill, known, settlementOf(payments, bill))
    const sentAt = payments.flatMap((_, index) => (known[index] === undefined ? [index] : []))
    const paramOf = (index: number) => `payments[${sentAt[index - bill.payments.length]}].reference`
    return storeTenders(tx, scope, bill, after, { completes: true, paramOf })
  })
}
