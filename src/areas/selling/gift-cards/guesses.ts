import { ApiError } from '../../../core/errors.ts'
import { addMs, msBetween } from '../../../core/time.ts'
import type { Db, WriteDb } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { GUESS_WINDOW_MS, GUESSES } from './rules.ts'
import * as store from './store-guesses.ts'

/** Throws 429 if the credential has sent 20 unknown codes within 10 minutes (B-card-4). */
export const requireFewGuesses = (db: Db, scope: Scope): Promise<void> =>
  requireGuessesWithin(db, scope, GUESSES - 1)

async function requireGuessesWithin(db: Db, scope: Scope, allowed: number): Promise<void> {
  const misses = await store.listMisses(db, scope, addMs(scope.now, -GUESS_WINDOW_MS), GUESSES + 1)
  const freeing = misses[GUESSES - 1]
  if (freeing === undefined || misses.length <= allowed) return
  const seconds = Math.max(1, Math.ceil((GUESS_WINDOW_MS - msBetween(freeing, scope.now)) / 1000))
  throw new ApiError('RATE_LIMITED', `Too many unknown gift card codes; wait ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/**
 * Returns the error for an unknown code: 422 with `param` in a payment, 404 otherwise. The attempt is counted after
 * the rollback of the transaction, because the rollback would undo the count. Concurrent attempts all pass the first
 * check, so the number is checked again after counting.
 */
export function unknownCode(scope: Scope, param?: string): ApiError {
  const afterRollback = async (db: WriteDb) => {
    await store.insertMiss(db, scope)
    await requireGuessesWithin(db, scope, GUESSES)
  }
  return param === undefined
    ? new ApiError('NOT_FOUND', 'No gift card has this code', { afterRollback })
    : new ApiError('VALIDATION_ERROR', 'No gift card has this code', { param, afterRollback })
}
