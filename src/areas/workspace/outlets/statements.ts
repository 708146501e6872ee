import { sql } from 'kysely'
import { assert } from '../../../core/assert.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Belongings } from './schema.ts'

/**
 * What a deletion removes as well, by kind. Holds the levels first: anything that moves stock there is either counted
 * or waits.
 */
export async function countBelongings(tx: Tx, scope: Scope, id: string): Promise<Belongings> {
  const { accountId } = scope
  await sql`select 1 from stock_levels where account_id = ${accountId} and outlet_id = ${id}
    order by variant_id for update`.execute(tx)
  const { rows } = await sql<Belongings>`select
    (select count(*) from stock_levels where account_id = ${accountId} and outlet_id = ${id}) as "stockLevels",
    (select count(*) from stock_movements where account_id = ${accountId} and outlet_id = ${id}) as "stockMovements",
    (select count(*) from stock_batches where account_id = ${accountId} and outlet_id = ${id}) as "stockBatches",
    (select count(*) from floors where account_id = ${accountId} and outlet_id = ${id}) as floors,
    (select count(*) from dining_tables where account_id = ${accountId} and outlet_id = ${id}) as tables,
    (select count(*) from shifts where account_id = ${accountId} and outlet_id = ${id}) as shifts,
    (select count(*) from cash_movements m
      join shifts s on s.account_id = ${accountId} and s.id = m.shift_id
      where m.account_id = ${accountId} and s.outlet_id = ${id}) as "cashMovements",
    (select count(*) from purchase_orders where account_id = ${accountId} and outlet_id = ${id}) as "purchaseOrders",
    (select count(*) from purchase_order_items i
      join purchase_orders o on o.account_id = ${accountId} and o.id = i.purchase_order_id
      where i.account_id = ${accountId} and o.outlet_id = ${id}) as "purchaseOrderItems"
  `.execute(tx)
  const [counts] = rows
  assert(counts, 'a select without from answers one row')
  return counts
}
