import { ApiError } from '../../core/errors.ts'
import { addMs, msBetween } from '../../core/time.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Scope } from '../../platform/scope.ts'
import { GUESS_WINDOW_MS, GUESSES } from './rules.ts'
import * as store from './store-guesses.ts'

/** 429 once the credential has named 20 unknown codes within 10 minutes, whatever it asks for next (contract 13.7). */
export async function refuseGuessing(db: Db, scope: Scope): Promise<void> {
  const misses = await store.listMisses(db, scope, addMs(scope.now, -GUESS_WINDOW_MS), GUESSES)
  const oldest = misses.at(-1)
  if (oldest === undefined || misses.length < GUESSES) return
  const waitMs = GUESS_WINDOW_MS - msBetween(oldest, scope.now)
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  throw new ApiError('RATE_LIMITED', `Too many unknown gift card codes; wait ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/**
 * The refusal of a code that nobody issued: 422 with `param` in a tender, 404 without. It is counted once the
 * transaction that met it has rolled back: the refusal must not undo the count.
 */
export const unknownCode = (scope: Scope, param?: string): ApiError => {
  const afterRollback = (db: Db) => store.insertMiss(db, scope)
  return param === undefined
    ? new ApiError('NOT_FOUND', 'No gift card has this code', { afterRollback })
    : new ApiError('VALIDATION_ERROR', 'No gift card has this code', { param, afterRollback })
}
