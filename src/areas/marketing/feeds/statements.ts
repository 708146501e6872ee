import { statement } from '../../../platform/db/statement.ts'

/** Outlets that sell. */
const OPEN_OUTLET = 'o.account_id = $1 and o.is_active'

/** Some outlet has one: of what is made of parts, some outlet has all parts for one. What is not counted is there. */
const IS_AVAILABLE = `case
    when v.is_composite then exists (select from outlets o where ${OPEN_OUTLET} and not exists (
      select from recipe_components r
        join variants cv on cv.account_id = $1 and cv.id = r.component_variant_id
        join products cp on cp.account_id = $1 and cp.id = cv.product_id
        left join stock_levels l on l.account_id = $1 and l.outlet_id = o.id and l.variant_id = cv.id
        where r.account_id = $1 and r.variant_id = v.id and cp.track_stock and coalesce(l.quantity, 0) < r.quantity))
    when not p.track_stock then true
    else exists (select from stock_levels l join outlets o on o.id = l.outlet_id
      where l.account_id = $1 and l.variant_id = v.id and l.quantity > 0 and ${OPEN_OUTLET})
  end`

/** $2: whether inactive products are in it too. */
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

/** The count of the rows and the sum of all instants: the latest alone stays the same when a change that began earlier is committed later. */
const stateOf = (table: Table) =>
  `select count(*) as n, sum(x.updated_at - 'epoch'::timestamptz) as sum, max(x.updated_at) as latest from ${table} x where x.account_id = $1`
const statesOf = (tables: readonly Table[]) =>
  `select string_agg(concat_ws('-', t.n, t.sum), ' ' order by t.place) as state, max(t.latest) as latest
    from (${tables.map((table, place) => `select ${place} as place, s.* from (${stateOf(table)}) s`).join(' union all ')}) t`

/** Differs when any of the goods, their recipes or their stock has changed: it reads them all. */
export const GOODS_STATE = statement(
  'feed_goods_state',
  statesOf(['variants', 'products', 'stock_levels', 'recipe_components']),
)

/**
 * The same of the few rows beside the goods, and whether the log of the workspace has grown since transaction $2: whatever
 * changes goods, recipes or stock writes an event.
 */
export const PLACES_STATE = statement(
  'feed_places_state',
  `select p.*, exists (select from events e where e.account_id = $1 and e.tx >= $2::text::xid8) as "hasMoved"
    from (${statesOf(['categories', 'outlets'])}) p`,
)
