import { authRequired, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { insertKey, revokeKeys } from '../../../platform/auth/store.ts'
import { lastOfKey, newKey } from '../../../platform/auth/tokens.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import { emit, emitRows, eventRow } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { tellOfKey } from '../notices/index.ts'
import { keyCreated, keyRevoked } from './events.ts'
import type { ApiKey, ApiKeyIn } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

async function getApiKey(db: Db, scope: Scope, id: string): Promise<ApiKey> {
  const apiKey = await store.find(db, scope, id)
  if (!apiKey) throw notFound('API key')
  return apiKey
}

/**
 * Makes a key; its text leaves the service here and nowhere else, only the SHA-256 is kept (B-secret-1). The maker is
 * notified by mail. 403 LIMIT_REACHED with param `apiKeys` past the cap of the plan; revoked keys do not count.
 */
export async function createApiKey(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { name, readOnly = false }: ApiKeyIn,
): Promise<{ apiKey: ApiKey; key: string }> {
  await requireUnderCap(tx, scope, 'apiKeys', store.countLive)
  // A member who is removed together with their keys must not leave one more behind.
  if (!(await store.shareMaker(tx, scope, scope.actor))) throw authRequired()
  const id = newId('apiKey')
  const key = newKey(scope.accountId)
  await insertKey(tx, {
    accountId: scope.accountId,
    id,
    name,
    key,
    readOnly,
    maker: scope.actor,
    now: scope.now,
  })
  await tellOfKey(deps, tx, scope, { name, last4: lastOfKey(key), readOnly })
  const apiKey = await getApiKey(tx, scope, id)
  await emit(tx, scope, keyCreated, id, { apiKey: inEvent(apiKey) })
  return { apiKey, key }
}

const inEvent = ({ id, name, last4, readOnly, createdBy }: ApiKey) => ({
  id,
  name,
  last4,
  readOnly,
  createdBy,
})

/** Refused from the next request on, in every process. A key already revoked stays as it was and answers the same. */
export async function revokeApiKey(tx: Tx, scope: Scope, id: string) {
  await getApiKey(tx, scope, id)
  await endKeys(tx, scope, [id])
  return { id, revoked: true as const }
}

/** Of two requests that revoke a key at once one did, and is what the log tells of. */
async function endKeys(tx: Tx, scope: Scope, ids: readonly string[]) {
  const ended = await revokeKeys(tx, scope.accountId, ids, scope.now)
  const apiKeys = await store.listThese(
    tx,
    scope,
    ended.map(({ id }) => id),
  )
  const rows = apiKeys.map((apiKey) => eventRow(scope, keyRevoked, apiKey.id, { apiKey: inEvent(apiKey) }))
  await emitRows(tx, scope, rows)
}

/**
 * The keys that still held and that a member made, by hand or through a key of theirs; `revoke` ends them, and the
 * answer shows them as they are then (B-member-4). Call it with the member's row locked.
 */
export async function leaveKeys(tx: Tx, scope: Scope, memberId: string, revoke: boolean): Promise<ApiKey[]> {
  const ended: string[] = []
  let ids = await statements.idsMadeBy(tx, scope, memberId)
  // A key may be making another one at this moment: revoking it waits for that, and the next look finds it.
  while (revoke && ids.length > 0) {
    await endKeys(tx, scope, ids)
    ended.push(...ids)
    ids = await statements.idsMadeBy(tx, scope, memberId)
  }
  return store.listThese(tx, scope, [...ended, ...ids])
}
