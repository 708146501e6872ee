import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Id, IdParams } from '../../../platform/http/shapes.ts'
import { ApiKey, ApiKeyIn } from './schema.ts'
import { createApiKey, revokeApiKey } from './service.ts'
import * as store from './store.ts'

const area = 'api-keys'

export const apiKeyRoutes = [
  route({
    name: 'apiKeys.list',
    method: 'GET',
    path: '/api-keys',
    area,
    summary: 'List API keys, revoked ones too',
    access: 'read',
    delegation: 'forbidden',
    role: 'OWNER',
    returns: Type.Object({ apiKeys: Type.Array(ApiKey) }),
    handle: async ({ db, scope }) => ({ apiKeys: await store.list(db, scope) }),
  }),
  route({
    name: 'apiKeys.create',
    method: 'POST',
    path: '/api-keys',
    area,
    summary: 'Create an API key',
    description:
      'The key is shown once, here. A repeat with the same Idempotency-Key shows it again. The member who made it is notified by mail, or the owners when another key did.',
    access: 'write',
    delegation: 'forbidden',
    role: 'OWNER',
    status: 201,
    secret: true,
    body: ApiKeyIn,
    refuses: ['LIMIT_REACHED'],
    returns: Type.Object({ apiKey: ApiKey, key: Type.String() }),
    handle: ({ deps, tx, scope, body }) => createApiKey(deps, tx, scope, body),
  }),
  route({
    name: 'apiKeys.revoke',
    method: 'DELETE',
    path: '/api-keys/{id}',
    area,
    summary: 'Revoke an API key',
    access: 'write',
    delegation: 'forbidden',
    role: 'OWNER',
    params: IdParams,
    returns: Type.Object({ id: Id, revoked: Type.Literal(true) }),
    handle: ({ tx, scope, params }) => revokeApiKey(tx, scope, params.id),
  }),
]
