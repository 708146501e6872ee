import { authRequired, forbidden, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { type RequireProof, withProvenPerson } from '../../../platform/auth/person.ts'
import { insertKey, revokeKeys, setKeyRole } from '../../../platform/auth/store.ts'
import { lastOfKey, newKey } from '../../../platform/auth/tokens.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit, emitRows, eventRow } from '../../../platform/events/outbox.ts'
import { findReplay, type IdempotencyKey, type Reply, runWrite } from '../../../platform/http/idempotency.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import type { Role, Scope } from '../../../platform/scope.ts'
import { notifyKeyCreated } from '../notices/index.ts'
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
 * Creates a key. Its text appears only in this answer; the database stores its SHA-256 (B-secret-1). A member must
 * first prove their identity; a password is checked outside the transaction (B-secret-5). Notifies the creator by
 * mail. Throws 403 LIMIT_REACHED with param `apiKeys` above the plan's cap, which does not count revoked keys.
 */
export async function createApiKey(
  deps: Deps,
  scope: Scope,
  body: ApiKeyIn,
  idem: IdempotencyKey | null,
): Promise<Reply> {
  const replay = idem && (await findReplay(deps, deps.db, scope, idem))
  if (replay) return replay
  return withProvenPerson(deps, scope, body, (requireProof) =>
    runWrite(deps, scope, idem, async (tx) => ({
      status: 201,
      value: await insertApiKey(deps, tx, scope, { input: body, requireProof }),
      secret: true,
    })),
  )
}

async function insertApiKey(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { input: { name, readOnly = false }, requireProof }: { input: ApiKeyIn; requireProof: RequireProof },
): Promise<{ apiKey: ApiKey; key: string }> {
  await requireUnderCap(tx, scope, { cap: 'apiKeys', countLive: store.countLive })
  // The lock keeps a member who is removed or demoted meanwhile from leaving one more key behind.
  const role = await store.shareMaker(tx, scope, scope.actor)
  if (role === undefined) throw authRequired()
  if (role !== 'OWNER') throw forbidden('Only an owner creates API keys')
  await requireProof(tx)
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
  await notifyKeyCreated(deps, tx, scope, { name, last4: lastOfKey(key), readOnly })
  const apiKey = await getApiKey(tx, scope, id)
  await emit(tx, scope, keyCreated, id, { apiKey: toEventData(apiKey) })
  return { apiKey, key }
}

const toEventData = ({ id, name, last4, readOnly, createdBy }: ApiKey) => ({
  id,
  name,
  last4,
  readOnly,
  createdBy,
})

/**
 * Revokes a key. Every process rejects it from the next request on. A key that is already revoked does not change,
 * and the answer is the same.
 */
export async function revokeApiKey(tx: Tx, scope: Scope, id: string) {
  await getApiKey(tx, scope, id)
  await endKeys(tx, scope, [id])
  return { id, revoked: true as const }
}

/** If two requests revoke a key concurrently, only one of them does so and writes the event. */
async function endKeys(tx: Tx, scope: Scope, ids: readonly string[]) {
  const ended = await revokeKeys(tx, scope.accountId, ids, scope.now)
  const apiKeys = await store.listThese(
    tx,
    scope,
    ended.map(({ id }) => id),
  )
  const rows = apiKeys.map((apiKey) =>
    eventRow(scope, keyRevoked, apiKey.id, { apiKey: toEventData(apiKey) }),
  )
  await emitRows(tx, scope, rows)
}

/**
 * Returns the valid keys that a member created, directly or through one of their keys. With `revoke`, revokes them
 * first (B-member-4). The caller has locked the member's row.
 */
export async function leaveKeys(tx: Tx, scope: Scope, memberId: string, revoke: boolean): Promise<ApiKey[]> {
  const ended: string[] = []
  const find = async () => (await statements.keysMadeBy(tx, scope, memberId)).map(({ id }) => id)
  let ids = await find()
  // A key can be creating another one concurrently. Revoking waits for it, and the next query finds the new key.
  while (revoke && ids.length > 0) {
    await endKeys(tx, scope, ids)
    ended.push(...ids)
    ids = await find()
  }
  return store.listThese(tx, scope, [...ended, ...ids])
}

/**
 * Gives the member's new role to the keys that the member created, directly or through one of their keys (B-role-2).
 * The caller has locked the member's row.
 */
export async function applyRoleChange(tx: Tx, scope: Scope, memberId: string, role: Role) {
  const find = async () =>
    (await statements.keysMadeBy(tx, scope, memberId)).flatMap((key) => (key.role === role ? [] : [key.id]))
  // Waits for a concurrent creation, so that the next query finds the new key.
  for (let ids = await find(); ids.length > 0; ids = await find())
    await setKeyRole(tx, scope.accountId, { ids, role, now: scope.now })
}
