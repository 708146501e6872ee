import { type Page, pageOf } from '../../../core/cursor.ts'
import { ApiError, invalid, notFound } from '../../../core/errors.ts'
import { instantOfId, newId } from '../../../core/ids.ts'
import { nearest } from '../../../core/suggest.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import type { Scope } from '../../../platform/scope.ts'
import { newSigningSecret, secretLocation } from '../../../platform/webhooks/signature.ts'
import * as store from '../../../platform/webhooks/store.ts'
import { notifyEndpointChanged } from '../../workspace/notices/index.ts'
import { endpointChanged, endpointCreated, endpointDeleted } from './events.ts'
import type {
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  Subscription,
  SubscriptionIn,
  SubscriptionPatch,
} from './schema.ts'

/** These routes resolve names, so they have no database connection outside of a transaction. */
type Tools = Omit<Deps, 'db' | 'pool'>
type SubscriptionListRow = Awaited<ReturnType<typeof store.list>>[number]

const toSubscription = ({ status, ...row }: SubscriptionListRow): Subscription => ({
  ...row,
  status: status as Subscription['status'],
  active: status === 'active',
})

export async function listSubscriptions(db: Db, scope: Scope): Promise<Subscription[]> {
  return (await store.list(db, scope)).map(toSubscription)
}

export async function getSubscription(db: Db, scope: Scope, id: string): Promise<Subscription> {
  const row = await store.find(db, scope, id)
  if (!row) throw notFound('webhook subscription')
  return toSubscription(row)
}

/** Throws 422 with param `events[i]` for an unknown type (B-webhook-1). Returns each type once, in the order sent. */
export function requireKnownEvents(events: readonly string[], known: readonly string[]): string[] {
  for (const [i, type] of events.entries()) {
    if (known.includes(type)) continue
    const near = nearest(type, known)
    const hint = near === null ? 'GET /webhook-subscriptions/event-types lists them' : `did you mean ${near}?`
    throw invalid(`events[${i}]`, `No event has the type "${type}"; ${hint}`)
  }
  return [...new Set(events)]
}

/**
 * Creates an endpoint; only this answer has its secret. The caller has checked the URL outside of the transaction. An
 * endpoint by an assistant is paused until a member activates it, and the owners receive a mail (B-delegate-7).
 * Throws 403 LIMIT_REACHED with param `webhookSubscriptions` above the cap of the plan.
 */
export async function createSubscription(
  deps: Tools,
  tx: Tx,
  scope: Scope,
  { url, events }: Required<SubscriptionIn>,
): Promise<{ subscription: Subscription; secret: string }> {
  await requireUnderCap(tx, scope, { cap: 'webhookSubscriptions', countLive: store.countLive })
  const id = newId('webhookSubscription')
  const secret = newSigningSecret()
  const sealed = deps.secrets.seal(secret, secretLocation(scope.accountId, id))
  const awaitsMember = scope.actor.delegation !== undefined
  await store.insert(tx, scope, id, {
    url,
    events,
    status: awaitsMember ? 'paused' : 'active',
    awaitsMember,
    secret: sealed,
    secretLast4: secret.slice(-4),
  })
  if (awaitsMember) await notifyEndpointChanged(deps, tx, scope, url)
  const subscription = await getSubscription(tx, scope, id)
  await emit(tx, scope, endpointCreated, id, { subscription })
  return { subscription, secret }
}

/**
 * Changes an endpoint. Pausing fails the queued deliveries; activating resets the failures, whatever switched the
 * endpoint off (B-webhook-6). A new address by an assistant pauses the endpoint and notifies the owners. Throws 403
 * if an assistant activates such an endpoint (B-delegate-7).
 */
