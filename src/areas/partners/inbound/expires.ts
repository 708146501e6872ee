import { addMs } from '../../../core/time.ts'
import type { Expires } from '../../../platform/jobs/sweep.ts'

/** Partners stop their retries earlier (B-notice-2). */
const REMEMBERED_MS = 30 * 24 * 3_600_000

export const noticeExpires: readonly Expires[] = [
  {
    table: 'partnerNotices',
    key: ['account_id', 'partner', 'notice_id'],
    column: 'received_at',
    before: (now) => addMs(now, -REMEMBERED_MS),
  },
]
