import { named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { BatchKey } from './store-batches.ts'

export type BatchStock = BatchKey & { id: string; remainingQty: number; cost: number }

const LOCK_SAME = statement(
  'batches_lock_same',
  `select b.id, b.variant_id as "variantId", b.batch_no as "batchNo", b.expiry_date as "expiryDate",
      b.remaining_qty as "remainingQty", b.cost
    from stock_batches b
    join unnest($3::text[], $4::text[], $5::date[]) as k(variant_id, batch_no, expiry_date)
      on b.variant_id = k.variant_id and b.batch_no is not distinct from k.batch_no
      and b.expiry_date is not distinct from k.expiry_date
    where b.account_id = $1 and b.outlet_id = $2
    order by b.id for update of b`,
)

/** The batches of an outlet that these keys name, empty ones too; their levels are locked by the caller. */
export const lockSame = (tx: Tx, scope: Scope, outletId: string, keys: readonly BatchKey[]) =>
  named<BatchStock>(tx, LOCK_SAME, [
    scope.accountId,
    outletId,
    keys.map((key) => key.variantId),
    keys.map((key) => key.batchNo),
    keys.map((key) => key.expiryDate),
  ])

export type BatchArrival = BatchKey & { id: string; qty: number; cost: number }

const PUT = writeStatement(
  'batches_put',
  `insert into stock_batches as b (account_id, id, outlet_id, variant_id, batch_no, expiry_date,
      received_qty, remaining_qty, cost, created_at, updated_at)
    select $1, a.id, $2, a.variant_id, a.batch_no, a.expiry_date, a.qty, a.qty, a.cost, $3, $3
    from unnest($4::text[], $5::text[], $6::text[], $7::date[], $8::int[], $9::bigint[])
      as a(id, variant_id, batch_no, expiry_date, qty, cost)
    on conflict (account_id, id) do update set received_qty = b.received_qty + excluded.received_qty,
      remaining_qty = b.remaining_qty + excluded.remaining_qty, cost = excluded.cost, updated_at = excluded.updated_at`,
)

/** Adds units to batches, making those that are new; `cost` is the unit cost after the arrival. */
export const putBatches = (tx: Tx, scope: Scope, outletId: string, rows: readonly BatchArrival[]) =>
  namedWrite(tx, PUT, [
    scope.accountId,
    outletId,
    scope.now,
    rows.map((row) => row.id),
    rows.map((row) => row.variantId),
    rows.map((row) => row.batchNo),
    rows.map((row) => row.expiryDate),
    rows.map((row) => row.qty),
    rows.map((row) => row.cost),
  ])
