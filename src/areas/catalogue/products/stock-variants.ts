import { notFound } from '../../../core/errors.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { type StockVariant, shareStockVariants } from './statements-stock-variants.ts'

/**
 * Returns the variant with the fields that stock records depend on; they cannot change until the transaction ends.
 * Throws 404 if the variant does not exist. The inventory throws 422 for services, untracked goods and composites
 * (B-stock-2).
 */
export async function shareVariantForStock(tx: Tx, scope: Scope, variantId: string): Promise<StockVariant> {
  const [variant] = await shareStockVariants(tx, scope, [variantId])
  if (!variant) throw notFound('variant', 'variantId')
  return variant
}
