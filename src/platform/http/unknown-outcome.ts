import { isOutcomeUnknown, outcomeUnknown } from '../db/pg-errors.ts'
import { isUnsafe, type Route } from './route.ts'

const UNSAVED = 'The partner has answered, but that could not be saved here'

/**
 * Tells a caller whose write may or may not have been done how to find out (B-unknown-2), also where a partner may have done
 * its part and ours failed (`isUnsaved`): "send it again" would have it done twice. Whatever else failed passes as it is.
 */
export function withNextStep(
  error: unknown,
  row: Pick<Route, 'area' | 'method'>,
  { hasKey, isUnsaved = false }: { hasKey: boolean; isUnsaved?: boolean },
): unknown {
  const isUnknown = isOutcomeUnknown(error)
  if (!isUnknown && !(isUnsaved && isUnsafe(row.method))) return error
  const record = row.area === 'sales' ? 'the sale' : 'the record'
  const nextStep = hasKey
    ? 'Send it again with the same Idempotency-Key; it will be done at most once'
    : `Look ${record} up first, and send it again only if it is not there`
  return isUnknown ? outcomeUnknown(error.cause, nextStep) : outcomeUnknown(error, nextStep, UNSAVED)
}
