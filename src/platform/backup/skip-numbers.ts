import type pg from 'pg'

const RECEIPTS = `insert into outlet_days as d (account_id, outlet_id, day, last_number)
  select o.account_id, o.id, lost.day::date, $2
    from outlets o
    cross join lateral (select ($1::timestamptz at time zone o.timezone)::date as taken,
      (now() at time zone o.timezone)::date as today) dates
    cross join lateral generate_series(least(taken, today), today, interval '1 day') lost (day)
  on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + excluded.last_number`
const COUNTERS = 'update counters set value = value + $1'

/**
 * Leaves out so many numbers: of the receipts of every outlet on each day since `takenAt`, and of purchase orders. Sales that
 * are lost have those numbers on paper already.
 */
export async function skipNumbers(client: pg.ClientBase, takenAt: string, count: number): Promise<void> {
  await client.query(RECEIPTS, [takenAt, count])
  await client.query(COUNTERS, [count])
}
