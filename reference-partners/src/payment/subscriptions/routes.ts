import { IdParams, notFound, pageByKey } from 'kasir/partner-tools'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import {
  Subscription,
  SubscriptionCancel,
  SubscriptionCreate,
  SubscriptionPatch,
  SubscriptionQuery,
} from './schema.ts'
import { cancelSubscription, changeSubscription, subscribe } from './service.ts'
import { findSubscription, listSubscriptions } from './store.ts'

export const subscriptionRoutes = [
  route({
    name: 'subscriptions.list',
    method: 'GET',
    path: '/subscriptions',
    tag: 'subscriptions',
    summary: 'Newest first',
    query: SubscriptionQuery,
    access: 'read',
    page: true,
    returns: Subscription,
    handle: async ({ db, caller, query: { limit, cursor, status, customerId } }) => {
      const after = afterOf(cursor, 'sub')
      const rows = await listSubscriptions(db, caller.workspaceId, {
        status,
        customerId,
        after,
        limit: limit + 1,
      })
      return pageByKey(rows, limit, cursorOf)
    },
  }),
  route({
    name: 'subscriptions.create',
    method: 'POST',
    path: '/subscriptions',
    tag: 'subscriptions',
    summary: 'Begins now, with an invoice for the first period',
    status: 201,
    body: SubscriptionCreate,
    access: 'write',
    returns: Subscription,
    handle: ({ tx, caller: { workspaceId }, body, now }) => subscribe(tx, { workspaceId, ...body, now }),
  }),
  route({
    name: 'subscriptions.get',
    method: 'GET',
    path: '/subscriptions/{id}',
    tag: 'subscriptions',
    summary: 'One subscription',
    params: IdParams,
    access: 'read',
    returns: Subscription,
    handle: async ({ db, caller, params }) => {
      const subscription = await findSubscription(db, caller.workspaceId, params.id)
      if (!subscription) throw notFound('subscription')
      return subscription
    },
  }),
  route({
    name: 'subscriptions.update',
    method: 'PATCH',
    path: '/subscriptions/{id}',
    tag: 'subscriptions',
    summary: 'Another price from the next period on, or the end with this one',
    params: IdParams,
    body: SubscriptionPatch,
    access: 'write',
    returns: Subscription,
    handle: ({ tx, caller: { workspaceId }, params: { id }, body, now }) =>
      changeSubscription(tx, { workspaceId, id, ...body, now }),
  }),
  route({
    name: 'subscriptions.cancel',
    method: 'POST',
    path: '/subscriptions/{id}/cancel',
    tag: 'subscriptions',
    summary: 'Ends it now or with its period; one that has ended stays as it is',
    params: IdParams,
    body: SubscriptionCancel,
    access: 'write',
    returns: Subscription,
    handle: ({ tx, caller: { workspaceId }, params: { id }, body: { atPeriodEnd = false }, now }) =>
      cancelSubscription(tx, { workspaceId, id, atPeriodEnd, now }),
  }),
]
