import { namedWrite, type Tx } from '../../../platform/db/open.ts'
import { writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

const RECEIVE = writeStatement(
  'order_receive',
  `update purchase_order_items i set received_qty = i.received_qty + r.qty,
      stocked_qty = i.stocked_qty + r.units, updated_at = $3
    from unnest($4::text[], $5::int[], $6::int[]) as r(id, qty, units)
    where i.account_id = $1 and i.purchase_order_id = $2 and i.id = r.id`,
)

/**
 * Adds received quantities to the items; each item appears once. `stocked` has the units that changed a level, by
 * item.
 */
export async function addReceived(
  tx: Tx,
  scope: Scope,
  {
    orderId,
    received,
    stocked,
  }: { orderId: string; received: ReadonlyMap<string, number>; stocked: ReadonlyMap<string, number> },
) {
  const ids = [...received.keys()]
  const columns = [ids, [...received.values()], ids.map((id) => stocked.get(id) ?? 0)]
  await namedWrite(tx, RECEIVE, [scope.accountId, orderId, scope.now, ...columns])
}
