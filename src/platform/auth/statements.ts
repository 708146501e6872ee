import type { Approvals } from '../../core/approvals.ts'
import { authRequired } from '../../core/errors.ts'
import { addMs } from '../../core/time.ts'
import { batchReads, batchStatement, formOf } from '../db/batch-reads.ts'
import { type Db, named } from '../db/open.ts'
import { statement } from '../db/statement.ts'
import type { AccountId, Role, Scope, TillRef } from '../scope.ts'
import { sha256 } from '../secrets/secrets.ts'
import { SESSION_IDLE_MS } from './tokens.ts'

const FIND_KEYS = batchStatement(
  'auth_api_keys',
  (keys) => `select hash, id, name, role, read_only as "readOnly", last_used_at as "lastUsedAt" from api_keys
    where account_id = $1 and hash = ${keys} and revoked_at is null`,
)
export type ApiKeyRow = {
  hash: string
  id: string
  name: string
  role: Role
  readOnly: boolean
  lastUsedAt: string | null
}

/** Concurrent lookups share one query; the next query rejects a revoked key. */
export const findKey = batchReads<ApiKeyRow>(async (db, accountId, hashes) => {
  const rows = await named<ApiKeyRow>(db, formOf(db, FIND_KEYS), [accountId, hashes])
  return new Map(rows.map((row) => [row.hash, row]))
})

/** SQL with the workspace as $1: whether the API key with the id in `parameter` is still valid. */
export const keyHolds = (parameter: `$${number}`) =>
  `exists (select from api_keys k where k.account_id = $1 and k.id = ${parameter} and k.revoked_at is null)`

/** SQL with the workspace as $1: an array of the ids in `keys`, `any(...)`, whose API keys are still valid. */
export const validKeys = (keys: string) =>
  `array(select k.id from api_keys k where k.account_id = $1 and k.id = ${keys} and k.revoked_at is null)`

/** The same as a JSON object that maps each valid key's id to its current role. */
export const rolesOfKeys = (keys: string) =>
  `(select coalesce(json_object_agg(k.id, k.role), '{}') from api_keys k
    where k.account_id = $1 and k.id = ${keys} and k.revoked_at is null)`

const VALID_KEYS = batchStatement(
  'auth_valid_keys',
  (keys) => `select id from api_keys where account_id = $1 and id = ${keys} and revoked_at is null`,
)
const isValid = batchReads<true>(async (db, accountId, ids) => {
  const rows = await named<{ id: string }>(db, formOf(db, VALID_KEYS), [accountId, ids])
  return new Map(rows.map(({ id }) => [id, true]))
})

/** For a read that returned nothing, as it does under an invalid key: throws 401 if the API key is no longer valid. */
export async function requireKey(db: Db, { accountId, actor }: Scope) {
  if (actor.kind !== 'apiKey') return
  if (!(await isValid(db, accountId, actor.id))) throw authRequired()
}

/** The actions of the member `m` that need an approval; null for all but cashiers (B-approval-1). */
const APPROVALS = `case when m.role = 'CASHIER' then (select p.approvals from settings p where p.account_id = $1) end`

const FIND_SESSION = statement(
  'auth_session',
  `select s.id, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", m.id as "memberId", m.name, m.email, m.role,
      s.second_factor as "secondFactor",
      m.role <> 'CASHIER' and not s.second_factor and exists (
        select from settings where account_id = $1 and second_factor_required) as "lacksFactor",
      ${APPROVALS} as approvals, s.till_id as "tillId",
      (select t.secret_hash from tills t
        where t.account_id = $1 and t.id = s.till_id and t.revoked_at is null) as "tillHash"
    from sessions s join members m on m.account_id = $1 and m.id = s.member_id
    where s.account_id = $1 and s.token_hash = $2 and s.expires_at > $3 and s.last_seen_at > $4`,
)
type MemberSessionRow = {
  id: string
  createdAt: string
  lastSeenAt: string
  memberId: string
  name: string
  email: string
  role: Role
  secondFactor: boolean
  /** The workspace requires a second factor of the member, and the session began without one. */
  lacksFactor: boolean
  approvals: Partial<Approvals> | null
  /** The till whose PIN pad the session began at; null for every other session. */
  tillId: string | null
  /** The hash of the secret of that till; null if it was revoked. */
  tillHash: string | null
}

/** A session that began with a PIN is found only with the cookie of its till (B-pin-3). */
export async function findSession(
  db: Db,
  accountId: AccountId,
  { token, till, now }: { token: string; till: TillRef | null; now: string },
): Promise<MemberSessionRow | undefined> {
  const [row] = await named<MemberSessionRow>(db, FIND_SESSION, [
    accountId,
    sha256(token),
    now,
    addMs(now, -SESSION_IDLE_MS),
  ])
  const isAtTill = row?.tillId === till?.id && row?.tillHash === till?.secretHash
  return row === undefined || row.tillId === null || isAtTill ? row : undefined
}

const FIND_MEMBER = statement(
  'auth_member',
  `select m.id, m.name, m.role, ${APPROVALS} as approvals from members m where m.account_id = $1 and m.id = $2`,
)
type MemberRow = { id: string; name: string; role: Role; approvals: Partial<Approvals> | null }

export async function findMember(db: Db, accountId: AccountId, id: string): Promise<MemberRow | null> {
  const [row] = await named<MemberRow>(db, FIND_MEMBER, [accountId, id])
  return row ?? null
}

const FIND_PASSWORD_HASH = statement(
  'auth_password_hash',
  'select password_hash as "passwordHash" from members where account_id = $1 and id = $2',
)

/** Null for a member without a password. */
export async function findPasswordHash(db: Db, accountId: AccountId, id: string): Promise<string | null> {
  const [row] = await named<{ passwordHash: string | null }>(db, FIND_PASSWORD_HASH, [accountId, id])
  return row?.passwordHash ?? null
}
