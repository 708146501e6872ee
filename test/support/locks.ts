import { afterAll, expect } from 'vitest'
import { deps } from './api.ts'

/** Sessions of this database that wait for a lock. */
export async function waiting(): Promise<number> {
  const { rows } = await deps().pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.n ?? 0
}

/** Deadlocks of this database so far: each session tells its own only when it is asked to. */
export async function deadlocks(): Promise<number> {
  const { pool } = deps()
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  try {
    for (const client of clients) await client.query('select pg_stat_force_next_flush()')
  } finally {
    for (const client of clients) client.release()
  }
  const { rows } = await pool.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.n ?? 0
}

/**
 * Deadlocks are retried, so a wrong lock order hides behind right answers. Call it after `useService`: the file fails
 * when its database ended one.
 */
export const expectNoDeadlocks = () =>
  afterAll(async () => {
    expect(await deadlocks()).toBe(0)
  })
