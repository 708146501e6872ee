import type pg from 'pg'
import { dayOf } from '../../../../core/time.ts'

const ZONES = 'select distinct timezone from outlets'
const SKIP = `insert into outlet_days as d (account_id, outlet_id, day, last_number)
  select o.account_id, o.id, lost.day::date, $4
    from outlets o
    join unnest($1::text[], $2::date[], $3::date[]) dates (timezone, since, today) on dates.timezone = o.timezone
    cross join lateral generate_series(least(since, today), today, interval '1 day') lost (day)
  on conflict (account_id, outlet_id, day) do update set last_number = d.last_number + excluded.last_number`

export type LostSales = { takenAt: string; now: string; count: number }

/**
 * Leaves out `count` receipt numbers of every outlet of every workspace, on each day since `takenAt`. After a restore the
 * sales since then are lost, but their numbers are on paper. The runtime computes the days, as it does for a sale: this
 * database may lack the time zone of an outlet, and one such outlet must not end the restore of all.
 */
export async function skipReceiptNumbers(
  client: pg.ClientBase,
  { takenAt, now, count }: LostSales,
): Promise<void> {
  const { rows } = await client.query<{ timezone: string }>(ZONES)
  const zones = rows.map(({ timezone }) => timezone)
  const days = (instant: string) => zones.map((timezone) => dayOf(instant, timezone))
  await client.query(SKIP, [zones, days(takenAt), days(now), count])
}
