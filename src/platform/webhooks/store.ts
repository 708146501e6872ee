import { type Expression, sql } from 'kysely'
import { type Cursor, decodeCursor } from '../../core/cursor.ts'
import type { Db, Tx } from '../db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../db/own-rows.ts'
import { walk } from '../db/walk.ts'
import { word } from '../db/word.ts'
import type { Scope } from '../scope.ts'
import type { LoggedAttempt } from './attempt-log.ts'

const SUBSCRIPTION = [
  'id',
  'url',
  'events',
  'status',
  'failureStreak',
  'disabledReason',
  'secretLast4',
  'createdAt',
  'updatedAt',
] as const

const selectSubscriptions = (db: Db, scope: Scope) =>
  ownRows(db, scope, 'webhookSubscriptions').select(SUBSCRIPTION).where('status', '<>', 'deleted')

export const list = (db: Db, scope: Scope) => selectSubscriptions(db, scope).orderBy('id', 'desc').execute()

/** Counts subscriptions that are not deleted, for the plan's limit. */
export async function countLive(tx: Tx, scope: Scope): Promise<number> {
  const { n } = await ownRows(tx, scope, 'webhookSubscriptions')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('status', '<>', 'deleted')
    .executeTakeFirstOrThrow()
  return n
}

export const find = (db: Db, scope: Scope, id: string) =>
  selectSubscriptions(db, scope).where('id', '=', id).executeTakeFirst()

/** Locks the endpoint until the transaction ends; the recording of attempts at it waits. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  selectSubscriptions(tx, scope)
    .select('awaitsMember')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export async function insert(
  tx: Tx,
  scope: Scope,
  id: string,
  input: {
    url: string
    events: string[]
    status: 'active' | 'paused'
    awaitsMember: boolean
    secret: string
    secretLast4: string
  },
) {
  const row = { ...input, id, failureStreak: 0 }
  await insertOwn(tx, scope, 'webhookSubscriptions', {
    ...row,
    createdAt: scope.now,
    updatedAt: scope.now,
  }).execute()
}

type Change = Partial<{
  url: string
  events: string[]
  status: 'active' | 'paused' | 'deleted'
  awaitsMember: boolean
  failureStreak: 0
  failingSince: null
  disabledReason: null
}>

export const update = (tx: Tx, scope: Scope, id: string, change: Change) =>
  updateOwn(tx, scope, 'webhookSubscriptions')
    .set({ ...change, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

/** Fails the queued deliveries of an endpoint that is off. Call it with the endpoint locked. */
export const failQueued = (tx: Tx, scope: Scope, subscriptionId: string) =>
  updateOwn(tx, scope, 'webhookDeliveries')
    .set({ status: 'failed', dueAt: null, updatedAt: scope.now })
    .where('subscriptionId', '=', subscriptionId)
    .where('status', '=', 'pending')
    .execute()

const DELIVERY = [
  'd.id',
  'd.subscriptionId',
  'd.eventId',
  'd.type',
  'd.status',
  'd.attempts',
  'd.dueAt as nextAttemptAt',
  'd.lastStatusCode',
  'd.createdAt',
  'd.updatedAt',
] as const

const deliveries = (db: Db, { accountId }: Scope) =>
  db.selectFrom('webhookDeliveries as d').where('d.accountId', '=', accountId)

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const

export type DeliveryFilter = {
  subscriptionId?: string | undefined
  status?: (typeof DELIVERY_STATUSES)[number] | undefined
  type?: string | undefined
  cursor?: string | undefined
  limit: number
}

/**
 * Newest first: a delivery's id contains the time of its event. With several filters it walks the index of the most
 * selective one: failed or pending status, then the endpoint.
 */
export function listDeliveries(db: Db, scope: Scope, query: DeliveryFilter) {
  const filters = {
    status: query.status && word(query.status, DELIVERY_STATUSES),
    subscriptionId: query.subscriptionId && sql.val(query.subscriptionId),
    type: query.type && sql.val(query.type),
  }
  const ranks =
    query.status === 'succeeded'
      ? (['subscriptionId', 'type', 'status'] as const)
      : (['status', 'subscriptionId', 'type'] as const)
  const [first, ...others] = ranks.filter((name) => filters[name])
  const { where, order } = walk({
    by: first === undefined ? [] : [[`d.${first}`, filters[first] as Expression<string>]],
    id: 'd.id',
    from: null,
    before: query.cursor === undefined ? null : sql.val(decodeCursor(query.cursor, 'webhookDelivery').id),
  })
  let rows = deliveries(db, scope).select(DELIVERY).where(where)
  for (const name of others) rows = rows.where(sql<boolean>`${sql.ref(`d.${name}`)} = ${filters[name]}`)
  return rows
    .orderBy(order)
    .limit(query.limit + 1)
    .execute() satisfies Promise<Cursor[]>
}

export const findDelivery = (db: Db, scope: Scope, id: string) =>
  deliveries(db, scope).select(DELIVERY).where('d.id', '=', id).executeTakeFirst()

export async function findDetail(db: Db, scope: Scope, id: string) {
  const row = await deliveries(db, scope)
    .leftJoin('events as e', (join) =>
      join.on('e.accountId', '=', scope.accountId).onRef('e.id', '=', 'd.eventId'),
    )
    .select([...DELIVERY, 'e.body', 'd.attemptLog'])
    .where('d.id', '=', id)
    .executeTakeFirst()
  return row && { ...row, attemptLog: row.attemptLog as LoggedAttempt[] }
}

/** Queues a manual attempt. Returns undefined if an attempt is already queued. */
export const queueByHand = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'webhookDeliveries')
    .set({ status: 'pending', byHand: true, dueAt: scope.now, updatedAt: scope.now })
    .where('id', '=', id)
    .where('status', '<>', 'pending')
    .returning('id')
    .executeTakeFirst()
