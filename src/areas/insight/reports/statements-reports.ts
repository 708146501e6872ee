import { statement } from '../../../platform/db/statement.ts'
import {
  FIGURES,
  factsOf,
  GOODS,
  goodsRows,
  listed,
  METHOD_ROWS,
  METHODS,
  summed,
  TAX_ROWS,
  TAXES,
} from './statements-facts.ts'
import { trustedPlace } from './statements-roll.ts'

/**
 * Every report begins alike. $2 to $9 are its outlets, one array a column: whole local days from `day_from` and before
 * `day_to` inside the instants from `at_from` and before `at_to`; `inner_from` and `inner_to` are where those days begin
 * and end. Days whose figures are kept are read from them, with the tail of the log; all else from the sales. It is one
 * statement, so every figure of an answer is of the same moment. $10: how old a position may be, $11: the cluster it has to be of.
 */
const BEGINNING = `with asked as materialized (
    select * from unnest($2::text[], $3::text[], $4::date[], $5::date[], $6::timestamptz[], $7::timestamptz[],
      $8::timestamptz[], $9::timestamptz[])
      as a(outlet_id, timezone, day_from, day_to, at_from, at_to, inner_from, inner_to)
  ), ${trustedPlace('$10', '$11')}, rolled as materialized (
    select a.*, greatest(a.day_from, r.since) as first_day from place, asked a
    join report_outlets r on r.account_id = $1 and r.outlet_id = a.outlet_id and r.timezone = a.timezone
    where greatest(a.day_from, r.since) < a.day_to
  ), kept as materialized (
    select a.outlet_id, a.timezone, r.first_day as tail_from, r.day_to as tail_to
    from asked a left join rolled r on r.outlet_id = a.outlet_id
  ), span as materialized (
    select a.outlet_id, a.at_from as lo, a.at_to as hi from asked a
      where not exists (select from rolled r where r.outlet_id = a.outlet_id)
    union all select r.outlet_id, r.at_from,
      case when r.first_day = r.day_from then r.inner_from else r.first_day::timestamp at time zone r.timezone end from rolled r
    union all select r.outlet_id, r.inner_to, r.at_to from rolled r
  ), ${factsOf({ tail: 1, span: 1 })}`

/** Rows that are kept and facts, as one list; `keys` as they are called on both sides. */
const figures = (lens: 'DAY' | 'HOUR' | 'CASHIER', key: string) => `figures as (
    select f.day, f.key, ${listed(FIGURES, 'f.')} from rolled r, lateral (select v.* from report_figures v
      where v.account_id = $1 and v.outlet_id = r.outlet_id and v.lens = '${lens}'
        and v.day >= r.first_day and v.day < r.day_to offset 0) f
    union all select day, ${key}, ${listed(FIGURES)} from fact)`

const goods = (costs: boolean) => `goods as (
    select f.product_id, ${listed(GOODS, 'f.')} from rolled r, lateral (select v.* from report_goods v
      where v.account_id = $1 and v.outlet_id = r.outlet_id and v.day >= r.first_day and v.day < r.day_to offset 0) f
    union all select product_id, ${listed(GOODS)} from (${goodsRows({ costs })}) g)`

const METHODS_OF_ALL = `methods as (
    select f.method, ${listed(METHODS, 'f.')} from rolled r, lateral (select v.* from report_methods v
      where v.account_id = $1 and v.outlet_id = r.outlet_id and v.day >= r.first_day and v.day < r.day_to offset 0) f
    union all select method, ${listed(METHODS)} from (${METHOD_ROWS}) m)`

const TAXES_OF_ALL = `taxes as (
    select f.rate_bps, ${listed(TAXES, 'f.')} from rolled r, lateral (select v.* from report_taxes v
      where v.account_id = $1 and v.outlet_id = r.outlet_id and v.day >= r.first_day and v.day < r.day_to offset 0) f
    union all select rate_bps, ${listed(TAXES)} from (${TAX_ROWS}) t)`

/** Names as the code has them. */
const called = (columns: readonly string[]) =>
  columns
    .map((name) => `${name} as "${name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}"`)
    .join(', ')

export const SUMMARY = statement(
  'report_summary',
  `${BEGINNING}, ${figures('DAY', `''`)}, ${METHODS_OF_ALL}, ${TAXES_OF_ALL}
  select ${called(FIGURES)}, coalesce((select json_agg(m order by m.method) from
      (select method, ${summed(METHODS)} from methods group by method) m
      where m.count <> 0 or m.amount <> 0 or m.refunds <> 0), '[]') as methods,
    coalesce((select json_agg(json_build_object('rateBps', t.rate_bps, 'tax', t.tax - t.refunded_tax) order by t.rate_bps) from
      (select rate_bps, ${summed(TAXES)} from taxes group by rate_bps) t where t.tax <> 0 or t.refunded_tax <> 0), '[]') as taxes
  from (select ${summed(FIGURES)} from figures) f`,
)

