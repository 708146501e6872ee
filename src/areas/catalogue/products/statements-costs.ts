import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

/** Sets the unit cost (whole rupiah) of variants after goods came in (B-batch-6). */
export async function setVariantCosts(
  tx: Tx,
  scope: Scope,
  costs: readonly { variantId: string; cost: number }[],
) {
  if (costs.length === 0) return
  await sql`update variants v set cost = c.cost, updated_at = ${scope.now}
    from unnest(${costs.map((row) => row.variantId)}::text[], ${costs.map((row) => row.cost)}::bigint[]) as c(id, cost)
    where v.account_id = ${scope.accountId} and v.id = c.id and v.cost <> c.cost`.execute(tx)
}
