import { assert } from '../../../core/assert.ts'
import { type Db, named, type Tx } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Belongings } from './schema.ts'

const LOCK_LEVELS = statement(
  'outlet_lock_levels',
  `select 1 from stock_levels where account_id = $1 and outlet_id = $2 order by variant_id for update`,
)

const BELONGINGS = statement(
  'outlet_belongings',
  `select
    (select count(*) from stock_levels where account_id = $1 and outlet_id = $2) as "stockLevels",
    (select count(*) from stock_movements where account_id = $1 and outlet_id = $2) as "stockMovements",
    (select count(*) from stock_batches where account_id = $1 and outlet_id = $2) as "stockBatches",
    (select count(*) from floors where account_id = $1 and outlet_id = $2) as floors,
    (select count(*) from dining_tables where account_id = $1 and outlet_id = $2) as tables,
    (select count(*) from shifts where account_id = $1 and outlet_id = $2) as shifts,
    (select count(*) from cash_movements m
      join shifts s on s.account_id = $1 and s.id = m.shift_id
      where m.account_id = $1 and s.outlet_id = $2) as "cashMovements",
    (select count(*) from purchase_orders where account_id = $1 and outlet_id = $2) as "purchaseOrders",
    (select count(*) from purchase_order_items i
      join purchase_orders o on o.account_id = $1 and o.id = i.purchase_order_id
      where i.account_id = $1 and o.outlet_id = $2) as "purchaseOrderItems"`,
)

/**
 * Counts the records that a deletion also removes, by kind. Locks the levels first, so that a concurrent stock
 * movement is either counted or waits.
 */
export async function countBelongings(tx: Tx, scope: Scope, id: string): Promise<Belongings> {
  const values = [scope.accountId, id]
  await named(tx, LOCK_LEVELS, values)
  const [counts] = await named<Belongings>(tx, BELONGINGS, values)
  assert(counts, 'a select without from answers one row')
  return counts
}

const ZONE = statement(
  'outlet_zone',
  'select exists (select from pg_timezone_names where name = $1) as "isKnown"',
)

/** Whether the database can compute days in a time zone: its names may be older or newer than those of the runtime. */
export async function isZoneOfDatabase(db: Db, timezone: string): Promise<boolean> {
  const [zone] = await named<{ isKnown: boolean }>(db, ZONE, [timezone])
  return zone?.isKnown === true
}
