import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

/** Adds what came in to the lines; each line once. `stocked` are the lines whose units went onto a level. */
export async function addReceived(
  tx: Tx,
  scope: Scope,
  orderId: string,
  received: ReadonlyMap<string, number>,
  stocked: ReadonlySet<string>,
) {
  await sql`update purchase_order_items i set received_qty = i.received_qty + r.qty,
      stocked_qty = i.stocked_qty + case when r.id = any(${[...stocked]}::text[]) then r.qty else 0 end, updated_at = ${scope.now}
    from unnest(${[...received.keys()]}::text[], ${[...received.values()]}::int[]) as r(id, qty)
    where i.account_id = ${scope.accountId} and i.purchase_order_id = ${orderId} and i.id = r.id`.execute(tx)
}
