import { invalid } from '../../../core/errors.ts'
import { isDay } from '../../../core/time.ts'
import { windowOf } from '../../../core/window.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { clockOfFilter } from '../../workspace/outlets/index.ts'
import type { Movement, MovementQuery } from './schema.ts'
import * as store from './store.ts'

/**
 * Lists the ledger, newest first, with one row more than the page. `type` and a time range filter it (B-stock-10).
 * Throws 422 `from` for a type without a time range.
 */
export async function listMovements(db: Db, scope: Scope, query: MovementQuery): Promise<Movement[]> {
  const { from, to, ...filter } = query
  const isNarrowed = from !== undefined || to !== undefined
  if (filter.type !== undefined && !isNarrowed)
    throw invalid('from', 'Send from or to as well: the filter by type needs a time range')
  const hasDay = isDay(from ?? '') || isDay(to ?? '')
  const timezone = hasDay ? await clockOfFilter(db, scope, filter.outletId) : 'UTC'
  const window = isNarrowed ? windowOf({ from, to }, { now: scope.now, timezone }) : null
  return store.listMovements(db, scope, { ...filter, window }, filter.limit)
}
