// Where a list of sales begins, as parts of SQL texts in which $1 is the workspace.

/** The refunds of a time lead to their sales; a condition on the sales would be tried on each of them. */
export const refundedWithin = (from: string, to: string) => `(select distinct r.sale_id as id from refunds r
    where r.account_id = $1 and r.kind = 'REFUND' and r.created_at >= ${from} and r.created_at < ${to} offset 0) r
  cross join lateral (select v.* from sales v where v.account_id = $1 and v.id = r.id offset 0)`

/** Sales that were completed then, and open bills that were opened then, of one outlet or of each. */
export const soldWithin = (
  from: string,
  to: string,
  outlet: string | null,
) => `(select n.* from outlets o cross join lateral (
      select v.* from sales v where v.account_id = $1 and v.outlet_id = o.id and v.completed_at >= ${from} and v.completed_at < ${to}
      union all select v.* from sales v where v.account_id = $1 and v.outlet_id = o.id and v.status = 'PARKED'
        and v.created_at >= ${from} and v.created_at < ${to} offset 0) n
    where o.account_id = $1${outlet === null ? '' : ` and o.id = ${outlet}`})`

/** The sales with this number, one of each outlet at most, and the offline sale with this reference. */
export const withReference = (q: string) => `(select v.* from sales v where v.account_id = $1 and v.id in (
      select n.id from sales n where n.account_id = $1 and n.number = ${q}
      union select f.id from sales f where f.account_id = $1 and f.offline_ref = ${q}) offset 0)`
