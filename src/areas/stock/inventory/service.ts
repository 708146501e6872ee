import { assert } from '../../../core/assert.ts'
import { invalid } from '../../../core/errors.ts'
import { emptyToNull } from '../../../core/text.ts'
import { addDays, dayOf } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import { type StockVariant, shareVariantForStock } from '../../catalogue/products/index.ts'
import { getOutlet, type Outlet } from '../../workspace/outlets/index.ts'
import { stockAdjusted, stockReceived } from './events.ts'
import { expiryDay, readExpiry } from './expiry.ts'
import { receiveStock } from './receive.ts'
import { type BatchPart, type Consumption, consumeFefo } from './rules/fefo.ts'
import type { Batch, BatchIn, Level, Movement, MovementRow, ReorderIn, StockAdjustmentIn } from './schema.ts'
import type { Pair } from './statements-moves.ts'
import { applyMoves, lockStock, type StockLock } from './stock.ts'
import * as store from './store.ts'
import * as batchStore from './store-batches.ts'

type MovementResult = { level: Level; movement: Movement }

/** Throws 422 for variants without stock: services, untracked goods and composites (B-stock-2). */
export function requireStockable(variant: StockVariant, param = 'variantId'): StockVariant {
  const name = variant.productName
  if (variant.kind === 'SERVICE') throw invalid(param, `${name} is a service; services have no stock`)
  if (!variant.trackStock) throw invalid(param, `Stock of ${name} is not tracked; switch trackStock on first`)
  if (variant.isComposite)
    throw invalid(param, `${name} is made from its components; change their stock instead`)
  return variant
}

export const stockVariant = async (tx: Tx, scope: Scope, variantId: string) =>
  requireStockable(await shareVariantForStock(tx, scope, variantId))

async function getLevel(db: Db, scope: Scope, pair: Pair): Promise<Level> {
  const [level] = await store.findLevels(db, scope, [pair])
  assert(level, 'a level that has just moved exists')
  return level
}

/** Returns the batch of a movement if a single batch provided all units, else null (B-stock-3). */
export const soleBatch = (parts: readonly BatchPart[]): string | null =>
  parts.length === 1 ? (parts[0]?.batchId ?? null) : null

/**
 * Adjusts stock by a counted difference (B-stock-3, B-batch-4, B-stock-4). An inactive outlet can be adjusted too
 * (B-outlet-2).
 */
export async function adjustStock(tx: Tx, scope: Scope, input: StockAdjustmentIn): Promise<MovementResult> {
  const { outletId, variantId, qtyDelta } = input
  const outlet = await getOutlet(tx, scope, outletId, 'outletId')
  const variant = await stockVariant(tx, scope, variantId)
  if (qtyDelta === 0) throw invalid('qtyDelta', 'An adjustment of 0 changes nothing')
  const parts = qtyDelta < 0 ? await takeByHand(tx, scope, { outlet, variant, qty: -qtyDelta }) : []
  const { movements } = await applyMoves(tx, scope, [
    {
      outletId,
      variantId,
      type: 'ADJUSTMENT',
      qtyDelta,
      batchId: soleBatch(parts),
      parts,
      unitCost: variant.cost,
      reason: emptyToNull(input.reason),
      reasonCode: input.reasonCode ?? null,
    },
  ])
  const moved = await toMovementResult(tx, scope, movements[0])
  await emit(tx, scope, stockAdjusted, moved.movement.id, moved)
  return moved
}

export async function toMovementResult(
  db: Db,
  scope: Scope,
  movement: MovementRow | undefined,
): Promise<MovementResult> {
  assert(movement, 'the movement was written')
  const level = await getLevel(db, scope, movement)
  return { level, movement: { ...movement, soldBy: level.soldBy } }
}

/**
 * Plans from which batches a decrease takes units. Throws 422 if the workspace or the product forbids negative stock.
 */
