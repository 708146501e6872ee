import { assert } from '../../../core/assert.ts'
import { invalid } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getActiveOutlet, getOutlet } from '../../workspace/outlets/index.ts'
import { stockTransferred } from './events.ts'
import { arriveInBatches } from './receive.ts'
import type { BatchPart } from './rules/fefo.ts'
import type { TransferIn } from './schema.ts'
import { planTaking, soleBatch, stockVariant, toMovementResult } from './service.ts'
import { applyMoves, lockStock, type StockLock, type StockMove } from './stock.ts'
import * as batchStore from './store-batches.ts'

/**
 * Transfers goods to another outlet with one movement at each outlet, in one transaction (B-stock-7). Goods can leave
 * an inactive outlet but cannot enter it (B-outlet-2).
 */
export async function transferStock(tx: Tx, scope: Scope, input: TransferIn) {
  const { variantId, qty } = input
  const from = await getOutlet(tx, scope, input.fromOutletId, 'fromOutletId')
  const to = await getOutlet(tx, scope, input.toOutletId, 'toOutletId')
  const variant = await stockVariant(tx, scope, variantId)
  if (from.id === to.id) throw invalid('toOutletId', 'Choose another outlet to transfer the goods to')
  await getActiveOutlet(tx, scope, to.id, 'toOutletId')
  // Locks both levels in order of outlet id, so that opposite transfers do not deadlock.
  let stock: StockLock | undefined
  for (const id of [from.id, to.id].sort()) {
    const locked = await lockStock(tx, scope, id, [variantId])
    if (id === from.id) stock = locked
  }
  assert(stock, 'the source is one of the two outlets')
  const plan = planTaking(stock, from, variant, { qty, mode: 'transfer', now: scope.now })
  if (plan.mustRefuse) {
    throw invalid('qty', `${from.name} has only ${plan.available} of ${variant.productName}`)
  }
  const arrived = await arrive(tx, scope, to.id, plan.parts)
  const common = { variantId, transferId: newId('transfer'), unitCost: variant.cost }
  const moves: StockMove[] = [
    {
      ...common,
      outletId: from.id,
      counterOutletId: to.id,
      type: 'TRANSFER_OUT',
      qtyDelta: -qty,
      batchId: soleBatch(plan.parts),
      parts: plan.parts,
    },
    {
      ...common,
      outletId: to.id,
      counterOutletId: from.id,
      type: 'TRANSFER_IN',
      qtyDelta: qty,
      batchId: arrived.length === 1 ? (arrived[0] ?? null) : null,
      parts: [],
    },
  ]
  const { movements } = await applyMoves(tx, scope, moves)
  const result = {
    transferId: common.transferId,
    from: await toMovementResult(tx, scope, movements[0]),
    to: await toMovementResult(tx, scope, movements[1]),
  }
  await emit(tx, scope, stockTransferred, common.transferId, result)
  return result
}

/**
 * Adds the transferred parts to batches of the receiving outlet. Returns the batch of each part, in order; null for
 * unbatched units.
 */
async function arrive(tx: Tx, scope: Scope, outletId: string, parts: readonly BatchPart[]) {
  const ids = parts.map((part) => part.batchId).filter((id) => id !== null)
  if (ids.length === 0) return parts.map(() => null)
  const labels = new Map((await batchStore.findLabels(tx, scope, ids)).map((label) => [label.id, label]))
  const arrivals = parts.flatMap(({ batchId, qty }) => {
    const label = batchId === null ? undefined : labels.get(batchId)
    return label ? [{ ...label, qty }] : []
  })
  const arrived = await arriveInBatches(tx, scope, outletId, arrivals)
  return parts.map(({ batchId }) => (batchId === null ? null : (arrived[ids.indexOf(batchId)] ?? null)))
}