const grouped = (name: string, text: string, by: string) =>
  statement(
    name,
    `${BEGINNING}, ${text} select key, ${called(FIGURES)}
      from (select ${by} as key, ${summed(FIGURES)} from figures group by 1) f order by key`,
  )

export const BY_DAY = grouped('report_by_day', figures('DAY', `''`), 'day::text')
/** `key` is the day of the week, 1 for Monday, and the hour: `5 19`. */
export const BY_HOUR = grouped(
  'report_by_hour',
  figures('HOUR', 'hour'),
  `extract(isodow from day)::text || ' ' || key`,
)
export const BY_CASHIER = grouped('report_by_cashier', figures('CASHIER', 'cashier_id'), 'key')

const NET_GOODS = `select product_id, sum(quantity - returned_quantity)::bigint as quantity,
    sum(grams - returned_grams)::bigint as grams,
    sum(revenue - returned_revenue)::bigint as revenue, sum(cost - returned_cost)::bigint as cost,
    sum(uncosted)::bigint as uncosted
  from goods group by product_id`

/** Open items are one row without a product (B-openitem-4). */
const NAME = `coalesce(p.name, 'Open items') as name`

/** The best sellers: $12 of them. A kilogram ranks as one unit. */
export const TOP_PRODUCTS = statement(
  'report_top_products',
  `${BEGINNING}, ${goods(false)}
  select nullif(n.product_id, '') as "productId", ${NAME}, n.quantity, n.grams, n.revenue from (${NET_GOODS}) n
    left join products p on p.account_id = $1 and p.id = n.product_id
    where (p.id is not null or n.product_id = '') and (n.quantity <> 0 or n.grams <> 0 or n.revenue <> 0)
    order by 1000 * n.quantity + n.grams desc, n.revenue desc, n.product_id limit $12`,
)

/** Revenue and cost of each product, the highest margin first: $12 products, and their totals. */
export const MARGIN = statement(
  'report_margin',
  `${BEGINNING}, ${goods(true)}, net as materialized (${NET_GOODS})
  select nullif(n.product_id, '') as "productId", ${NAME}, n.quantity, n.grams, n.revenue, n.cost, n.uncosted,
    (select sum(quantity)::bigint from net) as "allQuantity", (select sum(grams)::bigint from net) as "allGrams",
    (select sum(revenue)::bigint from net) as "allRevenue",
    (select sum(cost)::bigint from net) as "allCost", (select sum(uncosted)::bigint from net) as "allUncosted"
  from net n left join products p on p.account_id = $1 and p.id = n.product_id
  where (p.id is not null or n.product_id = '') and (n.quantity <> 0 or n.grams <> 0 or n.revenue <> 0 or n.cost <> 0)
  order by n.revenue - n.cost desc, n.product_id limit $12`,
)

/** Grouped by the present category of each product; null without one, and for open items. */
export const CATEGORIES = statement(
  'report_categories',
  `${BEGINNING}, ${goods(true)}, net as materialized (${NET_GOODS})
  select c.id as "categoryId", c.name, sum(n.quantity)::bigint as quantity, sum(n.grams)::bigint as grams,
    sum(n.revenue)::bigint as revenue, sum(n.cost)::bigint as cost, sum(n.uncosted)::bigint as uncosted
  from net n left join products p on p.account_id = $1 and p.id = n.product_id
  left join categories c on c.account_id = $1 and c.id = p.category_id
  where p.id is not null or n.product_id = ''
  group by c.id, c.name order by revenue desc, c.id`,
)

/** Promotions of the sales that were completed from $3 to $4 and are not voided, the largest amount first. */
export const PROMOTIONS = statement(
  'report_promotions',
  `select x.id as "promotionId", (array_agg(x.name order by s.completed_at desc, s.id desc))[1] as name,
      count(*)::int as sales, sum(x.amount)::bigint as amount
    from sales s, lateral jsonb_to_recordset(s.promotions) as x(id text, name text, amount bigint)
    where s.account_id = $1 and s.outlet_id = any($2::text[]) and s.completed_at >= $3 and s.completed_at < $4
      and s.status = 'COMPLETED' and s.promotions is not null
    group by x.id order by amount desc, x.id`,
)

/** Cash movements of a period by category. Cash put in counts only if it has one (B-expense-3). */
export const EXPENSES = statement(
  'report_expenses',
  `select m.category, count(*) filter (where m.type = 'PAID_OUT') as count,
    coalesce(sum(m.amount) filter (where m.type = 'PAID_OUT'), 0)::bigint as "paidOut",
    coalesce(sum(m.amount) filter (where m.type = 'PAID_IN'), 0)::bigint as returned,
    sum(case m.type when 'PAID_OUT' then m.amount else -m.amount end)::bigint as amount
  from cash_movements m join shifts h on h.account_id = $1 and h.id = m.shift_id
  where m.account_id = $1 and m.created_at >= $2 and m.created_at < $3 and ($4::text is null or h.outlet_id = $4)
    and (m.type = 'PAID_OUT' or m.category is not null)
  group by m.category order by amount desc, m.category nulls last`,
)

