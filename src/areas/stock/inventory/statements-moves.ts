import { newId } from '../../../core/ids.ts'
import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import { named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { AvailableBatch } from './rules/fefo.ts'
import type { MovementRow } from './schema.ts'

// Every locked sale runs these statements. Each one takes one round trip for any number of rows.

export type LockedLevel = { id: string; quantity: number; reorderPoint: number | null }
export type Pair = { outletId: string; variantId: string }

const LOCK_LEVELS = statement(
  'stock_lock_levels',
  `select variant_id as "variantId", id, quantity, reorder_point as "reorderPoint" from stock_levels
    where account_id = $1 and outlet_id = $2 and variant_id = any($3::text[]) order by variant_id for update`,
)
const insertLevels = rowsInsert<{ variantId: string; id: string }>({
  name: 'stock_create_levels',
  into: 'stock_levels',
  shared: { outlet_id: 'text', quantity: 'int', created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: { variant_id: 'text', id: 'text' },
  rest: 'on conflict (account_id, outlet_id, variant_id) do nothing',
})
const LOCK_BATCHES = statement(
  'stock_lock_batches',
  `select variant_id as "variantId", id, expiry_date as "expiryDate", remaining_qty as "remainingQty", created_at as "createdAt"
    from stock_batches where account_id = $1 and outlet_id = $2 and variant_id = any($3::text[]) and remaining_qty > 0
    order by id for update`,
)

type LevelRow = LockedLevel & { variantId: string }

export const lockLevels = (tx: Tx, scope: Scope, outletId: string, variantIds: readonly string[]) =>
  named<LevelRow>(tx, LOCK_LEVELS, [scope.accountId, outletId, variantIds])

/**
 * Creates missing levels. `variantIds` must be sorted, so that two transactions that create the same levels wait for
 * each other in one order.
 */
export const createLevels = (tx: Tx, scope: Scope, outletId: string, variantIds: readonly string[]) =>
  insertLevels(
    tx,
    scope,
    variantIds.map((variantId) => ({ variantId, id: newId('stockLevel') })),
    { outletId, quantity: 0, createdAt: scope.now, updatedAt: scope.now },
  )

export const lockBatches = (tx: Tx, scope: Scope, outletId: string, variantIds: readonly string[]) =>
  named<AvailableBatch & { variantId: string }>(tx, LOCK_BATCHES, [scope.accountId, outletId, variantIds])

type AddedQuantity = Pair & { id: string; quantity: number }
type AddedRow = Pair & { quantity: number; reorderPoint: number | null }

const raiseLevels = rowsInsert<AddedQuantity, AddedRow>({
  name: 'stock_add_to_levels',
  into: 'stock_levels as l',
  shared: { created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: { outlet_id: 'text', variant_id: 'text', id: 'text', quantity: 'int' },
  rest: `on conflict (account_id, outlet_id, variant_id)
    do update set quantity = l.quantity + excluded.quantity, updated_at = excluded.updated_at
    returning outlet_id as "outletId", variant_id as "variantId", quantity, reorder_point as "reorderPoint"`,
})

/** Adds to levels and creates missing ones. `deltas` must be sorted by outlet and variant, with each pair once. */
export const addToLevels = (tx: Tx, scope: Scope, deltas: readonly (Pair & { delta: number })[]) =>
  raiseLevels(
    tx,
    scope,
    deltas.map(({ outletId, variantId, delta }) => ({
      outletId,
      variantId,
      id: newId('stockLevel'),
      quantity: delta,
    })),
    { createdAt: scope.now, updatedAt: scope.now },
  )

type NewMovement = MovementRow & { averageCost: number | null }

const insertLedger = rowsInsert<NewMovement>({
  name: 'stock_insert_movements',
  into: 'stock_movements',
  shared: { actor_id: 'text', created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: {
    id: 'text',
    outlet_id: 'text',
    variant_id: 'text',
    type: 'text',
    qty_delta: 'int',
    balance_after: 'int',
    batch_id: 'text',
    transaction_id: 'text',
    refund_id: 'text',
    purchase_order_id: 'text',
    transfer_id: 'text',
    counter_outlet_id: 'text',
    unit_cost: 'bigint',
    reason: 'text',
    reason_code: 'text',
    stock_count_id: 'text',
    average_cost: 'bigint',
  },
})

export const insertMovements = (tx: Tx, scope: Scope, rows: readonly NewMovement[]) =>
  insertLedger(tx, scope, rows, { actorId: scope.actor.id, createdAt: scope.now, updatedAt: scope.now })

const ADD_TO_BATCHES = writeStatement(
  'stock_add_to_batches',
  `update stock_batches b set remaining_qty = b.remaining_qty + d.delta, updated_at = $4
    from unnest($2::text[], $3::int[]) as d(id, delta)
    where b.account_id = $1 and b.id = d.id returning b.id`,
)

/** Adds to batches. Returns the ids of the batches that exist. */
export const addToBatches = (tx: Tx, scope: Scope, deltas: ReadonlyMap<string, number>) =>
  namedWrite<{ id: string }>(tx, ADD_TO_BATCHES, [
    scope.accountId,
    [...deltas.keys()],
    [...deltas.values()],
    scope.now,
  ])
