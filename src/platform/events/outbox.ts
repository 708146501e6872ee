import type { DataOf, EventType } from '../../core/events.ts'
import { newId } from '../../core/ids.ts'
import { isSharded, namedWrite, type Tx, together } from '../db/open.ts'
import { writeStatement } from '../db/statement.ts'
import { readEdge } from '../log/edge.ts'
import type { Scope } from '../scope.ts'
import { queueDeliveries } from '../webhooks/fan-out.ts'
import { actorOf } from './actor.ts'
import { insertEvents } from './store.ts'

export type EventRow = { id: string; type: string; refId: string; body: string }

/** The body as it will be sent: a snapshot written together with the change (B-event-1). */
export function eventRow<E extends EventType>(
  scope: Scope,
  { name: type }: E,
  refId: string,
  data: DataOf<E>,
  id: string = newId('event'),
): EventRow {
  return {
    id,
    type,
    refId,
    body: JSON.stringify({ id, type, timestamp: scope.now, accountId: scope.accountId, data }),
  }
}

/** The same body, split at the resource, for a statement that fills in the last values of the resource itself. */
export function eventFrame<E extends EventType>(
  scope: Scope,
  { name: type }: E,
  key: keyof DataOf<E> & string,
) {
  const id = newId('event')
  const head = JSON.stringify({ id, type, timestamp: scope.now, accountId: scope.accountId })
  return { id, type, prefix: `${head.slice(0, -1)},"data":{"${key}":`, suffix: '}}' }
}

/**
 * The actor and origin of the writes under this scope: the audit log stores it with each event, webhooks never
 * include it.
 */
export const causeOf = (scope: Scope, actor: ReturnType<typeof actorOf> | null = actorOf(scope)): string =>
  JSON.stringify({
    actor,
    requestId: scope.requestId,
    address: scope.address,
  })

const EMIT = writeStatement(
  'outbox_emit',
  `with written as (
    insert into events (account_id, id, type, ref_id, body, cause, created_at)
    select $1::text, x.id, x.type, x.ref_id, x.body, $7::text, $2::timestamptz
    from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as x (id, type, ref_id, body)
    returning id, type
  ) ${queueDeliveries('written', '$1::text', '$2::timestamptz')}`,
)

/**
 * The same as a separate statement, for a sharded database, where no statement can read the rows it writes.
 */
const QUEUE = writeStatement(
  'outbox_queue',
  queueDeliveries(
    '(select e.account_id, e.id, e.type from events e where e.account_id = $1 and e.id = any($3::text[]))',
    'w.account_id',
    '$2::timestamptz',
  ),
)

/**
 * Writes events and their queued deliveries in the transaction of the change, so they commit or roll back with it.
 * Queues no deliveries if the caller has proved that no webhook follows the workspace (`isFollowed`). The writes are
 * sent, but not awaited.
 */
export function sendRows(
  tx: Tx,
  scope: Scope,
  rows: readonly EventRow[],
  { cause = causeOf(scope), isFollowed = true }: { cause?: string; isFollowed?: boolean } = {},
): readonly Promise<unknown>[] {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  if (isSharded(tx))
    return [
      insertEvents(tx, scope, rows, cause),
      ...(isFollowed ? [namedWrite(tx, QUEUE, [scope.accountId, scope.now, ids])] : []),
    ]
  return [
    namedWrite(tx, EMIT, [
      scope.accountId,
      scope.now,
      ids,
      rows.map((row) => row.type),
      rows.map((row) => row.refId),
      rows.map((row) => row.body),
      cause,
    ]),
  ]
}

/** The same, but awaits the writes. */
export async function emitRows(...asked: Parameters<typeof sendRows>) {
  await together(sendRows(...asked))
}

export const emit = <E extends EventType>(tx: Tx, scope: Scope, type: E, refId: string, data: DataOf<E>) =>
  emitRows(tx, scope, [eventRow(scope, type, refId, data)])

/** The same for an unauthenticated action: the audit log shows the request and the address, but no actor. */
export const emitUnproven = <E extends EventType>(
  tx: Tx,
  scope: Scope,
  type: E,
  refId: string,
  data: DataOf<E>,
) => emitRows(tx, scope, [eventRow(scope, type, refId, data)], { cause: causeOf(scope, null) })

const REWRITE = writeStatement(
  'events_rewrite',
  `update events e set body = r.body from unnest($2::text[], $3::text[]) as r(id, body)
    where e.account_id = $1 and e.id = r.id`,
)

/**
 * Replaces the stored bodies of events. Only an erasure may do so: an erased customer appears in no event
 * (B-customer-2).
 */
export async function rewriteBodies(tx: Tx, scope: Scope, rows: readonly Pick<EventRow, 'id' | 'body'>[]) {
  if (rows.length === 0) return
  const columns = [rows.map(({ id }) => id), rows.map(({ body }) => body)]
  await namedWrite(tx, REWRITE, [scope.accountId, ...columns])
}

const FORGET_TRANSACTIONS = writeStatement(
  'events_forget_transactions',
  `update events e set tx = '0' where e.account_id = $1 and e.id in (
      select v.id from events v where v.account_id = $1 and v.tx >= $2::text::xid8 limit 10000)
    returning e.id`,
)

/**
 * Clears the transaction numbers of events that were written in another cluster and restored into this one. Those
 * numbers are ahead of this cluster's, so no reader would ever pass them. Works in portions; returns whether it found
 * any.
 */
export async function dropTransactions(tx: Tx, { accountId }: Pick<Scope, 'accountId'>): Promise<boolean> {
  const { xmax } = await readEdge(tx)
  return (await namedWrite(tx, FORGET_TRANSACTIONS, [accountId, xmax])).length > 0
}
