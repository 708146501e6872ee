import type { ApprovalAction } from '../../../../core/approvals.ts'
import { spendApproval } from '../../../../platform/auth/approvals.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { approvalsFor, type CataloguePrice } from '../rules/approvals.ts'
import type { Sale } from '../sale/types.ts'

type SalesToApprove = { after: readonly Sale[]; before: Sale | null }

/** Uses up the approvals that the sale needs, and notes on it who gave the last one (B-approval-5). */
export async function approveSale(
  tx: Tx,
  scope: Scope,
  { after, before }: { after: Sale; before: Sale | null },
  priceOf: CataloguePrice,
): Promise<Sale> {
  const [approved = after] = await approveSales(tx, scope, { after: [after], before }, priceOf)
  return approved
}

/** Approves each of the bills that one bill becomes. An approval of an action counts for all of them. */
export async function approveSales(
  tx: Tx,
  scope: Scope,
  { after, before }: SalesToApprove,
  priceOf: CataloguePrice,
): Promise<Sale[]> {
  const needed = after.map((sale) => approvalsFor(scope, sale, before, priceOf))
  const approvers = new Map<ApprovalAction, string | null>()
  for (const action of new Set(needed.flat())) {
    approvers.set(action, await spendApproval(tx, scope, action, before && before.id))
  }
  return after.map((sale, at) => {
    const last = needed[at]?.at(-1)
    return last === undefined ? sale : { ...sale, approvedBy: approvers.get(last) ?? null }
  })
}
