import { IdParams, notFound, pageByKey } from 'kasir/partner-tools'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { CheckoutSession, SessionCreate, SessionQuery } from './schema.ts'
import { cancelSession, confirmSession, openSession, sessionView } from './service.ts'
import { findSession, listSessions } from './store.ts'

export const sessionRoutes = [
  route({
    name: 'checkoutSessions.list',
    method: 'GET',
    path: '/checkout-sessions',
    tag: 'checkout sessions',
    summary: 'Newest first',
    query: SessionQuery,
    access: 'read',
    page: true,
    returns: CheckoutSession,
    handle: async ({ tools, db, caller, query: { limit, cursor, status } }) => {
      const after = afterOf(cursor, 'cks')
      const rows = await listSessions(db, caller.workspaceId, { status, after, limit: limit + 1 })
      const page = pageByKey(rows, limit, cursorOf)
      return { ...page, items: page.items.map((row) => sessionView(tools, row)) }
    },
  }),
  route({
    name: 'checkoutSessions.create',
    method: 'POST',
    path: '/checkout-sessions',
    tag: 'checkout sessions',
    summary: 'Opens a session to be paid by QRIS, by a virtual account, or on the hosted page alone',
    status: 201,
    body: SessionCreate,
    access: 'write',
    returns: CheckoutSession,
    handle: ({ tx, ...input }) => openSession(tx, input),
  }),
  route({
    name: 'checkoutSessions.get',
    method: 'GET',
    path: '/checkout-sessions/{id}',
    tag: 'checkout sessions',
    summary: 'One session',
    params: IdParams,
    access: 'read',
    returns: CheckoutSession,
    handle: async ({ tools, db, caller, params }) => {
      const row = await findSession(db, caller.workspaceId, params.id)
      if (!row) throw notFound('checkout session')
      return sessionView(tools, row)
    },
  }),
  route({
    name: 'checkoutSessions.confirm',
    method: 'POST',
    path: '/checkout-sessions/{id}/confirm',
    tag: 'checkout sessions',
    summary: 'Sandbox: pays the session as the payer would; 409 once it has ended unpaid',
    params: IdParams,
    access: 'write',
    returns: CheckoutSession,
    handle: async ({ tools, tx, caller: { workspaceId }, params: { id }, now }) =>
      sessionView(tools, await confirmSession(tx, { tools, workspaceId, id, now })),
  }),
  route({
    name: 'checkoutSessions.cancel',
    method: 'POST',
    path: '/checkout-sessions/{id}/cancel',
    tag: 'checkout sessions',
    summary: 'Cancels an open session; 409 if it is paid, unchanged if it ended unpaid',
    params: IdParams,
    access: 'write',
    returns: CheckoutSession,
    handle: async ({ tools, tx, caller: { workspaceId }, params: { id }, now }) =>
      sessionView(tools, await cancelSession(tx, { tools, workspaceId, id, now })),
  }),
]
