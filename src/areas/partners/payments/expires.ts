import { addMs } from '../../../core/time.ts'
import type { Expires } from '../../../platform/jobs/sweep.ts'

/**
 * Sessions can be read for this long. Notices of refunds may arrive later; the sale keeps the session that paid it
 * (B-payment-9).
 */
const KEPT_MS = 90 * 24 * 3_600_000

export const sessionExpires: readonly Expires[] = [
  {
    table: 'paymentSessions',
    key: ['account_id', 'id'],
    column: 'expires_at',
    before: (now) => addMs(now, -KEPT_MS),
  },
]
