import { notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { insertKey, revokeKey } from '../../../platform/auth/store.ts'
import { newKey } from '../../../platform/auth/tokens.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { reserve } from '../../../platform/limits.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { ApiKey, ApiKeyIn } from './schema.ts'
import * as store from './store.ts'

async function getApiKey(db: Db, scope: Scope, id: string): Promise<ApiKey> {
  const apiKey = await store.find(db, scope, id)
  if (!apiKey) throw notFound('API key')
  return apiKey
}

/**
 * Makes a key; its text leaves the service here and nowhere else, only the SHA-256 is kept (contract 14.4).
 * 403 LIMIT_REACHED with param `apiKeys` past the cap of the plan; revoked keys do not count.
 */
export async function createApiKey(
  tx: Tx,
  scope: Scope,
  { name, readOnly = false }: ApiKeyIn,
): Promise<{ apiKey: ApiKey; key: string }> {
  await reserve(tx, scope, 'apiKeys')
  const id = newId('apiKey')
  const key = newKey(scope.accountId)
  await insertKey(tx, { accountId: scope.accountId, id, name, key, readOnly, now: scope.now })
  return { apiKey: await getApiKey(tx, scope, id), key }
}

/** Refused from the next request on, in every process. A key already revoked stays as it was and answers the same. */
export async function revokeApiKey(tx: Tx, scope: Scope, id: string) {
  await getApiKey(tx, scope, id)
  await revokeKey(tx, scope.accountId, id, scope.now)
  return { id, revoked: true as const }
}
