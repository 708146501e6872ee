import { assert } from '../../../core/assert.ts'
import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { ShiftBookings } from './rules.ts'

// A sale can be voided after an interrupted close but before the figures are stored. Sales before the close count. A
// void that is booked to the shift came before the close; one that is booked to no shift came after it. The instants
// decide the other cases.
const VOIDED_LATER = `s.status = 'VOIDED' and s.completed_at is not null and h.closed_at is not null and coalesce(
        (select case when r.shift_id = h.id then false when r.shift_id is null then true end from refunds r
          where r.account_id = $1 and r.sale_id = s.id and r.kind = 'VOID'),
        s.voided_at >= h.closed_at)`

// One statement reads one snapshot. `rounded` is what the drawer holds beyond the amounts of cash. The price of items before discounts follows from their sale: its subtotal is
// after item discounts, and `discount_total` contains these and the order discounts. Sales count by their own shift,
// money by the shift it was booked to (B-shift-4). Uses `between` with the same id twice. If the statistics know only
// one shift, the planner expects `=` to match most of the table, and would scan it for a new shift.
const BOOKED = statement(
  'shift_booked',
  `with counted as materialized (
      select s.status, s.discount_total, s.tax_rate_bps, s.tax_total, s.taxes, s.service_charge_amount, v.is_sold,
        s.subtotal + s.discount_total - s.order_discount - s.promo_discount as gross
      from shifts h join sales s on s.account_id = $1 and s.shift_id between $2 and $2
      cross join lateral (select s.status = 'COMPLETED' or (${VOIDED_LATER}) as is_sold) v
      where h.account_id = $1 and h.id = $2),
    sold as (
      select count(*) filter (where c.is_sold) as sales_count,
        coalesce(sum(c.discount_total) filter (where c.is_sold), 0) as discounts,
        coalesce(sum(c.tax_total) filter (where c.is_sold), 0) as tax,
        coalesce(sum(c.service_charge_amount) filter (where c.is_sold), 0) as service,
        coalesce(sum(c.gross) filter (where c.is_sold), 0) as gross,
        count(*) filter (where c.status = 'PARKED') as open_bills
      from counted c),
    taxed as (
      select t.rate_bps, sum(t.tax)::bigint as tax from (
        select c.tax_rate_bps as rate_bps, c.tax_total as tax from counted c where c.is_sold and c.taxes is null
        union all
        select x."rateBps", x.tax from counted c, lateral jsonb_to_recordset(c.taxes) as x("rateBps" int, tax bigint)
          where c.is_sold and c.taxes is not null) t
      group by t.rate_bps),
    moved as (
      select coalesce(sum(amount) filter (where type = 'PAID_IN'), 0) as paid_in,
        coalesce(sum(amount) filter (where type = 'PAID_OUT'), 0) as paid_out
      from cash_movements where account_id = $1 and shift_id between $2 and $2),
    methods as (
      select method, sum(n) as count, sum(amount) as amount, sum(refunds) as refunds, sum(rounding) as rounding from (
        select method, 1 as n, amount, 0 as refunds, rounding from payments
          where account_id = $1 and shift_id between $2 and $2 and status = 'PAID' and applied
        union all
        select t.method, 0, 0, t.amount, 0 from refunds r join refund_tenders t on t.account_id = $1 and t.refund_id = r.id
          where r.account_id = $1 and r.shift_id between $2 and $2) as booked
      group by method),
    debts as (
      select method, count(*) as count, -sum(amount) as amount from customer_credit_entries
        where account_id = $1 and shift_id between $2 and $2 and type = 'PAYMENT' group by method),
    rounded as (
      select coalesce((select sum(t.rounding) from methods t), 0)
        - coalesce((select sum(r.rounding) from refunds r where r.account_id = $1 and r.shift_id between $2 and $2), 0) as rounding)
    select sales_count::bigint as "salesCount", gross::bigint, discounts::bigint, tax::bigint,
      service::bigint, rounding::bigint,
      coalesce((select json_agg(json_build_object('rateBps', t.rate_bps, 'tax', t.tax) order by t.rate_bps) from taxed t), '[]') as taxes,
      coalesce((select h.open_bills from shifts h where h.account_id = $1 and h.id = $2), open_bills)::bigint as "openBills",
      paid_in::bigint as "paidIn", paid_out::bigint as "paidOut",
      coalesce((select json_agg(json_build_object('method', method, 'count', count, 'amount', amount,
        'refunds', refunds) order by method) from methods), '[]') as methods,
      coalesce((select json_agg(json_build_object('method', method, 'count', count, 'amount', amount) order by method)
        from debts), '[]') as "creditPayments"
    from sold, moved, rounded`,
)

export async function findBooked(db: Db, scope: Scope, shiftId: string): Promise<ShiftBookings> {
  const [row] = await named<ShiftBookings>(db, BOOKED, [scope.accountId, shiftId])
  assert(row, 'an aggregate always returns one row')
  return row
}

const OPEN_BILLS = statement(
  'shift_open_bills',
  `select count(*) as n from sales
    where account_id = $1 and outlet_id = $2 and shift_id = $3 and status = 'PARKED'`,
)

/** Counts the open bills of a shift, using the index for those of its outlet. */
export async function countOpenBills(db: Db, scope: Scope, shift: { id: string; outletId: string }) {
  const [row] = await named<{ n: number }>(db, OPEN_BILLS, [scope.accountId, shift.outletId, shift.id])
  return row?.n ?? 0
}

const CASH_FLOW = statement(
  'shift_cash_flow',
  `select x.id as "shiftId", f.flow from unnest($2::text[]) as x(id) cross join lateral (
      select sum(amount)::bigint as flow from (
        select p.amount + p.rounding as amount from payments p
          where p.account_id = $1 and p.shift_id between x.id and x.id
            and p.method = 'CASH' and p.status = 'PAID' and p.applied
        union all
        select -t.amount from refunds r join refund_tenders t on t.account_id = $1 and t.refund_id = r.id
          where r.account_id = $1 and r.shift_id between x.id and x.id and t.method = 'CASH'
        union all
        select -r.rounding from refunds r where r.account_id = $1 and r.shift_id between x.id and x.id
        union all
        select -e.amount from customer_credit_entries e
          where e.account_id = $1 and e.shift_id between x.id and x.id and e.type = 'PAYMENT' and e.method = 'CASH'
        union all
        select case m.type when 'PAID_IN' then m.amount else -m.amount end from cash_movements m
          where m.account_id = $1 and m.shift_id between x.id and x.id) as booked) f
    where f.flow is not null`,
)

/**
 * Returns cash in minus cash out of each shift in rupiah, without the opening float. Leaves out shifts without
 * bookings.
 */
export async function listCashFlow(
  db: Db,
  scope: Scope,
  shiftIds: readonly string[],
): Promise<Map<string, number>> {
  if (shiftIds.length === 0) return new Map()
  const rows = await named<{ shiftId: string; flow: number }>(db, CASH_FLOW, [scope.accountId, shiftIds])
  return new Map(rows.map((row) => [row.shiftId, row.flow]))
}
