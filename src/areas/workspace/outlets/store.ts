import { sql } from 'kysely'
import { assert } from '../../../core/assert.ts'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Belongings, OutletIn, OutletPatch } from './schema.ts'

const FIELDS = [
  'id',
  'name',
  'address',
  'phone',
  'timezone',
  'taxRateBps',
  'taxInclusive',
  'taxLabel',
  'receiptHeader',
  'receiptFooter',
  'isActive',
  'createdAt',
  'updatedAt',
] as const

const all = (db: Db, scope: Scope) =>
  db.selectFrom('outlets').select(FIELDS).where('accountId', '=', scope.accountId)

export const list = (db: Db, scope: Scope) => all(db, scope).orderBy('createdAt').orderBy('id').execute()

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).where('id', '=', id).executeTakeFirst()

export async function insert(tx: Tx, scope: Scope, input: OutletIn) {
  const id = newId('outlet')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await tx
    .insertInto('outlets')
    .values({ ...input, id, accountId: scope.accountId, ...stamps })
    .execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, patch: OutletPatch) =>
  tx
    .updateTable('outlets')
    .set({ ...patch, updatedAt: scope.now })
    .where('accountId', '=', scope.accountId)
    .where('id', '=', id)
    .execute()

/** Any sale row of any status counts (B-outlet-1). */
export const hasSales = async (db: Db, scope: Scope, id: string) =>
  (await db
    .selectFrom('sales')
    .select('id')
    .where('accountId', '=', scope.accountId)
    .where('outletId', '=', id)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Held until the transaction ends: no sale can begin at the outlet while its deletion is decided. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  tx
    .selectFrom('outlets')
    .select('id')
    .where('accountId', '=', scope.accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

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

export const remove = (tx: Tx, scope: Scope, id: string) =>
  tx.deleteFrom('outlets').where('accountId', '=', scope.accountId).where('id', '=', id).execute()
