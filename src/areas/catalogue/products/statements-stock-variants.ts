import type { PricedPack } from '../../../core/packs.ts'
import type { SoldBy } from '../../../core/weights.ts'
import { named, type Tx } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

/** The fields of a variant that sales and stock movements need. */
export type StockVariant = {
  variantId: string
  productId: string
  productName: string
  variantName: string
  sku: string | null
  soldBy: SoldBy
  cost: number
  kind: 'GOODS' | 'SERVICE'
  trackStock: boolean
  requiresBatch: boolean
  isComposite: boolean
  isLive: boolean
}
/**
 * A variant with the fields that a sale needs for its price. `seen` names the transactions that last wrote the rows,
 * so it changes whenever one of these fields changes.
 */
export type SellableVariant = StockVariant & {
  price: number
  /** Null means the rate of the outlet. */
  taxRateBps: number | null
  categoryId: string | null
  station: string | null
  packs: PricedPack[] | null
  seen: string
}
/** A component of a composite; `quantity` is for one unit of the composite. */
export type StockRecipePart = Pick<
  StockVariant,
  'variantId' | 'productName' | 'variantName' | 'soldBy' | 'trackStock' | 'requiresBatch' | 'cost'
> & { quantity: number; unit: string | null }

/** In these expressions `v` is the variant, `p` its product and `c` the category of the product. */
const STOCKED: Record<keyof StockVariant, string> = {
  variantId: 'v.id',
  productId: 'v.product_id',
  productName: 'p.name',
  variantName: 'v.name',
  sku: 'v.sku',
  soldBy: 'v.sold_by',
  cost: 'v.cost',
  kind: 'p.kind',
  trackStock: 'p.track_stock',
  requiresBatch: 'p.requires_batch',
  isComposite: 'v.is_composite',
  isLive: 'v.is_live',
}
// Subqueries make PostgreSQL look up each row by key, whatever row count the planner estimates.
const seenOf = (
  accountId: string,
) => `v.xmin || ' ' || (select sp.xmin || ' ' || coalesce((select sc.xmin::text from categories sc
    where sc.account_id = ${accountId} and sc.id = sp.category_id), '') from products sp where sp.account_id = ${accountId} and sp.id = v.product_id)`
const SEEN = seenOf('$1')
const SELLABLE: Record<keyof SellableVariant, string> = {
  ...STOCKED,
  price: 'v.price',
  taxRateBps: 'p.tax_rate_bps',
  categoryId: 'p.category_id',
  station: 'coalesce(p.station, c.station)',
  packs: 'v.packs',
  seen: SEEN,
}
const PART: Record<keyof StockRecipePart, string> = {
  variantId: 'r.component_variant_id',
  productName: 'cp.name',
  variantName: 'cv.name',
  quantity: 'r.quantity',
  unit: 'r.unit',
  trackStock: 'cp.track_stock',
  requiresBatch: 'cp.requires_batch',
  soldBy: 'cv.sold_by',
  cost: 'cv.cost',
}
const asJson = (facts: Readonly<Record<string, string>>) =>
  `json_build_object(${Object.entries(facts)
    .map(([name, fact]) => `'${name}', ${fact}`)
    .join(', ')})`

/**
 * The recipe of the variant `v` as a JSON list of `StockRecipePart`, in order; null if the variant is not composite.
 * $1 is the workspace.
 */
export const RECIPE_AS_JSON = `case when v.is_composite then (
          select json_agg(${asJson(PART)} order by r.sort_order, r.id)
          from recipe_components r
          join variants cv on cv.account_id = $1 and cv.id = r.component_variant_id
          join products cp on cp.account_id = $1 and cp.id = cv.product_id
          where r.account_id = $1 and r.variant_id = v.id) end`

/**
 * The only read of sellable variants, as a part of a larger statement. It returns the variants of the parameter or list
 * `ids` as a JSON list of `SellableVariant`. `more` adds named SQL expressions, which may use the variant as `v`. $1 is
 * the workspace.
 */
export const sellablesAsJson = (
  ids: `$${number}` | `array(${string})`,
  more: Readonly<Record<string, string>>,
) =>
  `coalesce((select json_agg(${asJson({ ...SELLABLE, ...more })})
      from variants v
      join products p on p.account_id = $1 and p.id = v.product_id
      left join categories c on c.account_id = $1 and c.id = p.category_id
      where v.account_id = $1 and v.id = any(${ids})), '[]')`

/**
 * A part of a larger statement: locks the variants of the parameter `ids` as `shareVariants` does, and reads their
 * `seen` values and the columns `more`.
 */
export const sellablesHeld = (ids: `$${number}`, more = '') =>
  `select v.id, ${SEEN} as seen${more} from variants v where v.account_id = $1::text and v.id = any(${ids}::text[]) order by v.id for key share of v`

/**
 * A part of a larger statement: locks one variant and reads its `seen` value. Returns no row while another
 * transaction has locked the variant.
 */
export const sellableIfFree = (accountId: string, id: string) =>
  `select ${seenOf(accountId)} as seen from variants v where v.account_id = ${accountId} and v.id = ${id} for key share of v skip locked`

const SHARE = statement(
  'products_share_variants',
  `select v.id from variants v where v.account_id = $1
    and (v.id = any($2) or v.id in (select r.component_variant_id from recipe_components r where r.account_id = $1 and r.variant_id = any($2)))
    order by v.id for key share`,
)

/**
 * Locks variants, and the components of composites among them, with a shared lock. Sales and other stock movements
 * can share this lock. A change of kind, a recipe change and a deletion wait for it. Take this lock before the
 * levels, in order of id. Values that are read after it stay true until the transaction ends.
 */
export const shareVariants = (tx: Tx, scope: Scope, variantIds: readonly string[]) =>
  named(tx, SHARE, [scope.accountId, [...variantIds]])

const STOCK_VARIANTS = statement(
  'products_stock_variants',
  `select ${Object.entries(STOCKED)
    .map(([name, fact]) => `${fact} as "${name}"`)
    .join(', ')}
    from variants v join products p on p.account_id = $1 and p.id = v.product_id
    where v.account_id = $1 and v.id = any($2) order by v.id`,
)

/** Locks the variants of a stock record with `shareVariants` and then reads them. */
export async function shareStockVariants(tx: Tx, scope: Scope, variantIds: readonly string[]) {
  await shareVariants(tx, scope, variantIds)
  return named<StockVariant>(tx, STOCK_VARIANTS, [scope.accountId, [...variantIds]])
}
