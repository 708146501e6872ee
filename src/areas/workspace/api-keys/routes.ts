import { Type } from 'typebox'
import { maskText } from '../../../core/text.ts'
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
    summary: 'List API keys',
    description:
      'The list includes revoked keys. Each entry has the last four characters of the key, its creator and the time of its last use. The whole key is shown only once, when it is created.',
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
      'Only this answer has the whole key. A retry with the same Idempotency-Key shows it again, but to another actor only its last four characters. A member needs a sign-in less than 15 minutes old, `currentPassword`, or a `code` of the second factor. Otherwise the answer is 403 with `param: currentPassword`. The service notifies the creator by mail; if another key created this one, it notifies the owners.',
    access: 'self',
    delegation: 'forbidden',
    role: 'OWNER',
    needsPassword: true,
    status: 201,
    secret: { mask: ({ apiKey, key }) => ({ apiKey, key: maskText(key) }) },
    body: ApiKeyIn,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: Type.Object({ apiKey: ApiKey, key: Type.String() }),
    handle: ({ deps, scope, body, idem }) => createApiKey(deps, scope, body, idem),
  }),
  route({
    name: 'apiKeys.revoke',
    method: 'DELETE',
    path: '/api-keys/{id}',
    area,
    summary: 'Revoke an API key',
    description:
      'The key is refused from the next request on, in every process. Revoking it again answers the same.',
    access: 'write',
    delegation: 'forbidden',
    role: 'OWNER',
    params: IdParams,
    returns: Type.Object({ id: Id, revoked: Type.Literal(true) }),
    handle: ({ tx, scope, params }) => revokeApiKey(tx, scope, params.id),
  }),
]
