import { deps } from './api.ts'

/** Sessions of this database that wait for a lock. */
export async function waiting(): Promise<number> {
  const { rows } = await deps().pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.n ?? 0
}
