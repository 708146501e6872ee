import { assert } from '../../../core/assert.ts'
import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Booked } from './rules.ts'

// One statement, hence one snapshot. What the lines cost before discounts follows from their sale: its subtotal is
// after the discounts of lines, and `discount_total` holds those beside the ones of the order. Sales count by their
// own shift; money by the shift it was booked to (B-shift-4). `between` one and the same id: where the statistics know a
// single shift, `=` is taken for most of the table, and all of it is read for a shift that has just been opened.
const BOOKED = statement(
  'shift_booked',
  `with sold as (
      select count(*) filter (where status = 'COMPLETED') as sales_count,
        coalesce(sum(discount_total) filter (where status = 'COMPLETED'), 0) as discounts,
        coalesce(sum(tax_total) filter (where status = 'COMPLETED'), 0) as tax,
        coalesce(sum(subtotal + discount_total - order_discount - promo_discount)
          filter (where status = 'COMPLETED'), 0) as gross,
        count(*) filter (where status = 'PARKED') as open_bills
      from sales where account_id = $1 and shift_id between $2 and $2),
    moved as (
      select coalesce(sum(amount) filter (where type = 'PAID_IN'), 0) as paid_in,
        coalesce(sum(amount) filter (where type = 'PAID_OUT'), 0) as paid_out
      from cash_movements where account_id = $1 and shift_id between $2 and $2),
    tenders as (
      select method, sum(n) as count, sum(amount) as amount, sum(refunds) as refunds from (
        select method, 1 as n, amount, 0 as refunds from payments
          where account_id = $1 and shift_id between $2 and $2 and status = 'PAID' and applied
        union all
        select t.method, 0, 0, t.amount from refunds r join refund_tenders t on t.account_id = $1 and t.refund_id = r.id
          where r.account_id = $1 and r.shift_id between $2 and $2) as booked
      group by method)
    select sales_count::bigint as "salesCount", gross::bigint, discounts::bigint, tax::bigint,
      open_bills::bigint as "openBills", paid_in::bigint as "paidIn", paid_out::bigint as "paidOut",
      coalesce((select json_agg(json_build_object('method', method, 'count', count, 'amount', amount,
        'refunds', refunds) order by method) from tenders), '[]') as tenders
    from sold, moved`,
)

export async function findBooked(db: Db, scope: Scope, shiftId: string): Promise<Booked> {
  const [row] = await named<Booked>(db, BOOKED, [scope.accountId, shiftId])
  assert(row, 'an aggregate always answers one row')
  return row
}

const CASH_FLOW = statement(
  'shift_cash_flow',
  `select x.id as "shiftId", f.flow from unnest($2::text[]) as x(id) cross join lateral (
      select sum(amount)::bigint as flow from (
        select p.amount from payments p
          where p.account_id = $1 and p.shift_id between x.id and x.id
            and p.method = 'CASH' and p.status = 'PAID' and p.applied
        union all
        select -t.amount from refunds r join refund_tenders t on t.account_id = $1 and t.refund_id = r.id
          where r.account_id = $1 and r.shift_id between x.id and x.id and t.method = 'CASH'
        union all
        select case m.type when 'PAID_IN' then m.amount else -m.amount end from cash_movements m
          where m.account_id = $1 and m.shift_id between x.id and x.id) as booked) f
    where f.flow is not null`,
)

/** Cash in less cash out of each shift, beside its opening float; a shift with nothing booked is left out. Rupiah. */
export async function listCashFlow(
  db: Db,
  scope: Scope,
  shiftIds: readonly string[],
): Promise<Map<string, number>> {
  if (shiftIds.length === 0) return new Map()
  const rows = await named<{ shiftId: string; flow: number }>(db, CASH_FLOW, [scope.accountId, shiftIds])
  return new Map(rows.map((row) => [row.shiftId, row.flow]))
}
