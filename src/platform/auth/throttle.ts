import { ApiError } from '../../core/errors.ts'
import { addMs, msBetween } from '../../core/time.ts'
import { inTx, type WriteDb } from '../db/open.ts'
import * as statements from './statements-failures.ts'
import * as store from './store-failures.ts'

/** Guessing stops at 10 failures of a subject within 15 minutes (B-auth-4). */
const MAX_FAILURES = 10
const WINDOW_MS = 15 * 60_000

/**
 * Counts one attempt of every subject and answers the ids to take it back by; 429 with Retry-After once one of them has
 * 10 within 15 minutes. `what` names in the refusal what there were too many of.
 */
export async function counted(
  db: WriteDb,
  subjects: readonly string[],
  now: string,
  what: string,
): Promise<string[]> {
  const since = addMs(now, -WINDOW_MS)
  return inTx(db, async (tx) => {
    await statements.lockSubjects(tx, subjects)
    const failedAt = await statements.fillingFailure(tx, subjects, since, MAX_FAILURES)
    if (failedAt !== null) throw tooMany(failedAt, now, what)
    return store.insertFailures(tx, subjects, now)
  })
}

/** Whether nobody came with this subject before, in whatever process; remembered for an hour at least. */
export const isFirst = (db: WriteDb, subject: string, now: string): Promise<boolean> =>
  store.insertOnly(db, subject, now)

/**
 * Runs one check of a password; null is a failure, counted for every subject. 429 with Retry-After, without a check,
 * once one of the subjects has 10 failures within 15 minutes. The failure is stored before the check and taken back
 * when the password was right, so that guesses that arrive together, in whatever process, never pass the bound.
 */
export async function guarded<T>(
  db: WriteDb,
  subjects: readonly string[],
  now: string,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const ids = await counted(db, subjects, now, 'failed sign-ins')
  const takeBack = () => store.removeFailures(db, subjects, ids)
  const right = await check().catch(async (error: unknown) => {
    // An error of ours is not a wrong guess.
    await takeBack().catch(() => {})
    throw error
  })
  // What the check has saved is saved: at worst one failure more is counted for a quarter of an hour.
  if (right !== null) await takeBack().catch(() => {})
  return right
}

export const forgive = store.clearFailures

/** Whole seconds until the failure that fills the window leaves it. */
function tooMany(failedAt: string, now: string, what: string) {
  const seconds = Math.max(1, Math.ceil((WINDOW_MS - msBetween(failedAt, now)) / 1000))
  return new ApiError('RATE_LIMITED', `Too many ${what}; try again in ${Math.ceil(seconds / 60)} min`, {
    headers: { 'retry-after': String(seconds) },
  })
}
