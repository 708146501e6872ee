import { invalid } from '../../../core/errors.ts'
import { isDay } from '../../../core/time.ts'
import { windowOf } from '../../../core/window.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { clockOfFilter } from '../../workspace/outlets/index.ts'
import type { Movement, MovementQuery } from './schema.ts'
import * as store from './store.ts'

/**
 * The ledger newest first, one row more than asked for, perhaps only of one type or time (B-stock-10). A type is looked for
 * within a time: 422 `from`.
 */
export async function listMovements(db: Db, scope: Scope, query: MovementQuery): Promise<Movement[]> {
  const { from, to, ...filter } = query
  const isNarrowed = from !== undefined || to !== undefined
  if (filter.type !== undefined && !isNarrowed)
    throw invalid('from', 'Say when as well: a type of movement is looked for between from and to')
  const hasDay = isDay(from ?? '') || isDay(to ?? '')
  const timezone = hasDay ? await clockOfFilter(db, scope, filter.outletId) : 'UTC'
  const window = isNarrowed ? windowOf({ from, to }, { now: scope.now, timezone }) : null
  return store.listMovements(db, scope, { ...filter, window }, filter.limit)
}
