import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../../core/errors.ts'

/**
 * A claim lasts this long: the partner's timeout of ten seconds and some seconds of our own. Then any process can
 * take over (B-delivery-4).
 */
export const CLAIM_MS = 20_000
/** A request waits this long for the outcome of a concurrent one. */
const PATIENCE_MS = 15_000
const FIRST_LOOK_MS = 40
const LAST_LOOK_MS = 500

export async function waitUntil(isOver: () => Promise<boolean>): Promise<void> {
  for (
    let waited = 0, pause = FIRST_LOOK_MS;
    waited < PATIENCE_MS;
    pause = Math.min(LAST_LOOK_MS, pause * 2)
  ) {
    await sleep(pause)
    waited += pause
    if (await isOver()) return
  }
  throw new ApiError(
    'PARTNER_TIMEOUT',
    'Another request for this shipment is still running. Send the request again with the same Idempotency-Key',
  )
}

/**
 * Returns true if the outcome is unknown: the partner gave no usable answer, or it may have answered the same request
 * before.
 */
export const isUndecided = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status >= 500 ||
  error.code === 'IDEMPOTENCY_KEY_IN_USE' ||
  error.code === 'RATE_LIMITED'
