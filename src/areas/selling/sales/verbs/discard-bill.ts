import { spendApproval } from '../../../../platform/auth/approvals.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireDiscardable } from '../rules/state.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'

import type { SaleAnswer } from '../schema.ts'
import { lockOpenCredit } from '../steps/charge-credit.ts'
import { reversePayments, storeReversal } from '../steps/reverse-sale.ts'
import { sendToKitchen } from '../steps/send-to-kitchen.ts'

/**
 * Drops an open bill. Money already taken for it goes back the same way (B-void-3); where voids need an approval, so does
 * this (B-approval-5). No stock moves.
 */
export async function discardBill(
  tx: Tx,
  scope: Scope,
  id: string,
  reason: string | null,
): Promise<SaleAnswer> {
  const before = await lockSale(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    requireDiscardable({ status: before.status, payments: before.payments })
    const approvedBy = before.paidTotal > 0 ? await spendApproval(tx, scope, 'void', id) : null
    const credit = await lockOpenCredit(tx, scope, before)
    const refund = await reversePayments(tx, scope, before, { kind: 'DISCARD', reason, credit })
    const taken = { ...before, approvedBy: approvedBy ?? before.approvedBy }
    const { sale, after } = await storeReversal(tx, scope, before, {
      taken,
      refund: refund && { ...refund, approvedBy },
      reason,
    })
    await sendToKitchen(tx, scope, before, after)
    return { sale, stockWarnings: [] }
  })
}
