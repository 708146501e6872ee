import { notFound } from '../../../core/errors.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { type StockVariant, shareStockVariants } from './statements-stock-variants.ts'

/**
 * The variant with the facts that decide about stock, or 404. Inventory answers 422 for SERVICE, untracked
 * and composite ones (B-stock-2). The facts hold until the transaction ends.
 */
export async function shareVariantForStock(tx: Tx, scope: Scope, variantId: string): Promise<StockVariant> {
  const [variant] = await shareStockVariants(tx, scope, [variantId])
  if (!variant) throw notFound('variant', 'variantId')
  return variant
}
