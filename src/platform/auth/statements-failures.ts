import { type Db, named, type Tx } from '../db/open.ts'
import { statement } from '../db/statement.ts'

const LOCK = statement('failures_lock', 'select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** Serializes attempts per subject across processes. Locks subjects in sorted order to avoid deadlocks. */
export async function lockSubjects(tx: Tx, subjects: readonly string[]) {
  for (const subject of [...subjects].sort()) {
    await named(tx, LOCK, [`login ${subject}`])
  }
}

const FILLING = statement(
  'failures_filling',
  `select max(f.failed_at) as "failedAt" from unnest($1::text[]) as s(subject)
    cross join lateral (select failed_at from login_failures
      where subject = s.subject and failed_at > $2
      order by failed_at desc limit 1 offset $3) f`,
)

/**
 * When the failure happened that brings a subject to `max` after `since`; null while no subject has `max` failures.
 */
export async function fillingFailure(
  db: Db,
  subjects: readonly string[],
  since: string,
  max: number,
): Promise<string | null> {
  const [row] = await named<{ failedAt: string | null }>(db, FILLING, [subjects, since, max - 1])
  return row?.failedAt ?? null
}
