import { Type } from 'typebox'
import { invalid } from '../../../core/errors.ts'
import { isOffered } from '../../../core/events.ts'
import type { Deps } from '../../../platform/deps.ts'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import {
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  EventTypeRow,
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

/** What an endpoint may name, in the order of docs/events.md. */
const offered = ({ events }: Pick<Deps, 'events'>) => [...events.values()].filter(isOffered)
const namesOf = (deps: Pick<Deps, 'events'>) => offered(deps).map(({ name }) => name)

/** 422 with the same words whatever is wrong, so that nobody learns which hosts this network has (B-webhook-1). */
async function requireCallable({ outgoing }: Pick<Deps, 'outgoing'>, url: string | undefined) {
  if (url === undefined || (await outgoing.accepts(url))) return
  throw invalid('url', 'The URL must be https, name a host on the public internet, and hold no credentials')
}

export const webhookRoutes = [
  route({
    name: 'webhooks.list',
    method: 'GET',
    path: '/webhook-subscriptions',
    area,
    summary: 'List webhook endpoints, newest first',
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
    summary: 'Register an endpoint that is sent events',
    description:
      'The signing secret is shown once, here, and never changes; a repeat with the same Idempotency-Key shows it again. Each delivery carries `webhook-id`, `webhook-timestamp` and `webhook-signature` as Standard Webhooks has them.',
    access: 'partner',
    asksNoPartner: true,
    delegation: 'write',
    status: 201,
    secret: true,
    body: SubscriptionIn,
    // An assistant may register an endpoint, but its member reads the secret (B-delegate-4).
    hiddenFromDelegates: ['secret'],
    refuses: ['LIMIT_REACHED'],
    returns: Type.Object({
      subscription: Subscription,
      secret: Type.Optional(Type.String({ description: 'Left out for an assistant' })),
    }),
    // Name servers are asked, so no transaction is open meanwhile.
    handle: async ({ deps, scope, body: { url, events = [] } }) => {
      await requireCallable(deps, url)
      const wanted = requireKnownEvents(events, namesOf(deps))
      return (tx) => createSubscription(deps, tx, scope, { url, events: wanted })
    },
  }),
  route({
    name: 'webhooks.update',
    method: 'PATCH',
    path: '/webhook-subscriptions/{id}',
    area,
    summary: 'Change an endpoint, pause it or switch it on again',
    access: 'partner',
    asksNoPartner: true,
    delegation: 'write',
    params: IdParams,
    body: SubscriptionPatch,
    returns: Type.Object({ subscription: Subscription }),
    handle: async ({ deps, partner, scope, params: { id }, body: { events, ...patch } }) => {
      await partner.read((db) => getSubscription(db, scope, id))
      await requireCallable(deps, patch.url)
      const wanted = events && { events: requireKnownEvents(events, namesOf(deps)) }
      return async (tx) => ({
        subscription: await updateSubscription(tx, scope, id, { ...patch, ...wanted }),
      })
    },
  }),
  route({
    name: 'webhooks.delete',
    method: 'DELETE',
    path: '/webhook-subscriptions/{id}',
    area,
    summary: 'Remove an endpoint; what is queued for it fails, the log of its deliveries stays',
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
    summary: 'List deliveries, newest first; they are kept for 30 days',
    access: 'read',
    delegation: 'read',
    role: 'MANAGER',
    page: true,
    query: DeliveryQuery,
    returns: Delivery,
    handle: ({ db, scope, query }) => listDeliveries(db, scope, query),
  }),
  route({
    name: 'webhooks.getDelivery',
    method: 'GET',
    path: '/webhook-subscriptions/deliveries/{id}',
    area,
    summary: 'A delivery with its body and every attempt',
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
    summary: 'Send a delivery once more, within seconds, whether it succeeded or failed',
    description:
      'One attempt is made; when it fails no other follows. 409 ALREADY_QUEUED while one is waiting, 409 ENDPOINT_DISABLED while the endpoint is off.',
    access: 'write',
    delegation: 'write',
    status: 202,
    params: IdParams,
    refuses: ['ALREADY_QUEUED', 'ENDPOINT_DISABLED'],
    returns: Type.Object({ delivery: Delivery }),
    handle: async ({ tx, scope, params }) => ({ delivery: await retryDelivery(tx, scope, params.id) }),
  }),
  route({
    name: 'webhooks.listEventTypes',
    method: 'GET',
    path: '/webhook-subscriptions/event-types',
    area,
    summary: 'Every event that an endpoint can ask for, and what it means',
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
