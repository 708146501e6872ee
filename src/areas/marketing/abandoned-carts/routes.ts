import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Cart, CartPatch, CartStats, Reminder, ReminderQuery, StatsQuery } from './schema.ts'
import { cartStats, getCart, listReminders, updateCart } from './service.ts'

const row = { area: 'marketing', module: 'marketing' } as const
const One = Type.Object({ abandonedCart: Cart })

export const cartRoutes = [
  route({
    ...row,
    name: 'abandonedCart.get',
    method: 'GET',
    path: '/account/abandoned-cart',
    summary: 'Read the settings for reminders of open bills',
    description: 'The service sends reminders only while `enabled` is true.',
    access: 'read',
    delegation: 'read',
    returns: One,
    handle: async ({ db, scope }) => ({ abandonedCart: await getCart(db, scope) }),
  }),
  route({
    ...row,
    name: 'abandonedCart.update',
    method: 'PATCH',
    path: '/account/abandoned-cart',
    summary: 'Change the settings for reminders of open bills',
    description:
      'A bill gets at most one reminder, after `delayHours` without a change. The customer needs an e-mail address.',
    access: 'write',
    delegation: 'write',
    body: CartPatch,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ abandonedCart: await updateCart(tx, scope, body) }),
  }),
  route({
    ...row,
    name: 'abandonedCart.listReminders',
    method: 'GET',
    path: '/account/abandoned-cart/reminders',
    summary: 'List the latest reminders, newest first',
    description:
      '`sent` means that the marketing partner accepted the reminder. `recovered` means that the bill was completed afterwards.',
    access: 'read',
    delegation: 'read',
    query: ReminderQuery,
    returns: Type.Object({ reminders: Type.Array(Reminder) }),
    handle: async ({ db, scope, query }) => ({ reminders: await listReminders(db, scope, query.limit) }),
  }),
  route({
    ...row,
    name: 'abandonedCart.stats',
    method: 'GET',
    path: '/account/abandoned-cart/stats',
    summary: 'Count sent reminders and the bills they recovered',
    description:
      '`recoveredRevenue` is what the recovered bills brought, less refunds and voids. The window counts from when reminders were sent.',
    access: 'read',
    delegation: 'read',
    query: StatsQuery,
    returns: CartStats,
    handle: ({ db, scope, query }) => cartStats(db, scope, query.windowDays),
  }),
]
