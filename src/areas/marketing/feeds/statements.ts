import { statement } from '../../../platform/db/statement.ts'

/** An active outlet, which can sell. */
const OPEN_OUTLET = 'o.account_id = $1 and o.is_active'

/**
 * The calendar day at outlet `o` at the instant `now`. Goods can be sold through the end of their expiry date
 * (B-batch-2).
 */
const today = (now: string) => `(${now}::timestamptz at time zone o.timezone)::date`

/**
 * The units of a variant with level `l` that outlet `o` can sell, counted as in a sale: the level minus expired
 * batches (B-stock-5). For a product that requires batches only unexpired batches count (B-batch-4).
 */
const sellable = (variant: string, product: string) => {
  const batches = (which: string) => `coalesce((select sum(b.remaining_qty) from stock_batches b
      where b.account_id = $1 and b.outlet_id = o.id and b.variant_id = ${variant}.id and ${which}), 0)`
  const expired = `b.expiry_date < ${today('$5')}`
  return `case when ${product}.requires_batch then ${batches(`(${expired}) is not true`)}
      else coalesce(l.quantity, 0) - ${batches(expired)} end`
}

/**
 * True if at least one outlet has the variant in stock; for a composite, if one outlet has all components. Untracked
 * goods are always available.
 */
const IS_AVAILABLE = `case
    when v.is_composite then exists (select from outlets o where ${OPEN_OUTLET} and not exists (
      select from recipe_components r
        join variants cv on cv.account_id = $1 and cv.id = r.component_variant_id
        join products cp on cp.account_id = $1 and cp.id = cv.product_id
        left join stock_levels l on l.account_id = $1 and l.outlet_id = o.id and l.variant_id = cv.id
        where r.account_id = $1 and r.variant_id = v.id and cp.track_stock and ${sellable('cv', 'cp')} < r.quantity))
    when not p.track_stock then true
    else exists (select from stock_levels l join outlets o on o.id = l.outlet_id
      where l.account_id = $1 and l.variant_id = v.id and ${OPEN_OUTLET} and ${sellable('v', 'p')} > 0)
  end`

/** $2 is true to include inactive products. */
const IN_FEED = 'v.account_id = $1 and v.is_active and (p.is_active or $2::boolean)'
const PRODUCT = 'join products p on p.account_id = $1 and p.id = v.product_id'

export const FEED_PORTION = statement(
  'feed_portion',
  `select v.id, v.product_id as "productId", p.name as "productName", v.name as "variantName", p.description,
      p.image_url as "imageUrl", v.sku, v.barcode, v.price, c.name as category, ${IS_AVAILABLE} as "isAvailable"
    from variants v ${PRODUCT}
    left join categories c on c.account_id = $1 and c.id = p.category_id
    where ${IN_FEED} and v.id > $3 order by v.id limit $4`,
)

export const FEED_COUNT = statement(
  'feed_count',
  `select count(*)::int as n from variants v ${PRODUCT} where ${IN_FEED}`,
)

type Table = 'variants' | 'products' | 'categories' | 'outlets' | 'stock_levels' | 'recipe_components'

/**
 * The state of a table: the number of rows and the sum of their instants. The latest instant alone is not enough: a
 * change that began earlier can commit later.
 */
const stateOf = (table: Table) =>
  `select count(*) as n, sum(x.updated_at - 'epoch'::timestamptz) as sum, max(x.updated_at) as latest from ${table} x where x.account_id = $1`
const statesOf = (tables: readonly Table[]) =>
  `select string_agg(concat_ws('-', t.n, t.sum), ' ' order by t.place) as state, max(t.latest) as latest
    from (${tables.map((table, place) => `select ${place} as place, s.* from (${stateOf(table)}) s`).join(' union all ')}) t`

/** Changes whenever goods, recipes or stock change. It reads all their rows. */
export const GOODS_STATE = statement(
  'feed_goods_state',
  statesOf(['variants', 'products', 'stock_levels', 'recipe_components']),
)

/**
 * The state of the other rows that a feed uses, and whether the event log of the workspace has grown since
 * transaction $2. It includes the calendar day at each outlet, because batches expire with it. Every change of goods,
 * recipes or stock writes an event.
 */
export const PLACES_STATE = statement(
  'feed_places_state',
  `select p.latest, concat_ws(' ', p.state, (select string_agg(distinct concat_ws(' ', o.timezone, ${today('$3')}), ' ')
      from outlets o where ${OPEN_OUTLET})) as state,
      exists (select from events e where e.account_id = $1 and e.tx >= $2::text::xid8) as "hasMoved"
    from (${statesOf(['categories', 'outlets'])}) p`,
)
