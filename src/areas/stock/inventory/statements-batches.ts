import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { type BatchKey } from './store-batches.ts'

export type BatchStock = BatchKey & { id: string; remainingQty: number; cost: number }

/** The batches of an outlet that these keys name, empty ones too; their levels are locked by the caller. */
export async function lockSame(tx: Tx, scope: Scope, outletId: string, keys: readonly BatchKey[]) {
  const { rows } = await sql<BatchStock>`
    select b.id, b.variant_id, b.batch_no, b.expiry_date, b.remaining_qty, b.cost
    from stock_batches b
    join unnest(${keys.map((key) => key.variantId)}::text[], ${keys.map((key) => key.batchNo)}::text[],
      ${keys.map((key) => key.expiryDate)}::date[]) as k(variant_id, batch_no, expiry_date)
      on b.variant_id = k.variant_id and b.batch_no is not distinct from k.batch_no
      and b.expiry_date is not distinct from k.expiry_date
    where b.account_id = ${scope.accountId} and b.outlet_id = ${outletId}
    order by b.id for update of b`.execute(tx)
  return rows
}

export type BatchArrival = BatchKey & { id: string; qty: number; cost: number }

/** Adds units to batches, making those that are new; `cost` is the unit cost after the arrival. */
export async function putBatches(tx: Tx, scope: Scope, outletId: string, rows: readonly BatchArrival[]) {
  await sql`
    insert into stock_batches as b (account_id, id, outlet_id, variant_id, batch_no, expiry_date,
      received_qty, remaining_qty, cost, created_at, updated_at)
    select ${scope.accountId}, a.id, ${outletId}, a.variant_id, a.batch_no, a.expiry_date,
      a.qty, a.qty, a.cost, ${scope.now}, ${scope.now}
    from unnest(${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.variantId)}::text[],
      ${rows.map((row) => row.batchNo)}::text[], ${rows.map((row) => row.expiryDate)}::date[],
      ${rows.map((row) => row.qty)}::int[], ${rows.map((row) => row.cost)}::bigint[])
      as a(id, variant_id, batch_no, expiry_date, qty, cost)
    on conflict (account_id, id) do update set received_qty = b.received_qty + excluded.received_qty,
      remaining_qty = b.remaining_qty + excluded.remaining_qty, cost = excluded.cost, updated_at = excluded.updated_at`.execute(
    tx,
  )
}
