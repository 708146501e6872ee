/**
 * Parts of SQL texts that select the figures of reports. A **posting** is one change of a sale, with a sign:
 * completed (SALE), voided (VOID, and SALE and CORRECTION again with the opposite sign), refunded (REFUND), or a
 * payment corrected after the completion (CORRECTION, on the day of the completion). A committed
 * posting never changes, so figures are sums of postings, in any order and from any source. Three sources make them:
 * the **tail** of the log of events after a position, a **span** of the sales themselves, and rows that are rolled
 * up.
 * Reports add them up, the worker stores them, and the proof subtracts one source from another: all of them with these
 * texts.
 */
import { paymentCorrected, saleCompleted, saleRefunded, saleVoided } from '../../selling/sales/index.ts'

/** Columns of `report_figures`, `report_methods`, `report_taxes` and `report_goods` that are sums. */
export const FIGURES = [
  'sales_count',
  'gross',
  'discounts',
  'tax',
  'included_tax',
  'delivery_fees',
  'total',
  'refund_count',
  'refunded_goods',
  'refunded_tax',
  'refunded_delivery_fees',
  'void_count',
  'service',
  'refunded_service',
  'rounding',
  'refunded_rounding',
] as const
export const METHODS = ['count', 'amount', 'refunds'] as const
export const TAXES = ['tax', 'refunded_tax'] as const
export const GOODS = [
  'quantity',
  'grams',
  'revenue',
  'cost',
  'uncosted',
  'returned_quantity',
  'returned_grams',
  'returned_revenue',
  'returned_cost',
] as const

type FactColumns = readonly string[]
export const listed = (columns: FactColumns, prefix = '') => columns.map((name) => prefix + name).join(', ')
export const summed = (columns: FactColumns) =>
  columns.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', ')

type Sign = 1 | -1
/** The sign of each source; `upto` is the upper bound of the tail. */
export type Sources = { tail?: Sign; span?: Sign; upto?: string }

/**
 * Needs `place(tx, event_id)`, where the tail begins; `span(outlet_id, lo, hi)`, instants; and `kept(outlet_id,
 * timezone, tail_from, tail_to)`, the outlets and the days for which the tail counts. $1 is the workspace. Postings
 * outside the spans are read only after a known position. Each `offset 0` makes the planner look rows up by their
 * key, however many it fears there are.
 */
export const factsOf = ({ tail, span, upto = '' }: Sources) => {
  const postings = [...(tail ? [fromTail(tail)] : []), ...(span ? [fromSpan(span)] : [])]
  return `${tail ? `${tailOf(upto)},` : ''} ${span ? `${COMPLETED},` : ''} posting as materialized (${postings.join(' union all ')}), ${FACT}`
}

/** What a correction moves: from a method, to a method, how much, and the rounding it takes back. Null if the bill was open. */
const ANNOUNCED_CORRECTION = `(select jsonb_build_object('from', c.last ->> 'from', 'to', c.last ->> 'to', 'amount', c.amount,
        'rounding', c.last -> 'rounding')
      from (select e.body::jsonb #> '{data,payment,corrections,-1}' as last, e.body::jsonb #> '{data,payment,amount}' as amount,
        e.body::jsonb #>> '{data,sale,status}' as status) c where c.status = 'COMPLETED')`

/** The corrections of a completed sale, as its payments keep them. Their index holds no other payment. */
const correctionsOf = (saleId: string) => `lateral (
      select v.sale_id, jsonb_build_object('from', n.value ->> 'from', 'to', n.value ->> 'to', 'amount', v.amount,
        'rounding', n.value -> 'rounding') as correction
      from payments v, jsonb_array_elements(v.corrections) n (value)
      where v.account_id = $1 and v.sale_id = ${saleId} and v.corrections is not null and (n.value ->> 'completed')::boolean offset 0) c`

const tailOf = (upto: string) => `tail as materialized (
    select e.type, e.ref_id,
      case when e.type = '${saleRefunded.name}' then e.body::json #>> '{data,refund,id}' end as refund_id,
      case when e.type = '${paymentCorrected.name}' then ${ANNOUNCED_CORRECTION} end as correction
    from place, lateral (
      select v.type, v.ref_id, v.body from events v
      where v.account_id = $1 and (v.tx, v.id) > (place.tx, place.event_id) ${upto}
        and v.type in ('${saleCompleted.name}', '${saleVoided.name}', '${saleRefunded.name}', '${paymentCorrected.name}') offset 0) e)`