/**
 * What customers owe by age, the largest balance first. The age counts from the due date, or else from the day of the
 * sale, to the present day of the outlet: $2 is the instant.
 */
export const RECEIVABLES = statement(
  'report_receivables',
  `with aged as (
      select e.customer_id, e.open, ($2::timestamptz at time zone o.timezone)::date
          - coalesce(e.due_date, (e.created_at at time zone o.timezone)::date) as days
        from customer_credit_entries e join outlets o on o.account_id = $1 and o.id = e.outlet_id
        where e.account_id = $1 and e.open > 0)
  select a.customer_id as "customerId", c.name, sum(a.open)::bigint as balance,
    coalesce(sum(a.open) filter (where a.days <= 0), 0)::bigint as current,
    coalesce(sum(a.open) filter (where a.days between 1 and 30), 0)::bigint as days30,
    coalesce(sum(a.open) filter (where a.days between 31 and 60), 0)::bigint as days60,
    coalesce(sum(a.open) filter (where a.days > 60), 0)::bigint as days90
  from aged a join customers c on c.account_id = $1 and c.id = a.customer_id
  group by a.customer_id, c.name order by balance desc, a.customer_id`,
)

/** Movements whose cost is the average cost of the variant; the cost of a return is that of its sale. */
const COSTED = `('PURCHASE', 'SALE', 'ADJUSTMENT', 'TRANSFER_OUT', 'TRANSFER_IN')`

/**
 * The stock of outlets at instants that have passed ($3), or now if it is null: the level less the movements since
 * then, at the average cost after the last movement before, in any outlet. Goods that are not tracked now have no stock now.
 * $4 and $5 are ids of movements around the instants.
 * Grams are valued by the kilogram (B-weight-4).
 */
export const STOCK_VALUE = statement(
  'report_stock_value',
  `with places as materialized (
      select * from unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[]) as p(outlet_id, until, since_id, until_id)),
    held as materialized (
      select p.*, l.variant_id, l.quantity - case when p.until is null then 0 else coalesce((
          select sum(m.qty_delta) from stock_movements m where m.account_id = $1 and m.variant_id = l.variant_id
            and m.outlet_id = l.outlet_id and m.id >= p.since_id and m.created_at >= p.until), 0) end as quantity
      from places p join stock_levels l on l.account_id = $1 and l.outlet_id = p.outlet_id),
    valued as materialized (
      select h.outlet_id, h.variant_id, p.id as product_id, p.name as product_name, v.name as variant_name, v.sku, v.sold_by, h.quantity,
        case when h.until is null then v.cost else coalesce((
          select x.cost from stock_levels a, lateral (
            select m.id, coalesce(m.average_cost, m.unit_cost) as cost from stock_movements m
              where m.account_id = $1 and m.variant_id = h.variant_id and m.outlet_id = a.outlet_id and m.id < h.until_id
                and m.created_at < h.until and m.unit_cost is not null and m.type in ${COSTED}
              order by m.id desc limit 1) x
            where a.account_id = $1 and a.variant_id = h.variant_id order by x.id desc limit 1), v.cost) end as cost
      from held h join variants v on v.account_id = $1 and v.id = h.variant_id
        join products p on p.account_id = $1 and p.id = v.product_id
      where h.quantity <> 0 and (h.until is not null or p.track_stock)),
    amounts as materialized (
      select v.*, case when v.sold_by = 'WEIGHT' then round(v.quantity * v.cost / 1000.0) else v.quantity * v.cost end as value
      from valued v)
  select d.outlet_id as "outletId", d.variant_id as "variantId", d.product_id as "productId", d.product_name as "productName",
    d.variant_name as "variantName", d.sku, d.sold_by as "soldBy", d.quantity::bigint as quantity, d.cost, d.value::bigint as value,
    coalesce(sum(d.quantity) filter (where d.sold_by = 'UNIT') over (), 0)::bigint as "allQuantity",
    coalesce(sum(d.quantity) filter (where d.sold_by = 'WEIGHT') over (), 0)::bigint as "allGrams",
    (sum(d.value) over ())::bigint as "allValue"
  from amounts d order by value desc, d.outlet_id, d.variant_id limit $6`,
)

/** Names of members and keys; deleted ones are left out. */
export const NAMES = statement(
  'report_names',
  `select id, name from members where account_id = $1 and id = any($2)
    union all select id, name from api_keys where account_id = $1 and id = any($2)`,
)
