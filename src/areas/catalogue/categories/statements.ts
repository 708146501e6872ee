import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

export async function reorder(tx: Tx, scope: Scope, order: ReadonlyMap<string, number>) {
  await sql`update categories c set sort_order = o.position, updated_at = ${scope.now}
    from unnest(${[...order.keys()]}::text[], ${[...order.values()]}::int[]) as o(id, position)
    where c.account_id = ${scope.accountId} and c.id = o.id`.execute(tx)
}
