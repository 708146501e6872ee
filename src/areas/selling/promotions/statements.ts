import { statement, writeStatement } from '../../../platform/db/statement.ts'

/** A name to ask the partner under: that of the same request, sent before, or a new one. Released from $4 on, unless a sale binds it. */
export const BEGIN = writeStatement(
  'promotions_begin',
  `insert into sale_promotions as p (account_id, id, request, wanted, due_at, attempts, created_at, updated_at)
    values ($1, $2, $3, 'released', $4::timestamptz, 0, $5::timestamptz, $5::timestamptz)
    on conflict (account_id, request) where request is not null
      do update set due_at = excluded.due_at, attempts = 0, updated_at = excluded.updated_at
      where p.account_id = $1
    returning p.id`,
)

/** The sale has it now, also where it was let go meanwhile. */
export const BIND = writeStatement(
  'promotions_bind',
  `insert into sale_promotions as p (account_id, id, sale_id, wanted, due_at, attempts, created_at, updated_at)
    values ($1, $2, $3, $4, $5::timestamptz, 0, $6::timestamptz, $6::timestamptz)
    on conflict (account_id, id) do update
      set sale_id = excluded.sale_id, request = null, wanted = excluded.wanted, due_at = excluded.due_at, attempts = 0,
        updated_at = excluded.updated_at
      where p.account_id = $1`,
)

const due = (of: string) => `select p.account_id as "accountId" from sale_promotions p
    where p.due_at <= $1${of} group by p.account_id order by min(p.due_at) limit $2`

/** Workspaces whose partner is to be told something, those that wait longest first. */
export const DUE = statement('promotions_due', due(''))
/** The same of the workspaces $3. */
export const DUE_OF = statement('promotions_due_of', due(' and p.account_id = any($3)'))

/** Takes what is due by $2, at most $4 rows, for as long as a lease: past $3 another process may tell it. */
export const CLAIM = writeStatement(
  'promotions_claim',
  `with due as (
      select p.id from sale_promotions p where p.account_id = $1 and p.due_at <= $2::timestamptz
      order by p.due_at, p.id limit $4 for no key update skip locked
    )
    update sale_promotions p set due_at = $3::timestamptz, attempts = p.attempts + 1, updated_at = $2::timestamptz
      from due where p.account_id = $1 and p.id = due.id
    returning p.id, p.wanted, p.attempts`,
)
