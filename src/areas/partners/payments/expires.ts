import { addMs } from '../../../core/time.ts'
import type { Expires } from '../../../platform/sweep.ts'

/**
 * Long enough for whoever looks after a code. Notices come later than that, of money that is given back: which session paid stays
 * with the sale (B-payment-9).
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
