import { isKasirError } from 'kasir-client'

/** Whether an earlier, different request under the same Idempotency-Key succeeded (B-key-6). */
export const hasEarlierRequestSucceeded = (error: unknown): boolean =>
  isKasirError(error) && error.code === 'IDEMPOTENCY_KEY_IN_USE' && error.details?.['usedAt'] !== undefined

/** Whether the request may have been carried out although no usable answer came. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  !isKasirError(error) || error.status >= 500 || error.status === 408

/** Whether a retry has to keep its Idempotency-Key: the outcome is unknown, or the request may be sent again unchanged. */
export function isUnsettled(error: unknown): boolean {
  if (isOutcomeUnknown(error) || !isKasirError(error)) return true
  if (error.code === 'IDEMPOTENCY_KEY_IN_USE') return !hasEarlierRequestSucceeded(error)
  return error.code === 'RATE_LIMITED' || error.code === 'AUTH_REQUIRED'
}
