import { invalid } from '../../../core/errors.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { type StockVariant, shareStockVariants } from '../../catalogue/products/index.ts'
import { getOutlet } from '../../workspace/outlets/index.ts'
import { planTaking, soleBatch } from './service.ts'
import { lockStock, moveStock, type StockMove } from './stock.ts'
import * as store from './store.ts'

/** Shares variants in order of id, so that their kind cannot change before the transaction ends. */
export async function shareForStock(tx: Tx, scope: Scope, variantIds: readonly string[]) {
  const rows = await shareStockVariants(tx, scope, variantIds)
  return new Map(rows.map((row) => [row.variantId, row]))
}

const hasStock = ({ kind, trackStock, isComposite }: StockVariant) =>
  kind !== 'SERVICE' && trackStock && !isComposite

type Difference = { variantId: string; qtyDelta: number }

/**
 * Moves the levels of an outlet by the differences of a stock count, as adjustments (B-count-3). Returns the variants
 * that moved: goods that have no stock any more are left out. Throws 422 `lines` if stock would fall below zero and may not.
 */
export async function postDifferences(
  tx: Tx,
  scope: Scope,
  {
    outletId,
    stockCountId,
    differences,
  }: { outletId: string; stockCountId: string; differences: readonly Difference[] },
): Promise<string[]> {
  if (differences.length === 0) return []
  const outlet = await getOutlet(tx, scope, outletId)
  const ids = differences.map(({ variantId }) => variantId).sort()
  const variants = await shareForStock(tx, scope, ids)
  const moving = differences.flatMap(({ variantId, qtyDelta }) => {
    const variant = variants.get(variantId)
    return variant && hasStock(variant) ? [{ variant, qtyDelta }] : []
  })
  const stock = await lockStock(
    tx,
    scope,
    outletId,
    moving.map(({ variant }) => variant.variantId),
  )
  const mayBeNegative = (await store.negativeStock(tx, scope)) === 'ALLOW'
  const moves = moving.map(({ variant, qtyDelta }): StockMove => {
    const { variantId, productName, cost } = variant
    const plan =
      qtyDelta < 0
        ? planTaking(stock, outlet, variant, { qty: -qtyDelta, mode: 'adjust', now: scope.now })
        : null
    if (plan && plan.shortBy > 0 && (plan.mustRefuse || !mayBeNegative))
      throw invalid(
        'lines',
        `${productName} has only ${plan.available} left, and the count takes ${-qtyDelta}. Count it again, then post`,
      )
    const parts = plan?.parts ?? []
    return {
      outletId,
      variantId,
      type: 'ADJUSTMENT',
      qtyDelta,
      batchId: soleBatch(parts),
      parts,
      unitCost: cost,
      reasonCode: 'COUNT',
      stockCountId,
    }
  })
  await moveStock(tx, scope, moves)
  return moving.map(({ variant }) => variant.variantId)
}
