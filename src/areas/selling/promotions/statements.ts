import { statement, writeStatement } from '../../../platform/db/statement.ts'

/**
 * Returns the name of the reservation at the partner: that of an earlier attempt of the same request, or a new one.
 * It is released from $4 on unless a sale is bound to it.
 */
export const BEGIN = writeStatement(
  'promotions_begin',
  `insert into sale_promotions as p (account_id, id, request, wanted, due_at, attempts, created_at, updated_at)
    values ($1, $2, $3, 'released', $4::timestamptz, 0, $5::timestamptz, $5::timestamptz)
    on conflict (account_id, request) where request is not null
      do update set due_at = excluded.due_at, attempts = 0, updated_at = excluded.updated_at
      where p.account_id = $1
    returning p.id`,
)

/** Binds the reservation to the sale, even if it was released meanwhile. */
export const BIND = writeStatement(
  'promotions_bind',
  `insert into sale_promotions as p (account_id, id, sale_id, wanted, due_at, attempts, created_at, updated_at, customer_id, points)
    values ($1, $2, $3, $4, $5::timestamptz, 0, $6::timestamptz, $6::timestamptz, $7, $8)
    on conflict (account_id, id) do update
      set sale_id = excluded.sale_id, request = null, wanted = excluded.wanted, due_at = excluded.due_at, attempts = 0,
        updated_at = excluded.updated_at, customer_id = excluded.customer_id, points = excluded.points
      where p.account_id = $1`,
)

/** Adds up points of completed sales that the customer's ledger has already deducted. */
export const BOOKED = statement(
  'promotions_booked',
  `select coalesce(sum(points), 0)::bigint as points from sale_promotions
    where account_id = $1 and customer_id = $2 and wanted = 'redeemed' and points > 0`,
)

const due = (of: string) => `select p.account_id as "accountId" from sale_promotions p
    where p.due_at <= $1${of} group by p.account_id order by min(p.due_at) limit $2`

/** Lists workspaces with due notifications to their partner, the longest overdue first. */
export const DUE = statement('promotions_due', due(''))
/** The same query, limited to the workspaces $3. */
export const DUE_OF = statement('promotions_due_of', due(' and p.account_id = any($3)'))

/** Claims at most $4 rows due by $2 for one lease: after $3 another process can claim them. */
export const CLAIM = writeStatement(
  'promotions_claim',
  `with due as (
      select p.id from sale_promotions p where p.account_id = $1 and p.due_at <= $2::timestamptz
      order by p.due_at, p.id limit $4 for no key update skip locked
    )
    update sale_promotions p set due_at = $3::timestamptz, attempts = p.attempts + 1, updated_at = $2::timestamptz
      from due where p.account_id = $1 and p.id = due.id
    returning p.id, p.wanted, p.points, p.attempts`,
)
