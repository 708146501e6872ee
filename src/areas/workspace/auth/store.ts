import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { MAX_FAILURES, windowStart } from './rules.ts'

export const insertAccount = (tx: Tx, scope: Scope, name: string) =>
  tx
    .insertInto('accounts')
    .values({ accountId: scope.accountId, name, createdAt: scope.now, updatedAt: scope.now })
    .execute()

/** The failure that fills the window of one of the subjects; null while none of them is full. */
export async function fillingFailure(
  db: Db,
  subjects: readonly string[],
  now: string,
): Promise<string | null> {
  const { rows } = await sql<{ failedAt: string | null }>`
    select max(f.failed_at) as failed_at from unnest(${[...subjects]}::text[]) as s(subject)
    cross join lateral (select failed_at from login_failures
      where subject = s.subject and failed_at > ${windowStart(now)}
      order by failed_at desc limit 1 offset ${MAX_FAILURES - 1}) f`.execute(db)
  return rows[0]?.failedAt ?? null
}

export const insertFailures = (db: Db, subjects: readonly string[], now: string) =>
  db
    .insertInto('loginFailures')
    .values(subjects.map((subject) => ({ subject, id: randomUUID(), failedAt: now })))
    .execute()

export const clearFailures = (db: Db, subject: string) =>
  db.deleteFrom('loginFailures').where('subject', '=', subject).execute()