const fromTail = (sign: Sign) => `
    select 'SALE' as kind, ${sign} as sign, true as is_tail, ref_id as sale_id, null::text as refund_id, null::jsonb as correction
      from tail where type = '${saleCompleted.name}'
    union all select 'SALE', ${-sign}, true, ref_id, null, null from tail where type = '${saleVoided.name}'
    union all select 'VOID', ${sign}, true, ref_id, null, null from tail where type = '${saleVoided.name}'
    union all select 'REFUND', ${sign}, true, ref_id, refund_id, null from tail where type = '${saleRefunded.name}'
    union all select 'CORRECTION', ${sign}, true, ref_id, null, correction from tail where correction is not null
    union all select 'CORRECTION', ${-sign}, true, t.ref_id, null, c.correction from tail t, ${correctionsOf('t.ref_id')}
      where t.type = '${saleVoided.name}'`

/** The completed sales of a span. Their corrections are looked up sale by sale: a workspace keeps those of all years. */
const COMPLETED = `completed as materialized (
    select s.id from span x, lateral (select v.id from sales v where v.account_id = $1 and v.outlet_id = x.outlet_id
      and v.completed_at >= x.lo and v.completed_at < x.hi and v.status = 'COMPLETED' offset 0) s)`

const fromSpan = (sign: Sign) => `
    select 'SALE' as kind, ${sign} as sign, false as is_tail, s.id as sale_id, null::text as refund_id, null::jsonb as correction
      from completed s
    union all select 'CORRECTION', ${sign}, false, c.sale_id, null, c.correction from completed s, ${correctionsOf('s.id')}
    union all select 'VOID', ${sign}, false, s.id, null, null
      from span x, lateral (select v.id from sales v where v.account_id = $1 and v.outlet_id = x.outlet_id
        and v.voided_at >= x.lo and v.voided_at < x.hi and v.completed_at is not null offset 0) s
    union all select 'REFUND', ${sign}, false, r.sale_id, r.id, null
      from span x, lateral (select v.id, v.sale_id from refunds v where v.account_id = $1
        and v.created_at >= x.lo and v.created_at < x.hi and v.kind = 'REFUND' offset 0) r,
      lateral (select v.id from sales v where v.account_id = $1 and v.id = r.sale_id
        and v.outlet_id = x.outlet_id offset 0) s`

/** The rounding that later corrections of the payments took back: the sale was completed with it. */
const TAKEN_BACK = `coalesce((select sum((c.value ->> 'rounding')::bigint) from payments v, jsonb_array_elements(v.corrections) c (value)
        where v.account_id = $1 and v.sale_id = s.id and v.corrections is not null and (c.value ->> 'completed')::boolean), 0)`

const FACT = `fact as materialized (
    select p.kind, p.sign, p.sale_id, p.refund_id, p.correction, s.outlet_id, s.completed_at, s.offline_ref is not null as is_offline,
      w.local::date as day, to_char(w.local, 'HH24') as hour, coalesce(r.actor_id, s.cashier_id) as cashier_id,
      coalesce(r.restock, false) as restock, r.created_at as refunded_at,
      w.sold as sales_count,
      w.sold * (s.subtotal + s.discount_total - s.order_discount - s.promo_discount) as gross,
      w.sold * s.discount_total as discounts,
      w.sold * s.tax_total as tax,
      case when s.tax_inclusive then w.sold * (s.tax_total - coalesce(s.service_charge_tax, 0)) else 0 end as included_tax,
      w.sold * s.delivery_fee as delivery_fees,
      w.sold * s.total as total,
      w.given as refund_count,
      w.given * coalesce(r.goods, 0) as refunded_goods,
      w.given * coalesce(r.tax, 0) as refunded_tax,
      w.given * coalesce(r.delivery_fee, 0) as refunded_delivery_fees,
      case when p.kind = 'VOID' then p.sign else 0 end as void_count,
      w.sold * coalesce(s.service_charge_amount, 0) as service,
      w.given * coalesce(r.service, 0) as refunded_service,
      case p.kind when 'SALE' then p.sign * (s.rounding_total + ${TAKEN_BACK})
        when 'CORRECTION' then -p.sign * (p.correction ->> 'rounding')::bigint else 0 end as rounding,
      w.given * coalesce(r.rounding, 0) as refunded_rounding,
      w.sold, w.given, s.tax_rate_bps, s.taxes, r.taxes as refunded_taxes
    from posting p
    cross join lateral (select v.* from sales v where v.account_id = $1 and v.id = p.sale_id offset 0) s
    join kept k on k.outlet_id = s.outlet_id
    left join lateral (select v.* from refunds v where v.account_id = $1 and v.id = p.refund_id offset 0) r on true
    cross join lateral (select
      case p.kind when 'VOID' then s.voided_at when 'REFUND' then r.created_at else s.completed_at end
        at time zone k.timezone as local,
      case when p.kind = 'SALE' then p.sign else 0 end as sold,
      case when p.kind = 'REFUND' then p.sign else 0 end as given) w
    where not p.is_tail or (w.local::date >= k.tail_from and w.local::date < k.tail_to))`

