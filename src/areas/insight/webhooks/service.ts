import { type Page, pageOf } from '../../../core/cursor.ts'
import { ApiError, invalid, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { nearest } from '../../../core/suggest.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { newSigningSecret, placeOfSecret } from '../../../platform/webhooks/signature.ts'
import * as store from '../../../platform/webhooks/store.ts'
import { endpointChanged, endpointCreated, endpointDeleted } from './events.ts'
import type {
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  Subscription,
  SubscriptionIn,
  SubscriptionPatch,
} from './schema.ts'

type Row = Awaited<ReturnType<typeof store.list>>[number]

const shown = ({ status, ...row }: Row): Subscription => ({
  ...row,
  status: status as Subscription['status'],
  active: status === 'active',
})

export async function listSubscriptions(db: Db, scope: Scope): Promise<Subscription[]> {
  return (await store.list(db, scope)).map(shown)
}

export async function getSubscription(db: Db, scope: Scope, id: string): Promise<Subscription> {
  const row = await store.find(db, scope, id)
  if (!row) throw notFound('webhook subscription')
  return shown(row)
}

/** 422 with param `events[i]` for a type that no event has (B-webhook-1). Every type once, in the order they were sent. */
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
 * Makes an endpoint; its secret leaves the service here and nowhere else. The URL has been checked by the caller, outside
 * of the transaction. 403 LIMIT_REACHED with param `webhookSubscriptions` past the cap of the plan.
 */
export async function createSubscription(
  { secrets }: Pick<Deps, 'secrets'>,
  tx: Tx,
  scope: Scope,
  { url, events }: Required<SubscriptionIn>,
): Promise<{ subscription: Subscription; secret: string }> {
  await requireUnderCap(tx, scope, 'webhookSubscriptions', store.countLive)
  const id = newId('webhookSubscription')
  const secret = newSigningSecret()
  const sealed = secrets.seal(secret, placeOfSecret(scope.accountId, id))
  await store.insert(tx, scope, id, { url, events, secret: sealed, secretLast4: secret.slice(-4) })
  const subscription = await getSubscription(tx, scope, id)
  await emit(tx, scope, endpointCreated, id, { subscription })
  return { subscription, secret }
}

/** Pausing fails what is queued; switching on forgets the failures, whatever switched it off (B-webhook-6). */
export async function updateSubscription(
  tx: Tx,
  scope: Scope,
  id: string,
  { active, ...patch }: SubscriptionPatch,
): Promise<Subscription> {
  const row = await store.lock(tx, scope, id)
  if (!row) throw notFound('webhook subscription')
  if (active === true && row.status !== 'active') {
    const fresh = { status: 'active', failureStreak: 0, failingSince: null, disabledReason: null } as const
    await store.update(tx, scope, id, { ...patch, ...fresh })
  } else if (active === false && row.status === 'active') {
    await store.update(tx, scope, id, { ...patch, status: 'paused' })
    await store.failQueued(tx, scope, id)
  } else if (Object.keys(patch).length > 0) {
    await store.update(tx, scope, id, patch)
  }
  const subscription = await getSubscription(tx, scope, id)
  if (heldOf(subscription) !== heldOf(row)) await emit(tx, scope, endpointChanged, id, { subscription })
  return subscription
}

/** What a person decides of an endpoint, to see whether one did. */
const heldOf = ({ url, events, status }: Pick<Row, 'url' | 'events' | 'status'>) =>
  JSON.stringify([url, events, status])

/** The log of its deliveries stays readable. */
export async function deleteSubscription(tx: Tx, scope: Scope, id: string) {
  if (!(await store.lock(tx, scope, id))) throw notFound('webhook subscription')
  const subscription = await getSubscription(tx, scope, id)
  await emit(tx, scope, endpointDeleted, id, { subscription })
  await store.update(tx, scope, id, {
    status: 'deleted',
    failureStreak: 0,
    failingSince: null,
    disabledReason: null,
  })
  await store.failQueued(tx, scope, id)
  return { id, deleted: true as const }
}

export async function listDeliveries(db: Db, scope: Scope, query: DeliveryQuery): Promise<Page<Delivery>> {
  return pageOf(await store.listDeliveries(db, scope, query), query.limit)
}

export async function getDelivery(db: Db, scope: Scope, id: string): Promise<DeliveryDetail> {
  const row = await store.findDetail(db, scope, id)
  if (!row) throw notFound('webhook delivery')
  return row
}

/**
 * Queues exactly one more attempt, after a success too; its failure is followed by no other (B-webhook-7).
 * 409 ALREADY_QUEUED while one is queued, 409 ENDPOINT_DISABLED when the endpoint is paused, switched off or deleted.
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
    throw new ApiError('ALREADY_QUEUED', 'This delivery is already waiting to be sent')
  }
  return (await store.findDelivery(tx, scope, id)) as Delivery
}
