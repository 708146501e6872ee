import { type Db, named, type Tx } from '../../platform/db/open.ts'
import type { Scope } from '../../platform/scope.ts'

/** One component of a recipe as the till needs it; `quantity` in the component's stock unit (contract 4.10). */
export type SellableComponent = {
  componentVariantId: string
  quantity: number
  unit: string | null
  componentTracked: boolean
  componentRequiresBatch: boolean
  /** Whole rupiah per stock unit. */
  componentCost: number
}

/** Everything a sale line needs to know of a variant, as it is now. */
export type Sellable = {
  variantId: string
  productId: string
  productName: string
  variantName: string
  sku: string | null
  price: number
  cost: number
  kind: 'GOODS' | 'SERVICE'
  trackStock: boolean
  requiresBatch: boolean
  isComposite: boolean
  /** Variant and product are both active (contract 26.11). */
  isLive: boolean
  /** The kitchen station of the product, else of its category. */
  station: string | null
  /** Null unless the variant is a composite; in recipe order. */
  components: SellableComponent[] | null
}

const SELLABLES = {
  name: 'products_sellables',
  text: `select v.id as "variantId", v.product_id as "productId", p.name as "productName", v.name as "variantName",
      v.sku, v.price, v.cost, p.kind, p.track_stock as "trackStock", p.requires_batch as "requiresBatch",
      v.is_composite as "isComposite", v.is_live as "isLive", coalesce(p.station, c.station) as station,
      case when v.is_composite then (
        select json_agg(json_build_object('componentVariantId', r.component_variant_id, 'quantity', r.quantity,
            'unit', r.unit, 'componentTracked', rp.track_stock, 'componentRequiresBatch', rp.requires_batch,
            'componentCost', rv.cost) order by r.sort_order, r.id)
        from recipe_components r
        join variants rv on rv.account_id = $1 and rv.id = r.component_variant_id
        join products rp on rp.account_id = $1 and rp.id = rv.product_id
        where r.account_id = $1 and r.variant_id = v.id) end as components
    from variants v
    join products p on p.account_id = $1 and p.id = v.product_id
    left join categories c on c.account_id = $1 and c.id = p.category_id
    where v.account_id = $1 and v.id = any($2)`,
}

/** One prepared statement however many variants; unknown ids are absent from the answer, the order is not stated. */
export const findSellables = (db: Db, scope: Scope, variantIds: readonly string[]) =>
  named<Sellable>(db, SELLABLES, [scope.accountId, [...variantIds]])

/** What decides whether a variant may have stock, and what a stock record says of it. */
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

const HOLD = {
  name: 'products_hold_variants',
  text: `select v.id from variants v where v.account_id = $1
    and (v.id = any($2) or v.id in (select r.component_variant_id from recipe_components r where r.account_id = $1 and r.variant_id = any($2)))
    order by v.id for key share`,
}

/**
 * Holds variants, and the components of composites among them, as they are: sales and other stock moves pass, and what
 * would change how they are sold waits or has been waited for (a change of kind, a recipe, a deletion). Taken before
 * their levels, in order of id; what is read afterwards stays true until the transaction ends.
 */
export const holdVariants = (tx: Tx, scope: Scope, variantIds: readonly string[]) =>
  named(tx, HOLD, [scope.accountId, [...variantIds]])

const STOCK_VARIANTS = {
  name: 'products_stock_variants',
  text: `select v.id as "variantId", v.product_id as "productId", p.name as "productName", v.name as "variantName",
      v.sku, v.cost, p.kind, p.track_stock as "trackStock", p.requires_batch as "requiresBatch",
      v.is_composite as "isComposite", v.is_live as "isLive"
    from variants v join products p on p.account_id = $1 and p.id = v.product_id
    where v.account_id = $1 and v.id = any($2) order by v.id`,
}

/** The variants of a stock record, held (`holdVariants`) and then read. */
export async function findStockVariants(tx: Tx, scope: Scope, variantIds: readonly string[]) {
  await holdVariants(tx, scope, variantIds)
  return named<StockVariant>(tx, STOCK_VARIANTS, [scope.accountId, [...variantIds]])
}
