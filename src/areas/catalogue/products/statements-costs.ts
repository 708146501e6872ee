import { namedWrite, type Tx } from '../../../platform/db/open.ts'
import { writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

const SET_COSTS = writeStatement(
  'variants_set_costs',
  `update variants v set cost = c.cost, updated_at = $2
    from unnest($3::text[], $4::bigint[]) as c(id, cost)
    where v.account_id = $1 and v.id = c.id and v.cost <> c.cost`,
)

/** Sets the unit cost of variants, in whole rupiah, after goods were received (B-batch-6). */
export async function setVariantCosts(
  tx: Tx,
  scope: Scope,
  costs: readonly { variantId: string; cost: number }[],
) {
  if (costs.length === 0) return
  const columns = [costs.map((row) => row.variantId), costs.map((row) => row.cost)]
  await namedWrite(tx, SET_COSTS, [scope.accountId, scope.now, ...columns])
}