/** Facts as rows of `report_figures`: each of them by day, by hour and by cashier. */
export const FIGURE_ROWS = `select outlet_id,
    case when grouping(hour) = 0 then 'HOUR' when grouping(cashier_id) = 0 then 'CASHIER' else 'DAY' end as lens,
    day, coalesce(hour, cashier_id, '') as key, ${summed(FIGURES)}
  from fact group by grouping sets ((outlet_id, day), (outlet_id, day, hour), (outlet_id, day, cashier_id))`

/** The method of a payment `v` when its sale was completed: a later correction is a separate posting. */
const METHOD_AT_COMPLETION = `case when v.corrections is null then v.method else coalesce((select c.value ->> 'from'
      from jsonb_array_elements(v.corrections) with ordinality c (value, nth)
      where (c.value ->> 'completed')::boolean order by c.nth limit 1), v.method) end`

/** Facts as rows of `report_methods`: what the payments of sales and the payouts of refunds came to. */
export const METHOD_ROWS = `select outlet_id, day, method, ${summed(METHODS)} from (
    select f.outlet_id, f.day, p.method, f.sign as count, f.sign * p.amount as amount, 0 as refunds
    from fact f, lateral (select ${METHOD_AT_COMPLETION} as method, v.amount from payments v where v.account_id = $1 and v.sale_id = f.sale_id
      and v.status = 'PAID' and v.applied offset 0) p
    where f.kind = 'SALE'
    union all
    select f.outlet_id, f.day, t.method, 0, 0, f.sign * t.amount
    from fact f, lateral (select v.method, v.amount from refund_tenders v where v.account_id = $1
      and v.refund_id = f.refund_id offset 0) t
    where f.kind = 'REFUND'
    union all
    select f.outlet_id, f.day, m.method, f.sign * m.step, f.sign * m.step * (f.correction ->> 'amount')::bigint, 0
    from fact f, lateral (values (f.correction ->> 'from', -1), (f.correction ->> 'to', 1)) as m (method, step)
    where f.kind = 'CORRECTION') booked
  group by outlet_id, day, method`

/** Facts as rows of `report_taxes`: the tax at each rate. A sale with one rate, and its refunds, list none (B-tax-2). */
export const TAX_ROWS = `select outlet_id, day, rate_bps, ${summed(TAXES)} from (
    select f.outlet_id, f.day, f.tax_rate_bps as rate_bps, f.tax, f.refunded_tax from fact f
    where f.taxes is null and f.kind <> 'VOID'
    union all
    select f.outlet_id, f.day, x."rateBps", f.sold * x.tax, 0 from fact f,
      lateral jsonb_to_recordset(f.taxes) as x("rateBps" int, tax bigint)
    where f.taxes is not null and f.kind = 'SALE'
    union all
    select f.outlet_id, f.day, x."rateBps", 0, f.given * x.tax from fact f,
      lateral jsonb_to_recordset(f.refunded_taxes) as x("rateBps" int, tax bigint)
    where f.taxes is not null and f.kind = 'REFUND') taxed
  group by outlet_id, day, rate_bps`

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** The ten characters of a ULID that carry the time of an instant. */
const ulidTime = (instant: string) => {
  const ms = `(extract(epoch from ${instant}) * 1000)::bigint`
  const digits = [45, 40, 35, 30, 25, 20, 15, 10, 5, 0]
  return digits.map((at) => `substr('${ALPHABET}', 1 + ((${ms} >> ${at}) & 31)::int, 1)`).join(' || ')
}

/**
 * The cost of a unit of the variant when the sale took it from stock, from its movement. That is written by the
 * request that completes the sale and its id carries the time: it follows the completion or, for a sale that was
 * stored afterwards, the id of the sale. An offline sale is always written down afterwards: the
 * clock of its till may be ahead (B-offline-3), so its completion does not bound the movement.
 */
const unitCost = (variant: string) => `(select v.unit_cost from stock_movements v
    where v.account_id = $1 and v.variant_id = ${variant} and v.outlet_id = f.outlet_id
      and v.id >= n.moved_from and v.id < n.moved_to and v.transaction_id = f.sale_id and v.type = 'SALE'
    order by v.id limit 1)`

const MOVED = `lateral (select 'stk_' || b.since as moved_from, 'stk_' || b.until as moved_to from (
      select case when w.is_later then substr(f.sale_id, 5, 6) || '0000' else early end as since,
        case when w.is_later then 'ZZZZZZZZZZ' else late end as until
      from (select ${ulidTime("(f.completed_at - interval '2 seconds')")} as early,
        ${ulidTime("(f.completed_at + interval '15 minutes')")} as late) t,
      lateral (select f.is_offline or substr(f.sale_id, 5, 10) > late as is_later) w) b offset 0) n`

