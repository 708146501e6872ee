import { assert } from '../../../core/assert.ts'
import { newId } from '../../../core/ids.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { emitRows, eventRow } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { stockLow } from './events.ts'
import type { MovementType, ReasonCode } from './movement-types.ts'
import type { AvailableBatch, BatchPart } from './rules/fefo.ts'
import type { MovementRow } from './schema.ts'
import type { LockedLevel, Pair } from './statements-moves.ts'
import * as store from './statements-moves.ts'
import { findLevels } from './store.ts'

export type StockLock = {
  levels: Map<string, LockedLevel>
  /** The non-empty batches by variant; a variant without such batches has no entry. */
  batches: Map<string, AvailableBatch[]>
}

/** Units of a variant that enter (qtyDelta > 0) or leave (qtyDelta < 0) an outlet; never 0. */
export type StockMove = {
  outletId: string
  variantId: string
  type: MovementType
  qtyDelta: number
  batchId?: string | null
  /**
   * The units of each batch (`qty` > 0), if they differ from the whole move at `batchId`. Parts without a batch are
   * skipped; `[]` changes no batch.
   */
  parts?: readonly BatchPart[]
  transactionId?: string | null
  refundId?: string | null
  purchaseOrderId?: string | null
  transferId?: string | null
  /** The other outlet of a transfer. */
  counterOutletId?: string | null
  unitCost?: number | null
  /** The unit cost of the variant after a receipt. */
  averageCost?: number | null
  reason?: string | null
  reasonCode?: ReasonCode | null
  stockCountId?: string | null
}

export type LevelChange = { outletId: string; variantId: string; before: number; after: number }

/**
 * Locks the levels of these variants at one outlet until the transaction ends, in ascending order of variant id, and
 * then their non-empty batches by id. Creates missing levels at 0, so `levels` has every variant of `variantIds`. For
 * several outlets, call this once per outlet, in ascending order of outlet id. The lock of a level protects its
 * batches: every change of a batch locks its level first.
 */
export async function lockStock(
  tx: Tx,
  scope: Scope,
  outletId: string,
  variantIds: readonly string[],
): Promise<StockLock> {
  const wanted = [...new Set(variantIds)].sort()
  if (wanted.length === 0) return { levels: new Map(), batches: new Map() }
  const rows = await store.lockLevels(tx, scope, outletId, wanted)
  if (rows.length < wanted.length) {
    const found = new Set(rows.map((row) => row.variantId))
    const missing = wanted.filter((id) => !found.has(id))
    await store.createLevels(tx, scope, outletId, missing)
    rows.push(...(await store.lockLevels(tx, scope, outletId, missing)))
  }
  const levels = new Map<string, LockedLevel>()
  for (const { variantId, ...level } of rows) levels.set(variantId, level)
  const batches = new Map<string, AvailableBatch[]>()
  for (const { variantId, ...batch } of await store.lockBatches(tx, scope, outletId, wanted)) {
    batches.set(variantId, [...(batches.get(variantId) ?? []), batch])
  }
  return { levels, batches }
}

/**
 * Moves stock. Writes levels, ledger and batches with one statement each, for any number of moves. Then emits one
 * `service.stock.low.v1` for each level that this call brought from above its reorder point to or below it
 * (B-stock-8). `balanceAfter` follows the order of `moves`. A caller that must refuse a shortage first calls
 * `lockStock`; other callers need no lock. Returns one change per outlet and variant, sorted by both.
 */
export const moveStock = async (tx: Tx, scope: Scope, moves: readonly StockMove[]): Promise<LevelChange[]> =>
  (await applyMoves(tx, scope, moves)).changes

