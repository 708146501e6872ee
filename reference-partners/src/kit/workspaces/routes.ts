import { Text } from 'kasir/partner-tools'
import { Type } from 'typebox'
import type { Tx } from '../db.ts'
import { route } from '../http/route.ts'
import { upsertWorkspace } from './store.ts'

const Provisioned = Type.Object(
  { workspaceId: Type.String(), apiKey: Type.String({ description: 'Opens this workspace alone' }) },
  { title: 'Provisioned' },
)

/** What else there is to do when a workspace is new, in the transaction that makes it. */
type WorkspaceSetup = (tx: Tx, workspaceId: string, now: string) => Promise<unknown>

export const workspaceRoutesWith = (opened: WorkspaceSetup) => [
  route({
    name: 'health.get',
    method: 'GET',
    path: '/health',
    tag: 'workspaces',
    summary: 'Whether the partner and its database answer',
    key: 'none',
    access: 'read',
    returns: Type.Object({ status: Type.Literal('ok') }),
    handle: async ({ db }) => {
      await db.rows('select 1')
      return { status: 'ok' as const }
    },
  }),
  route({
    name: 'workspaces.provision',
    method: 'POST',
    path: '/workspaces',
    tag: 'workspaces',
    summary:
      'Opens the workspace of a merchant; asked again for the same `externalId`, answers 200 with the same key',
    key: 'platform',
    isRepeatable: true,
    access: 'write',
    status: 201,
    body: Type.Object({ externalId: Text(64), name: Text(120) }, { title: 'WorkspaceCreate' }),
    returns: Provisioned,
    handle: async ({ tools, tx, body, now }) => {
      const { id, isNew } = await upsertWorkspace(tx, { ...body, now })
      if (isNew) await opened(tx, id, now)
      return { status: isNew ? 201 : 200, value: { workspaceId: id, apiKey: tools.keys.keyOf(id) } }
    },
  }),
]

export const workspaceRoutes = workspaceRoutesWith(async () => {})