/**
 * The same, if the refund put the unit back: goods that became composite since they were sold, or are deleted, move
 * nothing (B-stock-6). A refund returns all of a variant or none of it.
 */
const returnedCost = (variant: string) => `case when exists (select from stock_movements v
    where v.account_id = $1 and v.variant_id = ${variant} and v.outlet_id = f.outlet_id
      and v.id >= back.since and v.id < back.until and v.refund_id = f.refund_id) then ${unitCost(variant)} else 0 end`

const RETURNED = `lateral (select 'stk_' || ${ulidTime("(f.refunded_at - interval '2 seconds')")} as since,
      'stk_' || ${ulidTime("(f.refunded_at + interval '15 minutes')")} as until offset 0) back`

/** The units, or grams, of the variant in `quantity` of an item, which counts packs if the item has a pack (B-pack-6). */
const unitsOf = (quantity: string) => `${quantity} * coalesce((i.pack ->> 'factor')::int, 1)`

/** The same as two columns: units, and grams of goods sold by weight. One of them is 0. */
const countedAs = (quantity: string, { units, grams }: { units: string; grams: string }) =>
  `case when i.sold_by is null then f.sign * ${unitsOf(quantity)} else 0 end as ${units},
      case when i.sold_by = 'WEIGHT' then f.sign * ${unitsOf(quantity)} else 0 end as ${grams}`

/** What units cost: grams by the kilogram, rounded half up (B-weight-4). */
const amountOf = (units: string, cost: string, isWeight: string) =>
  `case when ${isWeight} then (2 * (${units})::bigint * ${cost} + 1000) / 2000 else (${units})::bigint * ${cost} end`

/**
 * The cost of a quantity of an item; for a composite, from the recipe that the item recorded. `costOf` is the cost of a
 * unit, or kilogram, of a variant.
 */
const costOfItem = (quantity: string, costOf: (variant: string) => string) => `case
    when not i.moved_stock then 0
    when i.components is null then coalesce(${amountOf(unitsOf(quantity), costOf('i.variant_id'), "i.sold_by = 'WEIGHT'")}, 0)
    else coalesce((select sum(${amountOf(`${unitsOf(quantity)} * c.quantity`, costOf('c."variantId"'), 'c.weighed')})
      from jsonb_to_recordset(i.components) as c("variantId" text, quantity bigint, tracked boolean, weighed boolean) where c.tracked), 0)
  end`

/**
 * Facts as rows of `report_goods`, open items under the empty id; without `costs` those columns are 0, which saves looking up
 * every movement.
 */
export const goodsRows = ({ costs }: { costs: boolean }) => {
  const cost = costs ? costOfItem('i.quantity', unitCost) : '0'
  const returned = costs ? costOfItem('l.qty', returnedCost) : '0'
  const moved = costs ? `, ${MOVED}` : ''
  const movedBack = costs ? `${moved}, ${RETURNED}` : ''
  return `select outlet_id, day, product_id, ${summed(GOODS)} from (
    select f.outlet_id, f.day, coalesce(i.product_id, '') as product_id, ${countedAs('i.quantity', { units: 'quantity', grams: 'grams' })},
      f.sign * (i.line_total - i.tax_amount) as revenue, f.sign * ${cost} as cost,
      case when i.moved_stock then 0 else f.sign * (i.line_total - i.tax_amount) end as uncosted,
      0 as returned_quantity, 0 as returned_grams, 0 as returned_revenue, 0 as returned_cost
    from fact f, lateral (select v.* from sale_items v where v.account_id = $1 and v.sale_id = f.sale_id
      and v.is_active offset 0) i${moved}
    where f.kind = 'SALE'
    union all
    select f.outlet_id, f.day, coalesce(i.product_id, ''), 0, 0, 0, 0,
      case when i.moved_stock then 0 else -f.sign * (l.amount - l.tax - l.service) end,
      ${countedAs('l.qty', { units: 'returned_quantity', grams: 'returned_grams' })}, f.sign * (l.amount - l.tax - l.service), case when f.restock then f.sign * ${returned} else 0 end
    from fact f, lateral (select v.* from refund_lines v where v.account_id = $1 and v.refund_id = f.refund_id offset 0) l,
      lateral (select v.* from sale_items v where v.account_id = $1 and v.sale_id = f.sale_id
        and v.id = l.item_id offset 0) i${movedBack}
    where f.kind = 'REFUND') moved
  group by outlet_id, day, product_id`
}
