import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../src/platform/db/open.ts'

/** What may never be true of stock, at any moment; each query answers the rows that break it. */
const STOCK_INVARIANTS = {
  'a level is the sum of its movements': sql`
    select l.outlet_id, l.variant_id, l.quantity, coalesce(m.total, 0) as movements
    from stock_levels l
    left join (select account_id, outlet_id, variant_id, sum(qty_delta) as total from stock_movements group by 1, 2, 3) m
      on m.account_id = l.account_id and m.outlet_id = l.outlet_id and m.variant_id = l.variant_id
    where l.quantity <> coalesce(m.total, 0)`,
  'no movement lacks its level': sql`
    select m.id from stock_movements m
    left join stock_levels l on l.account_id = m.account_id and l.outlet_id = m.outlet_id and l.variant_id = m.variant_id
    where l.id is null`,
  'balanceAfter of the last movement is the level': sql`
    select l.outlet_id, l.variant_id, l.quantity, last.balance_after
    from stock_levels l
    join (select distinct on (account_id, outlet_id, variant_id) account_id, outlet_id, variant_id, balance_after
      from stock_movements order by account_id, outlet_id, variant_id, id desc) last
      on last.account_id = l.account_id and last.outlet_id = l.outlet_id and last.variant_id = l.variant_id
    where last.balance_after <> l.quantity`,
  'the ledger adds up movement by movement': sql`
    select id, balance_after, running from (
      select id, balance_after, sum(qty_delta) over
        (partition by account_id, outlet_id, variant_id order by id rows unbounded preceding) as running
      from stock_movements) ledger
    where balance_after <> running`,
  'no batch holds less than nothing or more than came in by it': sql`
    select id, remaining_qty, received_qty from stock_batches
    where remaining_qty < 0 or remaining_qty > received_qty`,
  'batches of a product that needs them never hold more than its level': sql`
    select b.outlet_id, b.variant_id, sum(b.remaining_qty) as batched, coalesce(max(l.quantity), 0) as level
    from stock_batches b
    join variants v on v.account_id = b.account_id and v.id = b.variant_id
    join products p on p.account_id = v.account_id and p.id = v.product_id and p.requires_batch
    left join stock_levels l on l.account_id = b.account_id and l.outlet_id = b.outlet_id and l.variant_id = b.variant_id
    group by b.account_id, b.outlet_id, b.variant_id
    having sum(b.remaining_qty) > coalesce(max(l.quantity), 0)`,
  'a transfer is goods that left and the same goods that came': sql`
    select transfer_id, count(*) as movements, sum(qty_delta) as total from stock_movements
    where type in ('TRANSFER_OUT', 'TRANSFER_IN') or transfer_id is not null
    group by account_id, transfer_id, variant_id
    having sum(qty_delta) <> 0 or count(*) < 2 or transfer_id is null`,
  'services never move': sql`
    select m.id from stock_movements m
    join variants v on v.account_id = m.account_id and v.id = m.variant_id
    join products p on p.account_id = v.account_id and p.id = v.product_id
    where p.kind = 'SERVICE'`,
  'an order never received more than it asked for, and its ledger agrees': sql`
    select i.purchase_order_id, i.variant_id, i.qty, i.received_qty, m.total
    from purchase_order_items i
    left join (select account_id, purchase_order_id, variant_id, sum(qty_delta) as total
      from stock_movements where type = 'PURCHASE' group by 1, 2, 3) m
      on m.account_id = i.account_id and m.purchase_order_id = i.purchase_order_id and m.variant_id = i.variant_id
    where i.received_qty > i.qty or coalesce(m.total, 0) > i.received_qty`,
} as const

/** Holds after every operation on stock, whatever was accepted or refused; reads every workspace of the database. */
export async function assertStockInvariants(db: Db) {
  for (const [name, query] of Object.entries(STOCK_INVARIANTS)) {
    const { rows } = await query.execute(db)
    expect(rows, name).toEqual([])
  }
}
