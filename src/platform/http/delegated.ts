import { Type } from 'typebox'
import { event } from '../../core/events.ts'
import type { Tx } from '../db/open.ts'
import { actorOf, EventActor } from '../event-actor.ts'
import { emit } from '../outbox.ts'
import type { Scope } from '../scope.ts'
import type { Route } from './route.ts'
import { Id } from './shapes.ts'

/** Ids that an audit event names at most: it must stay small enough to deliver. */
const MOST_RECORDS = 20

export const delegateWrote = event('audit.delegate.wrote.v1', {
  group: 'delegation',
  meaning: 'An assistant changed something in the name of a member.',
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

/** What an assistant did, in the transaction of it (B-delegate-5). Nothing where a person or a program did it. */
export async function tellOfDelegate(
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
/** Of what was answered: the record itself, those under its keys, and the rows of its lists. */
const idsIn = (value: unknown): string[] =>
  [value, ...Object.values(value ?? {}).flat()].flatMap(idOf).slice(0, MOST_RECORDS)

/**
 * An answer as an assistant may have it: without what the row hides, also when the answer is that of an earlier request
 * of somebody who may see it (B-delegate-4).
 */
export function withoutHidden({ hiddenFromDelegates = [] }: Route, { actor }: Scope, data: string): string {
  if (actor.delegation === undefined || hiddenFromDelegates.length === 0) return data
  const shown = Object.entries(JSON.parse(data) as object).filter(
    ([key]) => !hiddenFromDelegates.includes(key),
  )
  return JSON.stringify(Object.fromEntries(shown))
}