export async function updateSubscription(
  deps: Tools,
  tx: Tx,
  scope: Scope,
  { id, change: { active, ...patch } }: { id: string; change: SubscriptionPatch },
): Promise<Subscription> {
  const row = await store.lock(tx, scope, id)
  if (!row) throw notFound('webhook subscription')
  const isDelegate = scope.actor.delegation !== undefined
  const isRedirected = isDelegate && patch.url !== undefined && patch.url !== row.url
  if (active === true && isDelegate && (isRedirected || row.awaitsMember)) throw awaitsMemberError()
  if (isRedirected) {
    await store.update(tx, scope, id, { ...patch, ...FORGOTTEN, status: 'paused', awaitsMember: true })
    await store.failQueued(tx, scope, id)
    await notifyEndpointChanged(deps, tx, scope, patch.url ?? row.url)
  } else if (active === true && row.status !== 'active') {
    await store.update(tx, scope, id, { ...patch, ...FORGOTTEN, status: 'active', awaitsMember: false })
  } else if (active === false && row.status === 'active') {
    await store.update(tx, scope, id, { ...patch, status: 'paused' })
    await store.failQueued(tx, scope, id)
  } else if (Object.keys(patch).length > 0) {
    await store.update(tx, scope, id, patch)
  }
  const subscription = await getSubscription(tx, scope, id)
  if (toComparable(subscription) !== toComparable(row))
    await emit(tx, scope, endpointChanged, id, { subscription })
  return subscription
}

const FORGOTTEN = { failureStreak: 0, failingSince: null, disabledReason: null } as const

const awaitsMemberError = () =>
  new ApiError('FORBIDDEN', 'An assistant chose this address, so a member must activate the endpoint', {
    param: 'active',
  })

/** The fields that a person decides, in a comparable form. */
const toComparable = ({ url, events, status }: Pick<SubscriptionListRow, 'url' | 'events' | 'status'>) =>
  JSON.stringify([url, events, status])

/** Removes an endpoint. The log of its deliveries stays readable. */
export async function deleteSubscription(tx: Tx, scope: Scope, id: string) {
  if (!(await store.lock(tx, scope, id))) throw notFound('webhook subscription')
  const subscription = await getSubscription(tx, scope, id)
  await emit(tx, scope, endpointDeleted, id, { subscription })
  await store.update(tx, scope, id, { ...FORGOTTEN, status: 'deleted' })
  await store.failQueued(tx, scope, id)
  return { id, deleted: true as const }
}

/**
 * Uses the instant in the id as time of creation, because lists are sorted by id. The row has the start of its
 * request, some milliseconds earlier.
 */
function deliveryView<T extends { id: string; createdAt: string; updatedAt: string }>(row: T): T {
  const createdAt = instantOfId(row.id)
  return { ...row, createdAt, updatedAt: row.updatedAt < createdAt ? createdAt : row.updatedAt }
}

export async function listDeliveries(db: Db, scope: Scope, query: DeliveryQuery): Promise<Page<Delivery>> {
  return pageOf((await store.listDeliveries(db, scope, query)).map(deliveryView), query.limit)
}

export async function getDelivery(db: Db, scope: Scope, id: string): Promise<DeliveryDetail> {
  const row = await store.findDetail(db, scope, id)
  if (!row) throw notFound('webhook delivery')
  return deliveryView(row)
}

/**
 * Queues exactly one more attempt, also after a success; no retry follows its failure (B-webhook-7). Throws 409
 * ALREADY_QUEUED while an attempt is queued, and 409 ENDPOINT_DISABLED if the endpoint is paused, switched off or
 * deleted.
 */
export async function retryDelivery(tx: Tx, scope: Scope, id: string): Promise<Delivery> {
  const before = await store.findDelivery(tx, scope, id)
  if (!before) throw notFound('webhook delivery')
  const endpoint = await store.lock(tx, scope, before.subscriptionId)
  if (endpoint?.status !== 'active') {
    throw new ApiError(
      'ENDPOINT_DISABLED',
      'The endpoint is off; switch it on with PATCH { "active": true } first',
    )
  }
  if (!(await store.queueByHand(tx, scope, id))) {
    throw new ApiError('ALREADY_QUEUED', 'This delivery is already queued; wait for its attempt')
  }
  return deliveryView((await store.findDelivery(tx, scope, id)) as Delivery)
}
