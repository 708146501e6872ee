import { decodeCursor } from '../../../core/cursor.ts'
import { firstIdAt } from '../../../core/ids.ts'
import { epochMsOf } from '../../../core/time.ts'
import { type Db, named } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import { behindEdge, readEdge } from '../../../platform/log/edge.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Position } from './cursor.ts'
import { type Filters, listStatement } from './statements.ts'

export type EventLogRow = {
  id: string
  type: string
  refId: string
  createdAt: string
  /** JSON of the actor and origin; null for events older than the column. */
  cause: string | null
  body: string
  tx: string
}

/** Returns the names of current members, by id. */
export async function namesOf(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ownRows(db, scope, 'members').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

type EventQuery = Filters & { limit: number }

const valuesOf = (filters: Filters, names: ReturnType<typeof listStatement>['names']) =>
  names.map((name) =>
    name === 'firstId' ? firstIdAt('event', epochMsOf(filters.since ?? '')) : filters[name],
  )

export function listNewest(
  db: Db,
  { accountId }: Scope,
  filters: EventQuery & { cursor?: string | undefined },
): Promise<EventLogRow[]> {
  const before = filters.cursor === undefined ? null : decodeCursor(filters.cursor, 'event').id
  const { found, names } = listStatement('newest', filters)
  return named<EventLogRow>(db, found, [accountId, before, filters.limit + 1, ...valuesOf(filters, names)])
}

/**
 * Reads the events after a position. `horizon` is the position of the reader if there are none; no transaction has the number
 * `next` yet.
 */
export async function listOldest(
  db: Db,
  { accountId }: Scope,
  after: Position,
  filters: EventQuery,
): Promise<{ rows: EventLogRow[]; horizon: string; next: string; cluster: string }> {
  const { found, names } = listStatement('oldest', filters)
  const edge = await readEdge(db)
  const values = [accountId, after.tx, after.id, filters.limit + 1, edge.xmin, ...valuesOf(filters, names)]
  const rows = await named<EventLogRow>(db, found, values)
  return { rows, horizon: behindEdge(edge), next: edge.xmax, cluster: edge.cluster }
}
