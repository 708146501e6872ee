import { statement, writeStatement } from '../db/statement.ts'

/**
 * The dispatcher's statements, which span workspaces. Every row is compared with its own workspace, and no workspace
 * receives a response read here.
 */

/**
 * A statement for rows of any workspace, and a variant for one workspace, named by its last parameter. A sharded
 * database uses the variant: a statement that names no workspace would go to every worker.
 */
function inEither<S>(
  declare: (name: string, text: string) => S,
  name: string,
  textOf: (mine: (alias: string, parameter: number) => string) => string,
): { any: S; one: S } {
  return {
    any: declare(
      name,
      textOf(() => ''),
    ),
    one: declare(
      `${name}_in_one`,
      textOf((alias, n) => `and ${alias}.account_id = $${n}::text`),
    ),
  }
}

/**
 * Leases endpoints with due deliveries, or renews this process's leases: no other process sends to them before the
 * lease ends, by the clock of the database, which all processes share. `waiting` steps from endpoint to endpoint through
 * the index, however many deliveries each has queued. $1 now, $2 the process, $3 the milliseconds of the lease, $4
 * endpoints it is sending to, due or not.
 */
export const LEASE = writeStatement(
  'webhook_lease',
  `with recursive waiting as (
    (select d.account_id, d.subscription_id from webhook_deliveries d where d.status = 'pending'
      order by d.account_id, d.subscription_id limit 1)
    union all
    select n.account_id, n.subscription_id from waiting w cross join lateral (
      select d.account_id, d.subscription_id from webhook_deliveries d
      where d.status = 'pending' and (d.account_id, d.subscription_id) > (w.account_id, w.subscription_id)
      order by d.account_id, d.subscription_id limit 1) n
  ), wanted as materialized (
    select w.account_id, w.subscription_id from waiting w
    where w.subscription_id = any($4::text[]) or exists (select from webhook_deliveries d
      where d.account_id = w.account_id and d.subscription_id = w.subscription_id and d.status = 'pending' and d.due_at <= $1::timestamptz)
  ), free as materialized (
    select s.account_id, s.id from wanted w cross join lateral (
      select s.account_id, s.id from webhook_subscriptions s
      where s.account_id = w.account_id and s.id = w.subscription_id
        and (s.leased_by = $2::text or s.leased_until is null or s.leased_until <= now())
      for no key update skip locked) s
  )
  update webhook_subscriptions s set leased_by = $2::text, leased_until = now() + $3::float8 * interval '1 millisecond'
    from free f where s.account_id = f.account_id and s.id = f.id
    returning s.account_id as "accountId", s.id, s.url, s.secret, s.status, s.failure_streak as failures`,
)

/** How many deliveries of a workspace may be in memory for each free slot. */
export const KNOWN_PER_FREE = 2

const dueOf = (accountId: string, ofTurn: string) => `with found as (
    select e.account_id, e.id as subscription_id, e.of_workspace, d.id, d.event_id, d.attempts, d.by_hand, d.due_at,
      e.of_endpoint + row_number() over (partition by e.account_id, e.id order by d.due_at) as place
    from unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::int[], $7::int[])
      as e (account_id, id, room, known, of_endpoint, of_workspace) cross join lateral (
      select d.id, d.event_id, d.attempts, d.by_hand, d.due_at from webhook_deliveries d
      where d.account_id = ${accountId} and d.subscription_id = e.id and d.status = 'pending' and d.due_at <= $1::timestamptz
        and position(d.id in e.known) = 0
      order by d.due_at limit e.room) d
  ), turns as (
    select f.*, f.of_workspace + row_number() over (partition by f.account_id order by f.place, f.due_at) as turn from found f
  ), nearest as (
    select t.*, row_number() over (order by t.turn, t.due_at) as nth from turns t order by nth limit $8::int
  )
  select t.account_id as "accountId", t.turn::int as turn, t.due_at as "dueAt", t.id, t.subscription_id as "subscriptionId", t.event_id as "eventId", t.attempts,
    t.by_hand as "byHand", e.body
  from nearest t left join lateral (
    select e.body from events e where e.account_id = ${ofTurn} and e.id = t.event_id) e on true
  where t.turn <= ${KNOWN_PER_FREE} * ($8::int - t.nth + 1) order by t.nth`

/**
 * Due deliveries of endpoints leased by this process. Workspaces take turns, and within each its endpoints do,
 * counting deliveries already in memory. No workspace takes all free slots, as with connection slots (db/places.ts).
 * $1 now; $2 to $4 workspaces, endpoints and the limit of each; $5 the ids already in
 * memory per endpoint, in one text; $6 and $7 how many are in memory per endpoint and per workspace; $8 the free slots
 * in all.
 */
export const DUE = statement('webhook_due', dueOf('e.account_id', 't.account_id'))

