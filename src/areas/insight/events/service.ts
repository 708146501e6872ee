import type { Static } from 'typebox'
import { type Page, pageOf } from '../../../core/cursor.ts'
import { malformed } from '../../../core/errors.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { EventActor } from '../../../platform/http/actor.ts'
import type { Scope } from '../../../platform/scope.ts'
import { decodePosition, encodePosition, unknownPosition } from './cursor.ts'
import type { EventQuery, LogEvent } from './schema.ts'
import * as store from './store.ts'

type Cause = {
  actor: Static<typeof EventActor> | null
  requestId: string | null
  address: string | null
}
const UNKNOWN: Cause = { actor: null, requestId: null, address: null }

/** Converts rows to log entries with the current names of members. */
async function toLogEvents(db: Db, scope: Scope, rows: readonly store.EventLogRow[]): Promise<LogEvent[]> {
  const causes = rows.map(({ cause }) => (cause === null ? UNKNOWN : (JSON.parse(cause) as Cause)))
  const members = causes.flatMap(({ actor }) => (actor?.kind === 'member' ? [actor.id] : []))
  const names = await store.namesOf(db, scope, [...new Set(members)])
  return rows.map(({ id, type, refId, createdAt, body }, i) => {
    const { actor, ...circumstances } = causes[i] ?? UNKNOWN
    const name = actor?.kind === 'member' ? names.get(actor.id) : actor?.name
    return {
      id,
      type,
      createdAt,
      resourceId: refId,
      ...circumstances,
      actor: actor && { ...actor, name: name ?? null },
      data: (JSON.parse(body) as { data: unknown }).data,
    }
  })
}

/** Reads the log of the workspace: back from the newest event, or onwards from a position. */
export async function listEvents(db: Db, scope: Scope, query: EventQuery): Promise<Page<LogEvent>> {
  if (query.order === 'oldest') return readNewEvents(db, scope, query)
  if (query.since !== undefined) throw malformed('since', 'since needs order=oldest')
  const page = pageOf(await store.listNewest(db, scope, query), query.limit)
  return { ...page, items: await toLogEvents(db, scope, page.items) }
}

/**
 * Reads events in an order in which no event can later appear before a returned one. A cursor therefore misses
 * nothing, even if an event is committed late. Always returns a cursor, so that a client can continue after an empty
 * answer.
 */
async function readNewEvents(db: Db, scope: Scope, query: EventQuery): Promise<Page<LogEvent>> {
  const { cursor, limit, ...filters } = query
  const after = cursor === undefined ? { tx: '0', id: '', cluster: null } : decodePosition(cursor)
  const { rows, horizon, next, cluster } = await store.listOldest(db, scope, after, { ...filters, limit })
  // The cursor is of another database, such as the one that a backup was taken of: new events come before it.
  const isForeign = after.cluster !== null && after.cluster !== cluster
  if (isForeign || BigInt(after.tx) >= BigInt(next)) throw unknownPosition()
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit
  // The position is after the last event, or after the whole searched range if the filter matched nothing.
  const seen = BigInt(horizon) > BigInt(after.tx) ? { tx: horizon, id: LAST_ID } : after
  const position = hasMore && last ? { tx: last.tx, id: last.id } : seen
  return {
    items: await toLogEvents(db, scope, items),
    hasMore,
    cursor: encodePosition({ ...position, cluster }),
  }
}

/** Sorts after every event id of a transaction. */
const LAST_ID = `evt_${'Z'.repeat(26)}`
