import { statement, writeStatement } from '../../../platform/db/statement.ts'

/** The inner select is limited like the outer one: a sharded database would otherwise ask the workers of all workspaces. */
const reminding = (of: (alias: string) => string) =>
  `select s.account_id as "accountId", s.delay_hours as "delayHours", s.enabled from abandoned_cart_settings s
    where (s.enabled or exists (select from cart_reminders r where r.account_id = s.account_id and r.is_watched${of('r')}))
      and s.account_id > $1${of('s')} order by s.account_id limit $2`

/** Workspaces with reminders switched on or with watched ones, after the id $1. A run pages through all of them. */
export const REMINDING = statement(
  'carts_reminding',
  reminding(() => ''),
)
/** The same query, limited to the workspaces $3. */
export const REMINDING_OF = statement(
  'carts_reminding_of',
  reminding((alias) => ` and ${alias}.account_id = any($3)`),
)

/**
 * Creates reminders for at most $5 bills of a workspace that last changed between $3 and $4; $2 is now. The id is
 * derived from the id of the bill, so concurrent processes create only one per bill.
 */
export const SCHEDULE = writeStatement(
  'carts_schedule',
  `insert into cart_reminders
      (account_id, id, sale_id, customer_id, cart_total, status, scheduled_at, due_at, attempts, is_watched, created_at, updated_at)
    select $1, 'abr_' || substr(s.id, 5), s.id, s.customer_id, s.total, 'scheduled',
      $2::timestamptz, $2::timestamptz, 0, true, $2::timestamptz, $2::timestamptz
    from sales s
      join customers c on c.account_id = $1 and c.id = s.customer_id and c.is_active and c.email is not null
    where s.account_id = $1 and s.status = 'PARKED' and s.updated_at between $3 and $4
      and s.paid_total < s.total
      and not exists (select from cart_reminders r where r.account_id = $1 and r.sale_id = s.id)
    order by s.id limit $5
    on conflict do nothing
    returning id`,
)

/**
 * The condition for sending a reminder: the bill is open, not fully paid, last changed after `oldest`, and unchanged
 * since the reminder was scheduled. The shortest delay is an hour. A bill that changed later than an hour before the
 * scheduling therefore changed after it.
 */
const remindable = (oldest: string) => `s.status = 'PARKED' and s.paid_total < s.total
      and s.updated_at <= r.scheduled_at - interval '1 hour' and s.updated_at >= ${oldest}`

/** Marks recovered bills. Deletes unsent reminders whose bill ended, changed, or was last changed before $3. */
export const CLOSE = writeStatement(
  'carts_close',
  `with ended as (
      select r.id, s.status = 'COMPLETED' and s.completed_at > r.sent_at as is_recovered
      from cart_reminders r join sales s on s.account_id = $1 and s.id = r.sale_id
      where r.account_id = $1 and r.is_watched and s.status <> 'PARKED'
    ), dropped as (
      delete from cart_reminders r using sales s
      where r.account_id = $1 and r.is_watched and r.status = 'scheduled'
        and s.account_id = $1 and s.id = r.sale_id and not (${remindable('$3')})
    )
    update cart_reminders r
      set is_watched = false, updated_at = $2::timestamptz,
        status = case when r.status = 'sent' and e.is_recovered then 'recovered' else r.status end
      from ended e where r.account_id = $1 and r.id = e.id and r.status <> 'scheduled'`,
)

/**
 * Claims the reminder that has been due longest at $2. The lease ends at $3; then another process can claim it. $4 is
 * the oldest allowed change of a bill. Bill and customer are read as they are now; `email` is null without an
 * address.
 */
export const CLAIM = writeStatement(
  'carts_claim',
  `with due as (
      select r.id, r.sale_id, r.customer_id from cart_reminders r
        join sales s on s.account_id = $1 and s.id = r.sale_id
      where r.account_id = $1 and r.due_at <= $2::timestamptz and ${remindable('$4')}
      order by r.due_at, r.id limit 1 for no key update of r skip locked
    ), taken as (
      update cart_reminders r set due_at = $3::timestamptz, attempts = r.attempts + 1, updated_at = $2::timestamptz
        from due where r.account_id = $1 and r.id = due.id
      returning r.id, r.attempts, due.sale_id, due.customer_id
    )
    select t.id, t.attempts, c.name, case when c.is_active then c.email end as email, s.total - s.paid_total as total,
        coalesce((select json_agg(json_build_object('name', i.product_name, 'quantity', i.quantity) order by i.position)
          from (select i.product_name, i.quantity, i.position from sale_items i
            where i.account_id = $1 and i.sale_id = t.sale_id and i.is_active order by i.position limit 20) i), '[]') as items
      from taken t
        join sales s on s.account_id = $1 and s.id = t.sale_id
        join customers c on c.account_id = $1 and c.id = t.customer_id`,
)

/**
 * Postpones all requests to the partner until $3. Moves every reminder that is due earlier, and does not count the
 * attempt of reminder $4.
 */
export const POSTPONE = writeStatement(
  'carts_postpone',
  `update cart_reminders r set due_at = $3::timestamptz, updated_at = $2::timestamptz,
      attempts = r.attempts - case when r.id = $4 then 1 else 0 end
    where r.account_id = $1 and r.status = 'scheduled' and (r.id = $4 or r.due_at < $3)`,
)

/** Counts the reminders sent since $2 and the bills they recovered, with the revenue of those bills. */
export const STATS = statement(
  'carts_stats',
  `select count(*)::int as sent, (count(*) filter (where r.status = 'recovered'))::int as recovered,
      coalesce(sum(s.total - s.refunded_goods - s.refunded_tax - s.refunded_service - s.refunded_delivery_fee)
        filter (where r.status = 'recovered' and s.status = 'COMPLETED'), 0)::bigint as revenue
    from cart_reminders r join sales s on s.account_id = $1 and s.id = r.sale_id
    where r.account_id = $1 and r.sent_at >= $2`,
)
