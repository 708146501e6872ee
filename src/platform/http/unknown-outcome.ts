import { isUnsafe } from '../../core/methods.ts'
import { isOutcomeUnknown, outcomeUnknown } from '../db/pg-errors.ts'
import type { Route } from './route.ts'

const UNSAVED = 'The partner has answered, but that could not be saved here'

/**
 * If it is unknown whether a write was done, the error says how the caller finds out (B-unknown-2). That includes a
 * failure here after a partner has answered (`isUnsaved`): a blind retry would do it twice. Any other error is
 * returned as it is.
 */
export function explainUnknownOutcome(
  error: unknown,
  row: Pick<Route, 'area' | 'method' | 'path'>,
  { hasKey, isUnsaved = false }: { hasKey: boolean; isUnsaved?: boolean },
): unknown {
  const isUnknown = isOutcomeUnknown(error)
  if (!isUnknown && !(isUnsaved && isUnsafe(row.method))) return error
  const nextStep = hasKey
    ? 'Send it again with the same Idempotency-Key; it will be done at most once'
    : `${lookupFor(row)} first, and send it again only if it is not there`
  return isUnknown ? outcomeUnknown(error.cause, nextStep) : outcomeUnknown(error, nextStep, UNSAVED)
}

/** A payment or refund is not found by looking whether the sale exists: it existed before. */
function lookupFor({ area, path }: Pick<Route, 'area' | 'path'>): string {
  if (area !== 'sales') return 'Look the record up'
  return path.includes('{') ? 'Look for the change in the sale' : 'Look the sale up'
}