async function takeByHand(
  tx: Tx,
  scope: Scope,
  { outlet, variant, qty }: { outlet: Outlet; variant: StockVariant; qty: number },
) {
  const stock = await lockStock(tx, scope, outlet.id, [variant.variantId])
  const plan = planTaking(stock, outlet, variant, { qty, mode: 'adjust', now: scope.now })
  if (plan.shortBy > 0 && (plan.mustRefuse || (await store.negativeStock(tx, scope)) === 'BLOCK')) {
    throw invalid(
      'qtyDelta',
      `${outlet.name} has only ${plan.available} of ${variant.productName}; stock cannot fall below zero`,
    )
  }
  return plan.parts
}

export function planTaking(
  { levels, batches }: StockLock,
  outlet: Outlet,
  { variantId, requiresBatch }: StockVariant,
  { qty, mode, now }: { qty: number; mode: 'adjust' | 'transfer'; now: string },
): Consumption {
  return consumeFefo({
    batches: batches.get(variantId) ?? [],
    levelQuantity: levels.get(variantId)?.quantity ?? 0,
    today: dayOf(now, outlet.timezone),
    qty,
    mode,
    requiresBatch,
  })
}

export async function setReorderPoint(tx: Tx, scope: Scope, input: ReorderIn): Promise<Level> {
  await getOutlet(tx, scope, input.outletId, 'outletId')
  await stockVariant(tx, scope, input.variantId)
  await store.setReorderPoint(tx, scope, input, input.reorderPoint)
  return getLevel(tx, scope, input)
}

/**
 * Receives goods with a number, a date, both or neither. Goods with the same number and date form one batch
 * (B-batch-1, B-batch-6).
 */
export async function createBatch(
  tx: Tx,
  scope: Scope,
  input: BatchIn,
): Promise<{ batch: Batch; level: Level; movement: Movement }> {
  const { outletId, variantId, qty } = input
  const expiry = readExpiry(input.expiryDate, 'expiryDate')
  const outlet = await getOutlet(tx, scope, outletId, 'outletId')
  // The receipt changes the cost of the variant, so the cost is locked first. A later upgrade of the lock could
  // deadlock with a concurrent receipt.
  await store.lockCosts(tx, scope, [variantId])
  const variant = await stockVariant(tx, scope, variantId)
  const label = { batchNo: emptyToNull(input.batchNo), expiryDate: expiryDay(expiry, outlet.timezone) }
  requireBatchLabel(variant, label, 'batchNo')
  const { movements, batchIds } = await receiveStock(tx, scope, {
    outletId,
    receipts: [{ variantId, qty, cost: input.cost ?? variant.cost, batch: label, isTracked: true }],
  })
  const moved = await toMovementResult(tx, scope, movements[0])
  const batch = await batchStore.findBatch(tx, scope, batchIds[0] ?? '')
  assert(batch, 'the batch was written')
  await emit(tx, scope, stockReceived, batch.id, { batch, level: moved.level })
  return { batch, ...moved }
}

/** Throws 422 if a product requires batches and the goods have neither a number nor a date (B-batch-4). */
export function requireBatchLabel(
  { requiresBatch, productName }: Pick<StockVariant, 'requiresBatch' | 'productName'>,
  { batchNo, expiryDate }: { batchNo: string | null; expiryDate: string | null },
  param: string,
) {
  if (requiresBatch && batchNo === null && expiryDate === null)
    throw invalid(param, `${productName} is tracked in batches; enter a batch number or an expiry date`)
}

/** Lists batches that expire within `days` days in the time zone of their outlet, expired ones first (B-batch-5). */
export async function listExpiring(
  db: Db,
  scope: Scope,
  { outletId, days }: { outletId: string | undefined; days: number },
  span: Span,
) {
  const zones = await batchStore.listZones(db, scope, outletId)
  const limits = new Map(zones.map(({ id, timezone }) => [id, addDays(dayOf(scope.now, timezone), days)]))
  return batchStore.listExpiring(db, scope, limits, span)
}
