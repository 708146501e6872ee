import { pageByKey } from 'kasir/partner-tools'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { CreditBalance, CreditEntry, EntryQuery, Topup, TopupCreate } from './schema.ts'
import { openTopup } from './service.ts'
import { balanceOf, listEntries } from './store.ts'

export const creditRoutes = [
  route({
    name: 'shippingCredits.balance',
    method: 'GET',
    path: '/shipping-credits',
    tag: 'shipping credits',
    summary: 'What can be shipped for',
    access: 'read',
    returns: CreditBalance,
    handle: async ({ db, caller }) => ({ balance: await balanceOf(db, caller.workspaceId) }),
  }),
  route({
    name: 'shippingCredits.transactions',
    method: 'GET',
    path: '/shipping-credits/transactions',
    tag: 'shipping credits',
    summary: 'What changed the credits, newest first',
    query: EntryQuery,
    access: 'read',
    page: true,
    returns: CreditEntry,
    handle: async ({ db, caller, query: { limit, cursor, type } }) => {
      const after = afterOf(cursor, 'cre')
      return pageByKey(
        await listEntries(db, caller.workspaceId, { type, after, limit: limit + 1 }),
        limit,
        cursorOf,
      )
    },
  }),
  route({
    name: 'shippingCredits.topup',
    method: 'POST',
    path: '/shipping-credits/topup',
    tag: 'shipping credits',
    summary: 'Opens a page on which credits are bought, for a day',
    status: 201,
    body: TopupCreate,
    access: 'write',
    returns: Topup,
    handle: ({ tools, tx, caller: { workspaceId }, body, now }) =>
      openTopup(tx, { tools, workspaceId, body, now }),
  }),
]
