import { priceOfPack } from '../../../../core/packs.ts'
import { spendApproval } from '../../../../platform/auth/approvals.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { approvalsOfSale } from '../rules/approvals.ts'
import { packOf } from '../rules/packs.ts'
import type { Sale } from '../sale/types.ts'
import type { Context } from '../store/context.ts'

type Goods = Pick<Context, 'sellables'>

/** The approvals that the caller needs for this sale: none for all but cashiers. */
const approvalsFor = ({ actor }: Scope, after: Sale, before: Sale | null, { sellables }: Goods) =>
  actor.approvals === undefined
    ? []
    : approvalsOfSale(actor.approvals, after, before, (variantId, packId) =>
        priceIn(sellables, variantId, packId),
      )

function priceIn(sellables: Goods['sellables'], variantId: string, packId: string | null) {
  const sellable = sellables.get(variantId)
  const pack = packOf(sellable, packId)
  return sellable && (packId === null || pack) ? priceOfPack(sellable, pack) : undefined
}

/** Whether the caller needs an approval for a new sale. */
export const isApprovalNeeded = (scope: Scope, sale: Sale, goods: Goods): boolean =>
  approvalsFor(scope, sale, null, goods).length > 0

/** Uses up the approvals that the sale needs, and notes on it who gave the last one (B-approval-5). */
export async function approveSale(
  tx: Tx,
  scope: Scope,
  { after, before }: { after: Sale; before: Sale | null },
  goods: Goods,
): Promise<Sale> {
  let { approvedBy } = after
  for (const action of approvalsFor(scope, after, before, goods)) {
    approvedBy = await spendApproval(tx, scope, action, before && before.id)
  }
  return approvedBy === after.approvedBy ? after : { ...after, approvedBy }
}
