import { addMs } from '../../../core/time.ts'
import type { Expires } from '../../../platform/jobs/sweep.ts'

const DAY_MS = 24 * 3_600_000
/** Print jobs (B-keep-1): long enough to see what a printer did last week. */
const JOBS_MS = 30 * DAY_MS
/** Openings of a drawer are kept as long as the audit log. */
const KICKS_MS = 400 * DAY_MS

export const printerExpires: readonly Expires[] = [
  {
    table: 'printJobs',
    key: ['account_id', 'id'],
    column: 'created_at',
    before: (now) => addMs(now, -JOBS_MS),
  },
  {
    table: 'drawerKicks',
    key: ['account_id', 'id'],
    column: 'created_at',
    before: (now) => addMs(now, -KICKS_MS),
  },
]
