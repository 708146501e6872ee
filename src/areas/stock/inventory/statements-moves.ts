import { newId } from '../../../core/ids.ts'
import { named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Batch } from './rules/fefo.ts'
import type { Movement } from './schema.ts'

// The hot statements of every sale: written once, prepared by name, one round trip each whatever the number of rows.

export type LockedLevel = { id: string; quantity: number; reorderPoint: number | null }
export type Pair = { outletId: string; variantId: string }

const LOCK_LEVELS = statement(
  'stock_lock_levels',
  `select variant_id as "variantId", id, quantity, reorder_point as "reorderPoint" from stock_levels
    where account_id = $1 and outlet_id = $2 and variant_id = any($3::text[]) order by variant_id for update`,
)
const CREATE_LEVELS = writeStatement(
  'stock_create_levels',
  `insert into stock_levels (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
    select $1, $2, l.variant_id, l.id, 0, $5, $5 from unnest($3::text[], $4::text[]) as l(variant_id, id)
    on conflict (account_id, outlet_id, variant_id) do nothing`,
)
const LOCK_BATCHES = statement(
  'stock_lock_batches',
  `select variant_id as "variantId", id, expiry_date as "expiryDate", remaining_qty as "remainingQty", created_at as "createdAt"
    from stock_batches where account_id = $1 and outlet_id = $2 and variant_id = any($3::text[]) and remaining_qty > 0
    order by id for update`,
)

type LevelRow = LockedLevel & { variantId: string }

export const lockLevels = (tx: Tx, scope: Scope, outletId: string, variantIds: readonly string[]) =>
  named<LevelRow>(tx, LOCK_LEVELS, [scope.accountId, outletId, variantIds])

/** `variantIds` sorted, so that two writers creating the same levels wait for each other in one order. */
export const createLevels = (tx: Tx, scope: Scope, outletId: string, variantIds: readonly string[]) =>
  namedWrite(tx, CREATE_LEVELS, [
    scope.accountId,
    outletId,
    variantIds,
    variantIds.map(() => newId('stockLevel')),
    scope.now,
  ])

export const lockBatches = (tx: Tx, scope: Scope, outletId: string, variantIds: readonly string[]) =>
  named<Batch & { variantId: string }>(tx, LOCK_BATCHES, [scope.accountId, outletId, variantIds])

const ADD_TO_LEVELS = writeStatement(
  'stock_add_to_levels',
  `insert into stock_levels as l (account_id, outlet_id, variant_id, id, quantity, created_at, updated_at)
    select $1, d.outlet_id, d.variant_id, d.id, d.delta, $6, $6
    from unnest($2::text[], $3::text[], $4::text[], $5::int[]) as d(outlet_id, variant_id, id, delta)
    on conflict (account_id, outlet_id, variant_id)
    do update set quantity = l.quantity + excluded.quantity, updated_at = excluded.updated_at
    returning outlet_id as "outletId", variant_id as "variantId", quantity, reorder_point as "reorderPoint"`,
)

type AddedRow = Pair & { quantity: number; reorderPoint: number | null }

/** Adds to levels, creating those that are missing; `deltas` sorted by outlet and variant, each pair once. */
export const addToLevels = (tx: Tx, scope: Scope, deltas: readonly (Pair & { delta: number })[]) =>
  namedWrite<AddedRow>(tx, ADD_TO_LEVELS, [
    scope.accountId,
    deltas.map((row) => row.outletId),
    deltas.map((row) => row.variantId),
    deltas.map(() => newId('stockLevel')),
    deltas.map((row) => row.delta),
    scope.now,
  ])

const INSERT_MOVEMENTS = writeStatement(
  'stock_insert_movements',
  `insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, batch_id,
      transaction_id, refund_id, purchase_order_id, transfer_id, counter_outlet_id, unit_cost, reason, actor_id, created_at, updated_at)
    select $1, m.id, m.outlet_id, m.variant_id, m.type, m.qty_delta, m.balance_after, m.batch_id,
      m.transaction_id, m.refund_id, m.purchase_order_id, m.transfer_id, m.counter_outlet_id, m.unit_cost, m.reason, $2, $3, $3
    from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[], $10::text[],
      $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::bigint[], $17::text[])
      as m(id, outlet_id, variant_id, type, qty_delta, balance_after, batch_id,
        transaction_id, refund_id, purchase_order_id, transfer_id, counter_outlet_id, unit_cost, reason)`,
)

export const insertMovements = (tx: Tx, scope: Scope, rows: readonly Movement[]) =>
  namedWrite(tx, INSERT_MOVEMENTS, [
    scope.accountId,
    scope.actor.id,
    scope.now,
    rows.map((row) => row.id),
    rows.map((row) => row.outletId),
    rows.map((row) => row.variantId),
    rows.map((row) => row.type),
    rows.map((row) => row.qtyDelta),
    rows.map((row) => row.balanceAfter),
    rows.map((row) => row.batchId),
    rows.map((row) => row.transactionId),
    rows.map((row) => row.refundId),
    rows.map((row) => row.purchaseOrderId),
    rows.map((row) => row.transferId),
    rows.map((row) => row.counterOutletId),
    rows.map((row) => row.unitCost),
    rows.map((row) => row.reason),
  ])

const ADD_TO_BATCHES = writeStatement(
  'stock_add_to_batches',
  `update stock_batches b set remaining_qty = b.remaining_qty + d.delta, updated_at = $4
    from unnest($2::text[], $3::int[]) as d(id, delta)
    where b.account_id = $1 and b.id = d.id returning b.id`,
)

/** Each batch once; answers the ids that exist. */
export const addToBatches = (tx: Tx, scope: Scope, deltas: ReadonlyMap<string, number>) =>
  namedWrite<{ id: string }>(tx, ADD_TO_BATCHES, [
    scope.accountId,
    [...deltas.keys()],
    [...deltas.values()],
    scope.now,
  ])
