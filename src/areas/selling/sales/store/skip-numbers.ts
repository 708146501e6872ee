import type pg from 'pg'

const SKIP = `insert into outlet_days as d (account_id, outlet_id, day, last_number)
  select o.account_id, o.id, lost.day::date, $2
    from outlets o
    cross join lateral (select ($1::timestamptz at time zone o.timezone)::date as taken,
      (now() at time zone o.timezone)::date as today) dates
    cross join lateral generate_series(least(taken, today), today, interval '1 day') lost (day)
  on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + excluded.last_number`

/**
 * Leaves out so many receipt numbers of every outlet of every workspace, on each day since `takenAt`. After a restore the sales
 * since then are lost, but their numbers are on paper.
 */
export async function skipReceiptNumbers(
  client: pg.ClientBase,
  takenAt: string,
  count: number,
): Promise<void> {
  await client.query(SKIP, [takenAt, count])
}