/** The same for one workspace, $9. */
export const DUE_IN_ONE = statement('webhook_due_in_one', dueOf('$9::text', '$9::text'))

/** The same lease for one workspace, $5, of a sharded database: no index walk crosses workers. */
export const LEASE_IN_ONE = writeStatement(
  'webhook_lease_in_one',
  `with wanted as materialized (
    select distinct d.subscription_id from webhook_deliveries d
    where d.account_id = $5 and d.status = 'pending' and (d.due_at <= $1::timestamptz or d.subscription_id = any($4::text[]))
  ), free as materialized (
    select s.id from webhook_subscriptions s
    where s.account_id = $5 and s.id in (select subscription_id from wanted)
      and (s.leased_by = $2::text or s.leased_until is null or s.leased_until <= now())
    for no key update skip locked
  )
  update webhook_subscriptions s set leased_by = $2::text, leased_until = now() + $3::float8 * interval '1 millisecond'
    from free f where s.account_id = $5 and s.id = f.id
    returning s.account_id as "accountId", s.id, s.url, s.secret, s.status, s.failure_streak as failures`,
)

/** Locks the endpoints of finished attempts, always in the same order to avoid deadlocks. */
export const LOCK_ENDPOINTS = inEither(
  statement,
  'webhook_lock_endpoints',
  (
    mine,
  ) => `select s.account_id as "accountId", s.id, s.status, s.failure_streak as failures, s.failing_since as since
    from webhook_subscriptions s
    where (s.account_id, s.id) in (select x.account_id, x.id from unnest($1::text[], $2::text[]) as x (account_id, id))
      ${mine('s', 3)} order by s.account_id, s.id for no key update`,
)

export const RECORD_STREAKS = inEither(
  writeStatement,
  'webhook_record_streaks',
  (
    mine,
  ) => `update webhook_subscriptions s set failure_streak = x.failures, failing_since = x.since, status = x.status,
      disabled_reason = case when x.status = 'disabled' then coalesce(x.reason, s.disabled_reason) end, updated_at = $7::timestamptz
    from unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::text[], $6::text[])
      as x (account_id, id, failures, since, status, reason)
    where s.account_id = x.account_id and s.id = x.id ${mine('s', 8)}`,
)

/** Attempts that the log of one delivery keeps. */
const LOG_LENGTH = 50

/** Another attempt was queued by hand while this one was in flight. It is still to be made, because this one failed. */
const REQUEUED = `(d.status = 'pending' and d.by_hand and x.status <> 'succeeded'
        and (not (x.entry::jsonb ->> 'manual')::boolean or d.due_at <> x.was_due_at))`

/**
 * Adds an attempt to each delivery. A delivery failed meanwhile, because its endpoint was switched off, stays
 * failed unless the attempt succeeded.
 */
export const RECORD_ATTEMPTS = inEither(
  writeStatement,
  'webhook_record_attempts',
  (mine) => `update webhook_deliveries d set
      status = case when ${REQUEUED} then d.status
        when x.status = 'succeeded' or d.status = 'pending' then x.status else d.status end,
      due_at = case when ${REQUEUED} then d.due_at when d.status = 'pending' and x.status = 'pending' then x.due_at end,
      by_hand = d.by_hand and (d.status <> 'pending' or ${REQUEUED}),
      attempts = d.attempts + 1, last_status_code = x.status_code,
      attempt_log = (case when jsonb_array_length(d.attempt_log) >= ${LOG_LENGTH} then d.attempt_log - 0 else d.attempt_log end)
        || x.entry::jsonb,
      updated_at = $7::timestamptz
    from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::int[], $6::text[], $8::timestamptz[])
      as x (account_id, id, status, due_at, status_code, entry, was_due_at)
    where d.account_id = x.account_id and d.id = x.id ${mine('d', 9)}`,
)

/** Fails deliveries queued for endpoints that are off. An endpoint that was switched on since it was read keeps its own. */
export const FAIL_QUEUED = inEither(
  writeStatement,
  'webhook_fail_queued',
  (mine) => `update webhook_deliveries d set status = 'failed', due_at = null, updated_at = $3::timestamptz
    from unnest($1::text[], $2::text[]) as x (account_id, id)
    join webhook_subscriptions s on s.account_id = x.account_id and s.id = x.id and s.status <> 'active'
    where d.account_id = s.account_id and d.subscription_id = s.id and d.status = 'pending'
      ${mine('d', 4)} ${mine('s', 4)}`,
)

/** Releases the leases of a process that stops. */
export const RELEASE = inEither(
  writeStatement,
  'webhook_release',
  (mine) => `update webhook_subscriptions s set leased_by = null, leased_until = null
    from unnest($1::text[], $2::text[]) as x (account_id, id)
    where s.account_id = x.account_id and s.id = x.id and s.leased_by = $3::text ${mine('s', 4)}`,
)
