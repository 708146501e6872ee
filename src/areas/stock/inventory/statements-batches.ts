import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import { named, type Tx } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
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

/** Locks the batches of an outlet with these keys, including empty ones. The caller has locked their levels. */
export const lockSame = (tx: Tx, scope: Scope, outletId: string, keys: readonly BatchKey[]) =>
  named<BatchStock>(tx, LOCK_SAME, [
    scope.accountId,
    outletId,
    keys.map((key) => key.variantId),
    keys.map((key) => key.batchNo),
    keys.map((key) => key.expiryDate),
  ])

export type BatchArrival = BatchKey & { id: string; qty: number; cost: number }

const put = rowsInsert<BatchKey & { id: string; receivedQty: number; remainingQty: number; cost: number }>({
  name: 'batches_put',
  into: 'stock_batches as b',
  shared: { outlet_id: 'text', created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: {
    id: 'text',
    variant_id: 'text',
    batch_no: 'text',
    expiry_date: 'date',
    received_qty: 'int',
    remaining_qty: 'int',
    cost: 'bigint',
  },
  rest: `on conflict (account_id, id) do update set received_qty = b.received_qty + excluded.received_qty,
      remaining_qty = b.remaining_qty + excluded.remaining_qty, cost = excluded.cost, updated_at = excluded.updated_at`,
})

/** Adds units to batches and creates missing batches. `cost` is the unit cost after the receipt. */
export const putBatches = (tx: Tx, scope: Scope, outletId: string, rows: readonly BatchArrival[]) =>
  put(
    tx,
    scope,
    rows.map(({ qty, ...row }) => ({ ...row, receivedQty: qty, remainingQty: qty })),
    { outletId, createdAt: scope.now, updatedAt: scope.now },
  )
