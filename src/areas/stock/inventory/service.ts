import { assert } from '../../../core/assert.ts'
import { invalid } from '../../../core/errors.ts'
import { emptyToNull } from '../../../core/text.ts'
import { addDays, dayOf } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Span } from '../../../platform/http/whole.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { type StockVariant, shareVariantForStock } from '../../catalogue/products/index.ts'
import { getOutlet, type Outlet } from '../../workspace/outlets/index.ts'
import { stockAdjusted, stockReceived } from './events.ts'
import { expiryDay, readExpiry } from './expiry.ts'
import { receiveStock } from './receive.ts'
import { type Consumption, consumeFefo, type Part } from './rules/fefo.ts'
import type { AdjustIn, Batch, BatchIn, Level, Movement, ReorderIn } from './schema.ts'
import type { Pair } from './statements-moves.ts'
import { applyMoves, lockStock, type StockLock } from './stock.ts'
import * as store from './store.ts'
import * as batchStore from './store-batches.ts'

type Moved = { level: Level; movement: Movement }

/** 422 for what cannot hold stock: services, untracked goods, composites (B-stock-2). */
function requireStockable(variant: StockVariant): StockVariant {
  const param = 'variantId'
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
  assert(level, 'a level that just moved exists')
  return level
}

/** The batch of a movement that one batch gave alone, else null (B-stock-3). */
export const soleBatch = (parts: readonly Part[]): string | null =>
  parts.length === 1 ? (parts[0]?.batchId ?? null) : null

/** Counts stock up or down by hand (B-stock-3, B-batch-4, B-stock-4). Also at an inactive outlet (B-outlet-2). */
export async function adjustStock(tx: Tx, scope: Scope, input: AdjustIn): Promise<Moved> {
  const { outletId, variantId, qtyDelta } = input
  const outlet = await getOutlet(tx, scope, outletId, 'outletId')
  const variant = await stockVariant(tx, scope, variantId)
  if (qtyDelta === 0) throw invalid('qtyDelta', 'An adjustment of 0 changes nothing')
  const parts = qtyDelta < 0 ? await takeByHand(tx, scope, outlet, variant, -qtyDelta) : []
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
    },
  ])
  const moved = await movedOf(tx, scope, movements[0])
  await emit(tx, scope, stockAdjusted, moved.movement.id, moved)
  return moved
}

export async function movedOf(db: Db, scope: Scope, movement: Movement | undefined): Promise<Moved> {
  assert(movement, 'the movement was written')
  return { level: await getLevel(db, scope, movement), movement }
}

/** Where units leave from when someone counts down; 422 when the workspace or the product forbids going below zero. */
async function takeByHand(tx: Tx, scope: Scope, outlet: Outlet, variant: StockVariant, qty: number) {
  const stock = await lockStock(tx, scope, outlet.id, [variant.variantId])
  const plan = planTaking(stock, outlet, variant, { qty, mode: 'adjust', now: scope.now })
  if (plan.shortBy > 0 && (plan.mustRefuse || (await store.negativeStock(tx, scope)) === 'BLOCK')) {
    throw invalid(
      'qtyDelta',
      `Only ${plan.available} of ${variant.productName} at ${outlet.name}; stock cannot fall below zero`,
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

/** Goods come in under a number, a date or neither; the same number and date make one batch (B-batch-1, B-batch-6). */
export async function createBatch(
  tx: Tx,
  scope: Scope,
  input: BatchIn,
): Promise<{ batch: Batch; level: Level; movement: Movement }> {
  const { outletId, variantId, qty } = input
  const expiry = readExpiry(input.expiryDate, 'expiryDate')
  const outlet = await getOutlet(tx, scope, outletId, 'outletId')
  // The receipt changes its cost, so it is held for that from the start; a lock raised later can meet its twin.
  await store.lockCosts(tx, scope, [variantId])
  const variant = await stockVariant(tx, scope, variantId)
  const label = { batchNo: emptyToNull(input.batchNo), expiryDate: expiryDay(expiry, outlet.timezone) }
  requireBatchLabel(variant, label, 'batchNo')
  const { movements, batchIds } = await receiveStock(tx, scope, outletId, [
    { variantId, qty, cost: input.cost ?? variant.cost, batch: label, isTracked: true },
  ])
  const moved = await movedOf(tx, scope, movements[0])
  const batch = await batchStore.findBatch(tx, scope, batchIds[0] ?? '')
  assert(batch, 'the batch was written')
  await emit(tx, scope, stockReceived, batch.id, { batch, level: moved.level })
  return { batch, ...moved }
}

/** A product that needs batches needs a number or a date, else 422 (B-batch-4). */
export function requireBatchLabel(
  { requiresBatch, productName }: Pick<StockVariant, 'requiresBatch' | 'productName'>,
  { batchNo, expiryDate }: { batchNo: string | null; expiryDate: string | null },
  param: string,
) {
  if (requiresBatch && batchNo === null && expiryDate === null)
    throw invalid(param, `${productName} is tracked in batches; enter a batch number or an expiry date`)
}

/** Batches that expire within `days` days of their outlet's today, those already expired first (B-batch-5). */
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
