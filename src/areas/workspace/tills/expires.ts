import { addMs } from '../../../core/time.ts'
import type { Expires } from '../../../platform/jobs/sweep.ts'

/** Revoked tills: kept a quarter, so that the records of their last days still lead somewhere. */
const REVOKED_MS = 90 * 24 * 3_600_000

export const tillExpires: readonly Expires[] = [
  { table: 'approvals', key: ['account_id', 'id'], column: 'expires_at', before: (now) => now },
  {
    table: 'tills',
    key: ['account_id', 'id'],
    column: 'revoked_at',
    before: (now) => addMs(now, -REVOKED_MS),
    only: 'revoked_at is not null',
  },
]
