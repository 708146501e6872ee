import { named, type Tx } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

/** What a variant is to whoever moves its stock; what a sale knows of it (`Sellable`) is this shape and more. */
export type StockVariant = {
  variantId: string
  productId: string
  productName: string
  variantName: string
  sku: string | null
  cost: number
  kind: 'GOODS' | 'SERVICE'
  trackStock: boolean
  requiresBatch: boolean
  isComposite: boolean
  isLive: boolean
}

const SHARE = statement(
  'products_share_variants',
  `select v.id from variants v where v.account_id = $1
    and (v.id = any($2) or v.id in (select r.component_variant_id from recipe_components r where r.account_id = $1 and r.variant_id = any($2)))
    order by v.id for key share`,
)

/**
 * Holds variants, and the components of composites among them, as they are: sales and other stock moves pass, while
 * anything that would change how they are sold (a change of kind, a recipe, a deletion) excludes them. Taken before
 * their levels, in order of id; what is read afterwards stays true until the transaction ends.
 */
export const shareVariants = (tx: Tx, scope: Scope, variantIds: readonly string[]) =>
  named(tx, SHARE, [scope.accountId, [...variantIds]])

const STOCK_VARIANTS = statement(
  'products_stock_variants',
  `select v.id as "variantId", v.product_id as "productId", p.name as "productName", v.name as "variantName",
      v.sku, v.cost, p.kind, p.track_stock as "trackStock", p.requires_batch as "requiresBatch",
      v.is_composite as "isComposite", v.is_live as "isLive"
    from variants v join products p on p.account_id = $1 and p.id = v.product_id
    where v.account_id = $1 and v.id = any($2) order by v.id`,
)

/** The variants of a stock record, held (`shareVariants`) and then read. */
export async function shareStockVariants(tx: Tx, scope: Scope, variantIds: readonly string[]) {
  await shareVariants(tx, scope, variantIds)
  return named<StockVariant>(tx, STOCK_VARIANTS, [scope.accountId, [...variantIds]])
}
