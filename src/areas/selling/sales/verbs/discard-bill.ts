import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireDiscardable } from '../rules/state.ts'
import { lockBill, withSaleOnConflict } from '../sale/load.ts'

import type { SaleAnswer } from '../schema.ts'
import { finish, reverseTenders } from '../steps/reverse-sale.ts'

/** Drops an open bill; money already taken for it goes back the same way (contract S4). No stock moves. */
export async function discardBill(
  tx: Tx,
  scope: Scope,
  id: string,
  reason: string | null,
): Promise<SaleAnswer> {
  const before = await lockBill(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    requireDiscardable({ status: before.status, tenders: before.payments })
    const reversal = await reverseTenders(tx, scope, before, 'DISCARD', reason)
    const { sale } = await finish(tx, scope, before, before, reversal, reason)
    return { sale, stockWarnings: [] }
  })
}
