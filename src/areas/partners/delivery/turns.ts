import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../../core/errors.ts'

/** Who asks the partner has so long, its ten seconds and some of ours; then it is anybody's turn (B-delivery-4). */
export const CLAIM_MS = 20_000
/** Who finds somebody else asking waits so long for the outcome. */
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
    'The fulfillment partner is still being asked about this shipment; send the request again with the same Idempotency-Key',
  )
}

/** What has not been decided by an answer that is none: the same question may have been answered before. */
export const isUndecided = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status >= 500 ||
  error.code === 'IDEMPOTENCY_KEY_IN_USE' ||
  error.code === 'RATE_LIMITED'
