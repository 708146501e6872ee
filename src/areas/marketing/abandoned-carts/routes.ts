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
    summary: 'Read whether and how customers are reminded of open bills',
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
    summary: 'Change reminders of open bills, or switch them on',
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
    summary: 'How many reminders were sent, and what they brought back',
    access: 'read',
    delegation: 'read',
    query: StatsQuery,
    returns: CartStats,
    handle: ({ db, scope, query }) => cartStats(db, scope, query.windowDays),
  }),
]
