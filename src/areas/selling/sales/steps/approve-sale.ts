import { spendApproval } from '../../../../platform/auth/approvals.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { approvalsFor, type CataloguePrice } from '../rules/approvals.ts'
import type { Sale } from '../sale/types.ts'

/** Uses up the approvals that the sale needs, and notes on it who gave the last one (B-approval-5). */
export async function approveSale(
  tx: Tx,
  scope: Scope,
  { after, before }: { after: Sale; before: Sale | null },
  priceOf: CataloguePrice,
): Promise<Sale> {
  let { approvedBy } = after
  for (const action of approvalsFor(scope, after, before, priceOf)) {
    approvedBy = await spendApproval(tx, scope, action, before && before.id)
  }
  return approvedBy === after.approvedBy ? after : { ...after, approvedBy }
}
