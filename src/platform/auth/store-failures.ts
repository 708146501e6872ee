import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx, WriteDb } from '../db/open.ts'

/** Attempts under one subject wait for each other, in every process. In order, so that no two wait in a circle. */
export async function lockSubjects(tx: Tx, subjects: readonly string[]) {
  for (const subject of [...subjects].sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`login ${subject}`}, 0))`.execute(tx)
  }
}

/** The failure after `since` that fills the window of one of the subjects; null while none of them has `max`. */
export async function fillingFailure(
  tx: Tx,
  subjects: readonly string[],
  since: string,
  max: number,
): Promise<string | null> {
  const { rows } = await sql<{ failedAt: string | null }>`
    select max(f.failed_at) as failed_at from unnest(${[...subjects]}::text[]) as s(subject)
    cross join lateral (select failed_at from login_failures
      where subject = s.subject and failed_at > ${since}
      order by failed_at desc limit 1 offset ${max - 1}) f`.execute(tx)
  return rows[0]?.failedAt ?? null
}

/** One failure of each subject; answers the ids to take them back by. */
export async function insertFailures(tx: Tx, subjects: readonly string[], now: string): Promise<string[]> {
  const rows = subjects.map((subject) => ({ subject, id: randomUUID(), failedAt: now }))
  await tx.insertInto('loginFailures').values(rows).execute()
  return rows.map((row) => row.id)
}

export const removeFailures = (db: WriteDb, subjects: readonly string[], ids: readonly string[]) =>
  db.deleteFrom('loginFailures').where('subject', 'in', subjects).where('id', 'in', ids).execute()

export const clearFailures = (db: WriteDb, subject: string) =>
  db.deleteFrom('loginFailures').where('subject', '=', subject).execute()
