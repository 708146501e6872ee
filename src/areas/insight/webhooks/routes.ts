import { Type } from 'typebox'
import { invalid } from '../../../core/errors.ts'
import { isOffered } from '../../../core/events.ts'
import { asciiFrom } from '../../../core/links.ts'
import { maskText } from '../../../core/text.ts'
import type { Deps } from '../../../platform/deps.ts'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import {
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  EventTypeRow,
  MAX_URL,
  Subscription,
  SubscriptionIn,
  SubscriptionPatch,
} from './schema.ts'
import {
  createSubscription,
  deleteSubscription,
  getDelivery,
  getSubscription,
  listDeliveries,
  listSubscriptions,
  requireKnownEvents,
  retryDelivery,
  updateSubscription,
} from './service.ts'

const area = 'webhooks'

/** Lists the events that an endpoint can subscribe to, in the order of docs/events.md. */
const offered = ({ events }: Pick<Deps, 'events'>) => [...events.values()].filter(isOffered)
const namesOf = (deps: Pick<Deps, 'events'>) => offered(deps).map(({ name }) => name)

/**
 * Returns the URL in ASCII, the stored form. Throws 422 with the same message for every fault: a different message
 * would reveal which hosts this network has (B-webhook-1).
 */
async function requireCallable({ outgoing }: Pick<Deps, 'outgoing'>, url: string): Promise<string> {
  const ascii = asciiFrom(url)
  if (ascii.length <= MAX_URL && (await outgoing.accepts(url))) return ascii
  throw invalid(
    'url',
    'The URL must use https, name a host on the public internet, and contain no credentials',
  )
}

export const webhookRoutes = [
  route({
    name: 'webhooks.list',
    method: 'GET',
    path: '/webhook-subscriptions',
    area,
    summary: 'List webhook endpoints, newest first',
    description:
      'Signing secrets are shown only once, when an endpoint is created. `failureStreak` and `disabledReason` say why an endpoint is off.',
    access: 'read',
    delegation: 'read',
    role: 'MANAGER',
    returns: Type.Object({ subscriptions: Type.Array(Subscription) }),
    handle: async ({ db, scope }) => ({ subscriptions: await listSubscriptions(db, scope) }),
  }),
  route({
    name: 'webhooks.create',
    method: 'POST',
    path: '/webhook-subscriptions',
    area,
    summary: 'Register a webhook endpoint',
    description:
      'Only this answer has the signing secret, which never changes. A retry with the same Idempotency-Key shows it again, but to another actor only its last four characters. Each delivery has the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks. An endpoint that an assistant registers is `paused` until a member activates it; the owners receive a mail with its address.',
    access: 'prepare',
    delegation: 'write',
    status: 201,
    secret: {
      mask: ({ subscription, secret }) => ({
        subscription,
        ...(secret === undefined ? {} : { secret: maskText(secret) }),
      }),
      // An assistant can register an endpoint, but only its member can read the secret (B-delegate-4).
      hiddenFromDelegates: ['secret'],
    },
    body: SubscriptionIn,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: Type.Object({
      subscription: Subscription,
      secret: Type.Optional(Type.String({ description: 'Absent in answers to an assistant' })),
    }),
    // Name resolution can take seconds, so no transaction is open meanwhile.
    handle: async ({ deps, scope, body: { url, events = [] } }) => {
      const callable = await requireCallable(deps, url)
      const wanted = requireKnownEvents(events, namesOf(deps))
      return (tx) => createSubscription(deps, tx, scope, { url: callable, events: wanted })
    },
  }),
  route({
    name: 'webhooks.update',
    method: 'PATCH',
    path: '/webhook-subscriptions/{id}',
    area,
    summary: 'Change, pause or activate a webhook endpoint',
    description:
      'Pausing an endpoint fails its queued deliveries. `active: true` switches it on and resets its failures. The signing secret never changes. If an assistant changes the `url`, the endpoint is paused until a member activates it, and the owners receive a mail with the address. An assistant cannot activate such an endpoint (403).',
    access: 'prepare',
    delegation: 'write',
    params: IdParams,
    body: SubscriptionPatch,
    returns: Type.Object({ subscription: Subscription }),
    handle: async ({ deps, partner, scope, params: { id }, body: { url, events, ...patch } }) => {
      await partner.read((db) => getSubscription(db, scope, id))
      const callable = url === undefined ? {} : { url: await requireCallable(deps, url) }
      const wanted = events && { events: requireKnownEvents(events, namesOf(deps)) }
      return async (tx) => ({
        subscription: await updateSubscription(deps, tx, scope, {
          id,
          change: { ...patch, ...callable, ...wanted },
        }),
      })
    },
  }),
  route({
    name: 'webhooks.delete',
    method: 'DELETE',
    path: '/webhook-subscriptions/{id}',
    area,
    summary: 'Remove a webhook endpoint',
    description: 'Its queued deliveries fail. Its past deliveries can still be read.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deleteSubscription(tx, scope, params.id),
  }),
  route({
    name: 'webhooks.listDeliveries',
    method: 'GET',
    path: '/webhook-subscriptions/deliveries',
    area,
    summary: 'List webhook deliveries, newest first',
    description:
      'Deliveries are stored for 30 days. Filters are endpoint, status and event type. Each row has the number of attempts and the time of the next one.',
    access: 'page',
    delegation: 'read',
    role: 'MANAGER',
    query: DeliveryQuery,
    returns: Delivery,
    handle: ({ db, scope, query }) => listDeliveries(db, scope, query),
  }),
  route({
    name: 'webhooks.getDelivery',
    method: 'GET',
    path: '/webhook-subscriptions/deliveries/{id}',
    area,
    summary: 'Read a webhook delivery with its body and attempts',
    description:
      'Each attempt has the status, the duration and the first KiB of the answer. The last 50 attempts are stored.',
    access: 'read',
    delegation: 'read',
    role: 'MANAGER',
    params: IdParams,
    returns: Type.Object({ delivery: DeliveryDetail }),
    handle: async ({ db, scope, params }) => ({ delivery: await getDelivery(db, scope, params.id) }),
  }),
  route({
    name: 'webhooks.retryDelivery',
    method: 'POST',
    path: '/webhook-subscriptions/deliveries/{id}/retry',
    area,
    summary: 'Repeat a webhook delivery',
    description:
      'Queues one more attempt, also after a success. If it fails, no retry follows. The answer is 409 ALREADY_QUEUED while an attempt is queued, and 409 ENDPOINT_DISABLED while the endpoint is off.',
    access: 'write',
    delegation: 'write',
    status: 202,
    params: IdParams,
    document: { refuses: ['ALREADY_QUEUED', 'ENDPOINT_DISABLED'] },
    returns: Type.Object({ delivery: Delivery }),
    handle: async ({ tx, scope, params }) => ({ delivery: await retryDelivery(tx, scope, params.id) }),
  }),
  route({
    name: 'webhooks.listEventTypes',
    method: 'GET',
    path: '/webhook-subscriptions/event-types',
    area,
    summary: 'List event types for webhook endpoints',
    description: 'The list has no `audit.` types, because webhooks never receive audit events.',
    access: 'read',
    delegation: 'read',
    role: 'MANAGER',
    returns: Type.Object({ eventTypes: Type.Array(EventTypeRow) }),
    handle: async ({ deps }) => ({
      eventTypes: offered(deps).map(({ name, meaning, group }) => ({
        type: name,
        description: meaning,
        group,
      })),
    }),
  }),
]
