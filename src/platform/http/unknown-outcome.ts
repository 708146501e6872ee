import { isOutcomeUnknown, outcomeUnknown } from '../db/pg-errors.ts'
import type { Route } from './route.ts'

/**
 * Tells a caller whose write may or may not have been done how to find out (B-unknown-2). Whatever else failed passes
 * as it is.
 */
export function withNextStep(error: unknown, row: Pick<Route, 'area'>, hasKey: boolean): unknown {
  if (!isOutcomeUnknown(error)) return error
  const record = row.area === 'sales' ? 'the sale' : 'the record'
  return outcomeUnknown(
    error.cause,
    hasKey
      ? 'Send it again with the same Idempotency-Key; it will be done at most once'
      : `Look ${record} up first, and send it again only if it is not there`,
  )
}
