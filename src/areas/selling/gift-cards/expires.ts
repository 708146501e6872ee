import { addMs } from '../../../core/time.ts'
import type { Expires } from '../../../platform/jobs/sweep.ts'

/** Attempts with unknown codes are stored longer than the window that counts them (B-card-4). */
const COUNTED_MS = 60 * 60_000

/** Movements that a person has to settle are stored for a year. Every attempt renews the time of other movements. */
const GIVEN_UP_MS = 400 * 24 * 3_600_000

export const giftCardExpires: readonly Expires[] = [
  {
    table: 'giftCardMisses',
    key: ['account_id', 'actor_id', 'id'],
    column: 'missed_at',
    before: (now) => addMs(now, -COUNTED_MS),
  },
  {
    table: 'giftCardMoves',
    key: ['account_id', 'id'],
    column: 'updated_at',
    before: (now) => addMs(now, -GIVEN_UP_MS),
    only: "state in ('REFUSED', 'EXPIRED')",
  },
]
