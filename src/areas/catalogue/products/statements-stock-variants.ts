import { named, type Tx } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

/** What a variant is to whoever sells it or moves its stock. */
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
/**
 * The same, with what a sale needs besides to price it. `seen` is another one whenever any of these facts has changed: the
 * transactions that last wrote the rows they stand in.
 */
export type SellableVariant = StockVariant & { price: number; station: string | null; seen: string }
/** A part of a composite; `quantity` is for one unit of it. */
export type RecipePart = Pick<
  StockVariant,
  'variantId' | 'productName' | 'variantName' | 'trackStock' | 'requiresBatch' | 'cost'
> & { quantity: number; unit: string | null }

/** Where the facts stand: `v` is the variant, `p` its product and `c` the category of that. */
const STOCKED: Record<keyof StockVariant, string> = {
  variantId: 'v.id',
  productId: 'v.product_id',
  productName: 'p.name',
  variantName: 'v.name',
  sku: 'v.sku',
  cost: 'v.cost',
  kind: 'p.kind',
  trackStock: 'p.track_stock',
  requiresBatch: 'p.requires_batch',
  isComposite: 'v.is_composite',
  isLive: 'v.is_live',
}
// Looked up row by row, however many the planner fears there are.
const SEEN = `v.xmin || ' ' || (select sp.xmin || ' ' || coalesce((select sc.xmin::text from categories sc
    where sc.account_id = $1 and sc.id = sp.category_id), '') from products sp where sp.account_id = $1 and sp.id = v.product_id)`
const SELLABLE: Record<keyof SellableVariant, string> = {
  ...STOCKED,
  price: 'v.price',
  station: 'coalesce(p.station, c.station)',
  seen: SEEN,
}
const PART: Record<keyof RecipePart, string> = {
  variantId: 'r.component_variant_id',
  productName: 'cp.name',
  variantName: 'cv.name',
  quantity: 'r.quantity',
  unit: 'r.unit',
  trackStock: 'cp.track_stock',
  requiresBatch: 'cp.requires_batch',
  cost: 'cv.cost',
}
const asJson = (facts: Readonly<Record<string, string>>) =>
  `json_build_object(${Object.entries(facts)
    .map(([name, fact]) => `'${name}', ${fact}`)
    .join(', ')})`

/** The recipe of the variant `v` as JSON, in its order: `RecipePart[]`, null on a plain one. $1 is the workspace. */
export const RECIPE_AS_JSON = `case when v.is_composite then (
          select json_agg(${asJson(PART)} order by r.sort_order, r.id)
          from recipe_components r
          join variants cv on cv.account_id = $1 and cv.id = r.component_variant_id
          join products cp on cp.account_id = $1 and cp.id = cv.product_id
          where r.account_id = $1 and r.variant_id = v.id) end`

/**
 * The one read of what can be sold, as a part of a larger statement: the variants of the parameter or list `ids` as a JSON list of
 * `SellableVariant`, each with `more`, facts by name that may name the variant as `v`. $1 is the workspace.
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
 * As a part of a larger statement: holds the variants of the parameter `ids` as `shareVariants` does, and reads what is `seen`
 * of them, with `more` columns.
 */
export const sellablesHeld = (ids: `$${number}`, more = '') =>
  `select v.id, ${SEEN} as seen${more} from variants v where v.account_id = $1::text and v.id = any(${ids}::text[]) order by v.id for key share of v`

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
  `select ${Object.entries(STOCKED)
    .map(([name, fact]) => `${fact} as "${name}"`)
    .join(', ')}
    from variants v join products p on p.account_id = $1 and p.id = v.product_id
    where v.account_id = $1 and v.id = any($2) order by v.id`,
)

/** The variants of a stock record, held (`shareVariants`) and then read. */
export async function shareStockVariants(tx: Tx, scope: Scope, variantIds: readonly string[]) {
  await shareVariants(tx, scope, variantIds)
  return named<StockVariant>(tx, STOCK_VARIANTS, [scope.accountId, [...variantIds]])
}
