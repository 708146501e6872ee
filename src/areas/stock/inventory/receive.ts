import { newId } from '../../../core/ids.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { setVariantCosts } from '../../catalogue/products/index.ts'
import { weightedAverage } from './rules/cost.ts'
import type { MovementRow } from './schema.ts'
import { lockSame, putBatches } from './statements-batches.ts'
import { applyMoves, lockStock } from './stock.ts'
import * as store from './store.ts'
import { type BatchKey } from './store-batches.ts'

/**
 * A receipt of `qty` (> 0) units at `cost` rupiah each. Without a `batch` the units stay unbatched. Untracked goods
 * have no stock: only the cost of the variant changes.
 */
export type GoodsReceipt = {
  isTracked: boolean
  variantId: string
  qty: number
  cost: number
  batch: { batchNo: string | null; expiryDate: string | null } | null
}

/**
 * Receives goods at an outlet (B-batch-1, B-purchase-4, B-batch-6). Writes levels, batches and one PURCHASE movement
 * per tracked receipt, in order. Sets the cost of each variant to its average over the workspace. The caller has
 * checked that the variants exist and can have stock. Locks the variants by id before the levels, so that two
 * receipts of one variant at two outlets average one after the other.
 */
export async function receiveStock(
  tx: Tx,
  scope: Scope,
  {
    outletId,
    receipts,
    source = {},
  }: {
    outletId: string
    receipts: readonly GoodsReceipt[]
    source?: { purchaseOrderId?: string } | undefined
  },
): Promise<{ movements: MovementRow[]; batchIds: (string | null)[] }> {
  if (receipts.length === 0) return { movements: [], batchIds: [] }
  const variantIds = [...new Set(receipts.map((receipt) => receipt.variantId))].sort()
  const costs = await store.lockCosts(tx, scope, variantIds)
  const tracked = receipts.filter((receipt) => receipt.isTracked)
  await lockStock(
    tx,
    scope,
    outletId,
    tracked.map((receipt) => receipt.variantId),
  )
  // Untracked goods have no stock, even if a level stayed from before (B-stock-2).
  const trackedIds = [...new Set(tracked.map((receipt) => receipt.variantId))]
  const onHand = await store.onHand(tx, scope, trackedIds)
  const batchIds = await addToBatches(tx, scope, outletId, tracked)
  const averages = new Map(
    variantIds.map((variantId) => [
      variantId,
      weightedAverage({
        onHand: onHand.get(variantId) ?? 0,
        cost: costs.get(variantId) ?? 0,
        received: receipts.filter((receipt) => receipt.variantId === variantId),
      }),
    ]),
  )
  const { movements } = await applyMoves(
    tx,
    scope,
    tracked.map(({ variantId, qty, cost }, index) => ({
      outletId,
      variantId,
      type: 'PURCHASE' as const,
      qtyDelta: qty,
      batchId: batchIds[index] ?? null,
      // addToBatches has already added the units to their batches.
      parts: [],
      unitCost: cost,
      averageCost: averages.get(variantId) ?? null,
      purchaseOrderId: source.purchaseOrderId ?? null,
    })),
  )
  await setVariantCosts(
    tx,
    scope,
    [...averages].map(([variantId, cost]) => ({ variantId, cost })),
  )
  return { movements, batchIds }
}

type Arrival = BatchKey & { qty: number; cost: number }

const keyOf = ({ variantId, batchNo, expiryDate }: BatchKey) =>
  JSON.stringify([variantId, batchNo, expiryDate])

/** Adds the receipts to their batches. Returns the batch of each receipt, in order; null for a receipt without one. */
async function addToBatches(tx: Tx, scope: Scope, outletId: string, receipts: readonly GoodsReceipt[]) {
  const arrivals = receipts.map(({ variantId, qty, cost, batch }) =>
    batch === null ? null : { variantId, qty, cost, ...batch },
  )
  const ids = await mergeIntoBatches(
    tx,
    scope,
    outletId,
    arrivals.filter((arrival) => arrival !== null),
  )
  return arrivals.map((arrival) => (arrival === null ? null : (ids.get(keyOf(arrival)) ?? null)))
}

/**
 * Adds units to the batches of an outlet and returns the batch of each key. Units with the same number and date form
 * one batch. Its cost is the weighted average of the remaining and the new units (B-batch-1). The caller has locked
 * the levels of the variants.
 */
async function mergeIntoBatches(tx: Tx, scope: Scope, outletId: string, arrivals: readonly Arrival[]) {
  const groups = new Map<string, { first: Arrival; all: Arrival[] }>()
  for (const arrival of arrivals) {
    const group = groups.get(keyOf(arrival)) ?? { first: arrival, all: [] }
    group.all.push(arrival)
    groups.set(keyOf(arrival), group)
  }
  if (groups.size === 0) return new Map<string, string>()
  const keys = [...groups.values()].map(({ first }) => first)
  const same = await lockSame(tx, scope, outletId, keys)
  const known = new Map(same.map((batch) => [keyOf(batch), batch]))
  const rows = [...groups].map(([key, { first, all }]) => {
    const batch = known.get(key)
    return {
      id: batch?.id ?? newId('stockBatch'),
      variantId: first.variantId,
      batchNo: first.batchNo,
      expiryDate: first.expiryDate,
      qty: all.reduce((total, arrival) => total + arrival.qty, 0),
      cost: weightedAverage({ onHand: batch?.remainingQty ?? 0, cost: batch?.cost ?? 0, received: all }),
    }
  })
  await putBatches(tx, scope, outletId, rows)
  return new Map(rows.map((row) => [keyOf(row), row.id]))
}

/** Adds transferred units to batches of the receiving outlet. The batches keep number, date and cost (B-stock-7). */
export async function arriveInBatches(tx: Tx, scope: Scope, outletId: string, arrivals: readonly Arrival[]) {
  const ids = await mergeIntoBatches(tx, scope, outletId, arrivals)
  return arrivals.map((arrival) => ids.get(keyOf(arrival)) ?? null)
}
