import { namedWrite, type Tx } from '../../../platform/db/open.ts'
import { writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

const REORDER = writeStatement(
  'categories_reorder',
  `update categories c set sort_order = o.position, updated_at = $2
    from unnest($3::text[], $4::int[]) as o(id, position)
    where c.account_id = $1 and c.id = o.id`,
)

export const reorder = (tx: Tx, scope: Scope, order: ReadonlyMap<string, number>) =>
  namedWrite(tx, REORDER, [scope.accountId, scope.now, [...order.keys()], [...order.values()]])
