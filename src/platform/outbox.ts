import type { DataOf, EventType } from '../core/events.ts'
import { newId } from '../core/ids.ts'
import { isSharded, namedWrite, type Tx, together } from './db/open.ts'
import { writeStatement } from './db/statement.ts'
import { actorOf } from './event-actor.ts'
import { readEdge } from './log-edge.ts'
import type { Scope } from './scope.ts'
import { insertEvents } from './store-events.ts'
import { queueDeliveries } from './webhooks/fan-out.ts'

export type EventRow = { id: string; type: string; refId: string; body: string }

/** The body as it will be sent: a snapshot written with the change itself (B-event-1). */
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

/**
 * The same body cut open where the resource goes, for a statement that learns the last facts of the resource itself.
 */
export function eventFrame<E extends EventType>(
  scope: Scope,
  { name: type }: E,
  key: keyof DataOf<E> & string,
) {
  const id = newId('event')
  const head = JSON.stringify({ id, type, timestamp: scope.now, accountId: scope.accountId })
  return { id, type, prefix: `${head.slice(0, -1)},"data":{"${key}":`, suffix: '}}' }
}

/** Who causes what is written under this scope, and from where: the log keeps it beside each event, webhooks get none of it. */
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

/** The same for rows that were just written: spread over workers, a statement cannot read what it writes. */
const QUEUE = writeStatement(
  'outbox_queue',
  queueDeliveries(
    '(select e.account_id, e.id, e.type from events e where e.account_id = $1 and e.id = any($3::text[]))',
    'w.account_id',
    '$2::timestamptz',
  ),
)

/**
 * Writes events in the transaction of the change, and what is to be delivered of them: they exist exactly when it does. Where
 * the caller has proved that nobody follows the workspace (`isFollowed`), nothing is. All that is to be sent has been sent.
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

/** The same, once it is done. */
export async function emitRows(...asked: Parameters<typeof sendRows>) {
  await together(sendRows(...asked))
}

export const emit = <E extends EventType>(tx: Tx, scope: Scope, type: E, refId: string, data: DataOf<E>) =>
  emitRows(tx, scope, [eventRow(scope, type, refId, data)])

/** The same for what somebody did who proved to be nobody: the log shows request and address, and no actor. */
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
 * Replaces the bodies that events were written with. Only an erasure may: an erased customer appears in no event
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
 * Takes the numbers of transactions off events that were written in another cluster and restored into this one: they are
 * ahead of all that ran here, so nobody would ever get past them. Some at a time; answers whether there were any.
 */
export async function forgetTransactions(tx: Tx, { accountId }: Pick<Scope, 'accountId'>): Promise<boolean> {
  const { xmax } = await readEdge(tx)
  return (await namedWrite(tx, FORGET_TRANSACTIONS, [accountId, xmax])).length > 0
}
