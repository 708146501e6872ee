import { serverNow } from '../../offline/clock.ts'
import type { SaleAttempt } from '../../selling/sale-attempt.ts'

/** The service knows an Idempotency-Key for 24 hours (B-key-3). */
const KEPT_MS = 23 * 3_600_000

/** Whether a retry could make a second sale. A bill that was changed or paid is safe: the service refuses it the second time. */
export const isExpired = ({ steps: [step], begunAt = '' }: SaleAttempt): boolean =>
  step?.kind === 'create' && !(Date.parse(serverNow()) - Date.parse(begunAt) < KEPT_MS)
