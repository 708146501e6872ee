import { Type } from 'typebox'
import { endOperatorSession, requireOperator, startOperatorSession } from '../../../platform/auth/operator.ts'
import { API_PREFIX, route } from '../../../platform/http/route.ts'
import { Nullable, PageQuery } from '../../../platform/http/shapes.ts'
import { OperatorOverview, OperatorSession, OperatorSignIn, OperatorWorkspace } from './schema.ts'
import { listWorkspaces, readOverview } from './service.ts'

const area = 'operator'
const bodyLimit = 64 * 1024
/** The cookie of the operator is sent to these routes alone. */
const COOKIE_PATH = `${API_PREFIX}/operator`

export const operatorRoutes = [
  route({
    name: 'operator.signIn',
    method: 'POST',
    path: '/operator/session',
    area,
    summary: 'Open the operator page with the token of a link',
    description:
      '`kasir operator-link` prints the link. It works once, for 15 minutes. The session is a cookie, kasir_operator, for eight hours. It opens no workspace, and no credential of a workspace opens the operator page.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    body: OperatorSignIn,
    returns: OperatorSession,
    handle: ({ deps, body, request, reply, now }) =>
      startOperatorSession(deps, { request, reply }, { token: body.token, now, path: COOKIE_PATH }),
  }),
  route({
    name: 'operator.signOut',
    method: 'DELETE',
    path: '/operator/session',
    area,
    summary: 'Leave the operator page',
    description: 'Ends the session of the cookie and clears the cookie. Works without a session too.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    bodyLimit,
    returns: Type.Object({ signedOut: Type.Literal(true) }),
    handle: async ({ deps, request, reply }) => {
      await endOperatorSession(deps, { request, reply }, COOKIE_PATH)
      return { signedOut: true as const }
    },
  }),
  route({
    name: 'operator.getOverview',
    method: 'GET',
    path: '/operator/overview',
    area,
    summary: 'Read the state of the installation',
    description:
      'For the operator: health, process, database, jobs, backups, queues, and findings of the doctor with what to do. It has no record of a workspace.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    document: { refuses: ['AUTH_REQUIRED', 'FORBIDDEN'] },
    returns: OperatorOverview,
    handle: async ({ deps, request, now }) => {
      const { expiresAt } = await requireOperator(deps, request, now)
      return readOverview(deps, now, expiresAt)
    },
  }),
  route({
    name: 'operator.listWorkspaces',
    method: 'GET',
    path: '/operator/workspaces',
    area,
    summary: 'List the workspaces of the installation',
    description:
      'For the operator, newest first, in pages: names, and how much each workspace is used. No amounts of money and no records of customers.',
    access: 'open',
    auth: 'session',
    delegation: 'none',
    query: Type.Object(PageQuery),
    document: { refuses: ['AUTH_REQUIRED', 'FORBIDDEN'] },
    returns: Type.Object({
      workspaces: Type.Array(OperatorWorkspace),
      cursor: Nullable(Type.String()),
      hasMore: Type.Boolean(),
    }),
    handle: async ({ deps, db, query, request, now }) => {
      await requireOperator(deps, request, now)
      const { items, cursor, hasMore } = await listWorkspaces(db, query, now)
      return { workspaces: items, cursor, hasMore }
    },
  }),
]
