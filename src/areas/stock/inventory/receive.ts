import { newId } from '../../../core/ids.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { setVariantCosts } from '../../catalogue/products/index.ts'
import { weightedAverage } from './rules/cost.ts'
import type { Movement } from './schema.ts'
import { lockSame, putBatches } from './statements-batches.ts'
import { applyMoves, lockStock } from './stock.ts'
import * as store from './store.ts'
import { type BatchKey } from './store-batches.ts'

/**
 * `qty` (> 0) units that came in at `cost` rupiah each; `batch` null leaves them unbatched. Untracked goods change the
 * cost of their variant and no stock.
 */
export type Receipt = {
  isTracked: boolean
  variantId: string
  qty: number
  cost: number
  batch: { batchNo: string | null; expiryDate: string | null } | null
}

/**
 * Goods arrive at an outlet: levels, PURCHASE movements (one per tracked receipt, in order), batches, and the cost of
 * each variant as the average over the workspace (B-batch-1, B-purchase-4, B-batch-6). The variants exist and may
 * hold stock. Locks the variants by id before the levels: two receipts of one variant at two outlets must average one
 * after the other.
 */
export async function receiveStock(
  tx: Tx,
  scope: Scope,
  outletId: string,
  receipts: readonly Receipt[],
  source: { purchaseOrderId?: string } = {},
): Promise<{ movements: Movement[]; batchIds: (string | null)[] }> {
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
  const onHand = await store.onHand(tx, scope, variantIds)
  const batchIds = await putInBatches(tx, scope, outletId, tracked)
  const { movements } = await applyMoves(
    tx,
    scope,
    tracked.map(({ variantId, qty, cost }, index) => ({
      outletId,
      variantId,
      type: 'PURCHASE' as const,
      qtyDelta: qty,
      batchId: batchIds[index] ?? null,
      // The units are in their batch already: it was made or refilled with its number, date and cost.
      parts: [],
      unitCost: cost,
      purchaseOrderId: source.purchaseOrderId ?? null,
    })),
  )
  await setVariantCosts(
    tx,
    scope,
    variantIds.map((variantId) => ({
      variantId,
      cost: weightedAverage({
        onHand: onHand.get(variantId) ?? 0,
        cost: costs.get(variantId) ?? 0,
        received: receipts.filter((receipt) => receipt.variantId === variantId),
      }),
    })),
  )
  return { movements, batchIds }
}

type Arrival = BatchKey & { qty: number; cost: number }

const keyOf = ({ variantId, batchNo, expiryDate }: BatchKey) =>
  JSON.stringify([variantId, batchNo, expiryDate])

/** The batch of each receipt, in order; null for receipts without one. */
async function putInBatches(tx: Tx, scope: Scope, outletId: string, receipts: readonly Receipt[]) {
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
 * Puts units into the batches of an outlet, merging by number and date at the weighted cost of what is left and what
 * came (B-batch-1). The levels of the variants are locked by the caller. Answers the batch of each key.
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

/** Batches that travelled keep number, date and cost at the outlet where they arrive (B-stock-7). */
export async function arriveInBatches(tx: Tx, scope: Scope, outletId: string, arrivals: readonly Arrival[]) {
  const ids = await mergeIntoBatches(tx, scope, outletId, arrivals)
  return arrivals.map((arrival) => ids.get(keyOf(arrival)) ?? null)
}