/** Does the same as `moveStock` and also returns the written movements, in the order of `moves`. */
export async function applyMoves(
  tx: Tx,
  scope: Scope,
  moves: readonly StockMove[],
): Promise<{ changes: LevelChange[]; movements: MovementRow[] }> {
  if (moves.length === 0) return { changes: [], movements: [] }
  const deltas = deltasOf(moves)
  const after = await store.addToLevels(tx, scope, deltas)
  assert(after.length === deltas.length, 'every level moved')
  const rows = new Map(after.map((row) => [keyOf(row), row]))
  const changes = deltas.map(({ delta, outletId, variantId }) => {
    const { quantity, reorderPoint } = rows.get(keyOf({ outletId, variantId })) ?? {
      quantity: 0,
      reorderPoint: null,
    }
    return { outletId, variantId, before: quantity - delta, after: quantity, reorderPoint }
  })
  const movements = ledgerOf(scope, moves, changes)
  await store.insertMovements(
    tx,
    scope,
    movements.map((row, index) => ({ ...row, averageCost: moves[index]?.averageCost ?? null })),
  )
  const batches = batchDeltasOf(moves)
  if (batches.size > 0) {
    const touched = await store.addToBatches(tx, scope, batches)
    assert(touched.length === batches.size, 'every batch that moved exists')
  }
  await announceLowStock(tx, scope, changes.filter(hasFallen))
  return { changes: changes.map(({ reorderPoint: _, ...change }) => change), movements }
}

/** Whether a level came from above its reorder point to or below it (B-stock-8). */
export const hasFallen = ({
  before,
  after,
  reorderPoint,
}: Pick<LevelChange, 'before' | 'after'> & { reorderPoint: number | null }) =>
  reorderPoint !== null && before > reorderPoint && after <= reorderPoint

const keyOf = ({ outletId, variantId }: Pair) => `${outletId} ${variantId}`

/** Levels of several outlets are locked in this order: by outlet, then by variant. */
const inLockOrder = (a: Pair, b: Pair) => (keyOf(a) < keyOf(b) ? -1 : 1)

function deltasOf(moves: readonly StockMove[]): (Pair & { delta: number })[] {
  const deltas = new Map<string, Pair & { delta: number }>()
  for (const { outletId, variantId, qtyDelta } of moves) {
    assert(Number.isSafeInteger(qtyDelta) && qtyDelta !== 0, 'a movement moves whole units and never 0')
    const key = keyOf({ outletId, variantId })
    const delta = (deltas.get(key)?.delta ?? 0) + qtyDelta
    deltas.set(key, { outletId, variantId, delta })
  }
  return [...deltas.values()].sort(inLockOrder)
}

function batchDeltasOf(moves: readonly StockMove[]): Map<string, number> {
  const deltas = new Map<string, number>()
  for (const { qtyDelta, batchId = null, parts } of moves) {
    const sign = Math.sign(qtyDelta)
    for (const part of parts ?? [{ batchId, qty: Math.abs(qtyDelta) }]) {
      if (part.batchId === null) continue
      deltas.set(part.batchId, (deltas.get(part.batchId) ?? 0) + sign * part.qty)
    }
  }
  return deltas
}

function ledgerOf(scope: Scope, moves: readonly StockMove[], changes: readonly LevelChange[]): MovementRow[] {
  const balances = new Map(changes.map((change) => [keyOf(change), change.before]))
  return moves.map((move) => {
    const key = keyOf(move)
    const balanceAfter = (balances.get(key) ?? 0) + move.qtyDelta
    balances.set(key, balanceAfter)
    return {
      id: newId('stockMovement'),
      outletId: move.outletId,
      variantId: move.variantId,
      type: move.type,
      qtyDelta: move.qtyDelta,
      balanceAfter,
      batchId: move.batchId ?? null,
      transactionId: move.transactionId ?? null,
      refundId: move.refundId ?? null,
      purchaseOrderId: move.purchaseOrderId ?? null,
      transferId: move.transferId ?? null,
      counterOutletId: move.counterOutletId ?? null,
      unitCost: move.unitCost ?? null,
      reason: move.reason ?? null,
      reasonCode: move.reasonCode ?? null,
      stockCountId: move.stockCountId ?? null,
      actorId: scope.actor.id,
      createdAt: scope.now,
      updatedAt: scope.now,
    }
  })
}

async function announceLowStock(tx: Tx, scope: Scope, crossed: readonly Pair[]) {
  if (crossed.length === 0) return
  const levels = await findLevels(tx, scope, crossed)
  await emitRows(
    tx,
    scope,
    levels.map((level) => eventRow(scope, stockLow, level.id, { level })),
  )
}
