import { Type } from 'typebox'
import { event } from '../../core/events.ts'
import type { Tx } from '../db/open.ts'
import { actorOf } from '../events/actor.ts'
import { emit } from '../events/outbox.ts'
import type { Scope } from '../scope.ts'
import { EventActor } from './actor.ts'
import type { Route } from './route.ts'
import { Id } from './shapes.ts'

/** Maximum number of ids in an audit event, which must stay small enough to deliver. */
const MOST_RECORDS = 20

export const delegateWrote = event('audit.delegate.wrote.v1', {
  group: 'delegation',
  meaning: 'An assistant made a change on behalf of a member.',
  data: Type.Object({
    actor: EventActor,
    operation: Type.String({ description: 'The name of the route' }),
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    requestId: Type.String(),
    records: Type.Array(Id, { description: `The ids that it answered, ${MOST_RECORDS} at most` }),
  }),
})

/**
 * Writes the audit event of an assistant's write in the same transaction (B-delegate-5). Does nothing for any other
 * actor.
 */
export async function auditDelegateWrite(
  tx: Tx,
  scope: Scope,
  { row, path, status, value }: { row: Route; path: string; status: number; value: unknown },
) {
  const { delegation } = scope.actor
  if (delegation === undefined) return
  await emit(tx, scope, delegateWrote, delegation.id, {
    actor: actorOf(scope),
    operation: row.name,
    method: row.method,
    path,
    status,
    requestId: scope.requestId,
    records: idsIn(value),
  })
}

const idOf = (record: unknown): string[] => {
  const { id } = (record ?? {}) as { id?: unknown }
  return typeof id === 'string' ? [id] : []
}
/** The ids in a response: of the record itself, of records under its keys, and of rows in its lists. */
const idsIn = (value: unknown): string[] =>
  [value, ...Object.values(value ?? {}).flat()].flatMap(idOf).slice(0, MOST_RECORDS)

/**
 * The response for an assistant: without the fields that the row hides, also when it replays a response to a caller
 * who may see them (B-delegate-4).
 */
export function withoutHidden({ secret }: Route, { actor }: Scope, data: string): string {
  const hiddenFromDelegates = secret?.hiddenFromDelegates ?? []
  if (actor.delegation === undefined || hiddenFromDelegates.length === 0) return data
  const shown = Object.entries(JSON.parse(data) as object).filter(
    ([key]) => !hiddenFromDelegates.includes(key),
  )
  return JSON.stringify(Object.fromEntries(shown))
}
