import { addMs } from '../../../core/time.ts'
import type { Expires } from '../../../platform/jobs/sweep.ts'

/** Partners stop reporting a payment long before this. The payments of the plan are stored separately and stay. */
const KEPT_MS = 90 * 24 * 3_600_000

export const checkoutExpires: readonly Expires[] = [
  {
    table: 'billingCheckouts',
    key: ['account_id', 'session_id'],
    column: 'expires_at',
    before: (now) => addMs(now, -KEPT_MS),
  },
]
