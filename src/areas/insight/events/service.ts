import type { Static } from 'typebox'
import { type Page, pageOf } from '../../../core/cursor.ts'
import { malformed } from '../../../core/errors.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { EventActor } from '../../../platform/event-actor.ts'
import type { Scope } from '../../../platform/scope.ts'
import { decodePosition, encodePosition } from './cursor.ts'
import type { EventQuery, LogEvent } from './schema.ts'
import * as store from './store.ts'

type Cause = {
  actor: Static<typeof EventActor> | null
  requestId: string | null
  address: string | null
}
const UNKNOWN: Cause = { actor: null, requestId: null, address: null }

/** Rows as the log shows them, with the names that their members have at this moment. */
async function shownOf(db: Db, scope: Scope, rows: readonly store.Row[]): Promise<LogEvent[]> {
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

/** The log of the workspace, back from the newest event or on from where a follower stopped. */
export async function listEvents(db: Db, scope: Scope, query: EventQuery): Promise<Page<LogEvent>> {
  if (query.order === 'oldest') return follow(db, scope, query)
  if (query.since !== undefined) throw malformed('since', 'since needs order=oldest')
  const page = pageOf(await store.listNewest(db, scope, query), query.limit)
  return { ...page, items: await shownOf(db, scope, page.items) }
}

/**
 * Events in an order in which none can appear before one that was answered: a cursor loses nothing, whatever was committed
 * late. It is answered always, so that an empty answer is a place to go on from too.
 */
async function follow(db: Db, scope: Scope, query: EventQuery): Promise<Page<LogEvent>> {
  const { cursor, limit, ...filters } = query
  const after = cursor === undefined ? { tx: '0', id: '' } : decodePosition(cursor)
  const { rows, horizon } = await store.listOldest(db, scope, after, { ...filters, limit })
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit
  // Behind the last event, or behind all that was looked at when a filter left nothing.
  const seen = BigInt(horizon) > BigInt(after.tx) ? { tx: horizon, id: LAST_ID } : after
  const position = hasMore && last ? { tx: last.tx, id: last.id } : seen
  return { items: await shownOf(db, scope, items), hasMore, cursor: encodePosition(position) }
}

/** Sorts behind every id of a transaction. */
const LAST_ID = `evt_${'Z'.repeat(26)}`
