import { ApiError } from '../../core/errors.ts'
import { addMs, msBetween } from '../../core/time.ts'
import { type Db, inTx, type WriteDb } from '../db/open.ts'
import * as statements from './statements-failures.ts'
import * as store from './store-failures.ts'

/**
 * How many attempts of a subject there may be within `windowMs`, 15 minutes if absent, and what the error message calls
 * them. The sweeper keeps the attempts of a longer window by its prefix (platform/expires.ts).
 */
export type AttemptLimit = { max: number; what: string; windowMs?: number }

/** Guessing stops at 10 failures of a subject within 15 minutes (B-auth-4). */
const MAX_FAILURES = 10
const SIGN_INS: AttemptLimit = { max: MAX_FAILURES, what: 'failed sign-ins' }
const WINDOW_MS = 15 * 60_000
const windowOf = ({ windowMs = WINDOW_MS }: AttemptLimit) => windowMs

/**
 * Counts one attempt per subject and returns the ids that undo it. Throws 429 with Retry-After once a subject has
 * reached the limit: 10 within 15 minutes, unless `limit` says more than what the attempts are called.
 */
export async function counted(
  db: WriteDb,
  subjects: readonly string[],
  now: string,
  limit: string | AttemptLimit,
): Promise<string[]> {
  const bounds = typeof limit === 'string' ? { max: MAX_FAILURES, what: limit } : limit
  const since = addMs(now, -windowOf(bounds))
  return inTx(db, async (tx) => {
    await statements.lockSubjects(tx, subjects)
    const failedAt = await statements.fillingFailure(tx, subjects, since, bounds.max)
    if (failedAt !== null) throw tooManyAttempts(failedAt, now, bounds)
    return store.insertFailures(tx, subjects, now)
  })
}

/**
 * Throws 429 if the subject has reached the limit already. This is one read: a refused attempt takes no lock. Only
 * `guardedWithin` decides about concurrent attempts.
 */
export async function requireRoom(db: Db, subject: string, now: string, limit: AttemptLimit) {
  const failedAt = await statements.fillingFailure(db, [subject], addMs(now, -windowOf(limit)), limit.max)
  if (failedAt !== null) throw tooManyAttempts(failedAt, now, limit)
}

/** Whether this subject is new to every process; it is remembered for at least an hour. */
export const isFirst = (db: WriteDb, subject: string, now: string): Promise<boolean> =>
  store.insertOnly(db, subject, now)

/**
 * Runs one check of a password or code; null is a failure, counted for every subject. Throws 429 with Retry-After,
 * without a check, once a subject has 10 failures within 15 minutes. The failure is stored before the check and
 * removed on success, so concurrent guesses never exceed the limit in any process.
 */
export const guarded = <T>(
  db: WriteDb,
  subjects: readonly string[],
  now: string,
  check: () => Promise<T | null>,
): Promise<T | null> => guardedWithin(db, { subjects, limit: SIGN_INS }, now, check)

/** The same with another limit. */
export async function guardedWithin<T>(
  db: WriteDb,
  { subjects, limit }: { subjects: readonly string[]; limit: AttemptLimit },
  now: string,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const ids = await counted(db, subjects, now, limit)
  const takeBack = () => store.removeFailures(db, subjects, ids)
  const right = await check().catch(async (error: unknown) => {
    // An internal error is not a wrong guess.
    await takeBack().catch(() => {})
    throw error
  })
  // The check has already committed: at worst one extra failure counts for 15 minutes.
  if (right !== null) await takeBack().catch(() => {})
  return right
}

export const forgive = store.clearFailures

/** Retry-After is the whole seconds until the failure that fills the window leaves it. */
function tooManyAttempts(failedAt: string, now: string, limit: AttemptLimit) {
  const seconds = Math.max(1, Math.ceil((windowOf(limit) - msBetween(failedAt, now)) / 1000))
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes <= 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} hours`
  return new ApiError('RATE_LIMITED', `Too many ${limit.what}; try again in ${wait}`, {
    headers: { 'retry-after': String(seconds) },
  })
}
