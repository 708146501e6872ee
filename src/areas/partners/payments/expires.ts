import { addMs } from '../../../core/time.ts'
import type { Expires } from '../../../platform/sweep.ts'

/** Long after the last notice that can come of a session (B-notice-2); what it paid stays with the sale. */
const KEPT_MS = 90 * 24 * 3_600_000

export const sessionExpires: readonly Expires[] = [
  {
    table: 'paymentSessions',
    key: ['account_id', 'id'],
    column: 'expires_at',
    before: (now) => addMs(now, -KEPT_MS),
  },
]
