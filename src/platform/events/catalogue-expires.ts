import { addMs } from '../../core/time.ts'
import type { Expires } from '../jobs/sweep.ts'

const DAY_MS = 24 * 3_600_000
/** A till that was away for longer reads the whole catalogue again (B-catalogue-3). */
const STEPS_MS = 30 * DAY_MS
/** Changes stay longer than the versions that lead to them, so no answer misses one. */
const CHANGES_MS = 32 * DAY_MS
/** An offline sale may name a record that was removed long before: its till was away since (B-offline-6). */
const REMOVALS_MS = 400 * DAY_MS
const NAMED_OFFLINE = `('table', 'member', 'modifier')`

export const catalogueExpires: readonly Expires[] = [
  {
    table: 'catalogueSteps',
    key: ['account_id', 'version'],
    column: 'created_at',
    before: (now) => addMs(now, -STEPS_MS),
  },
  {
    table: 'catalogueChanges',
    key: ['account_id', 'type', 'id'],
    column: 'updated_at',
    before: (now) => addMs(now, -CHANGES_MS),
    only: `type not in ${NAMED_OFFLINE}`,
  },
  {
    table: 'catalogueChanges',
    key: ['account_id', 'type', 'id'],
    column: 'updated_at',
    before: (now) => addMs(now, -REMOVALS_MS),
  },
]
