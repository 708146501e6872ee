import { authRequired } from '../../core/errors.ts'
import { addMs } from '../../core/time.ts'
import { batchReads, batchStatement, formOf } from '../db/batch-reads.ts'
import { type Db, named } from '../db/open.ts'
import { statement } from '../db/statement.ts'
import type { AccountId, Role, Scope } from '../scope.ts'
import { sha256 } from '../secrets.ts'
import { SESSION_IDLE_MS } from './tokens.ts'

const FIND_KEYS = batchStatement(
  'auth_api_keys',
  (keys) => `select hash, id, name, read_only as "readOnly", last_used_at as "lastUsedAt" from api_keys
    where account_id = $1 and hash = ${keys} and revoked_at is null`,
)
export type KeyRow = { hash: string; id: string; name: string; readOnly: boolean; lastUsedAt: string | null }

/** A crowd of tills is known by one statement; a revoked key is refused by the next. */
export const findKey = batchReads<KeyRow>(async (db, accountId, hashes) => {
  const rows = await named<KeyRow>(db, formOf(db, FIND_KEYS), [accountId, hashes])
  return new Map(rows.map((row) => [row.hash, row]))
})

/** Inside a statement that calls the workspace $1: whether the API key with the id in `parameter` is still valid. */
export const keyHolds = (parameter: `$${number}`) =>
  `exists (select from api_keys k where k.account_id = $1 and k.id = ${parameter} and k.revoked_at is null)`

/** Inside such a statement: those of the ids in `keys`, `any(...)`, whose API keys are still valid, as an array. */
export const validKeys = (keys: string) =>
  `array(select k.id from api_keys k where k.account_id = $1 and k.id = ${keys} and k.revoked_at is null)`

const VALID_KEYS = batchStatement(
  'auth_valid_keys',
  (keys) => `select id from api_keys where account_id = $1 and id = ${keys} and revoked_at is null`,
)
const isValid = batchReads<true>(async (db, accountId, ids) => {
  const rows = await named<{ id: string }>(db, formOf(db, VALID_KEYS), [accountId, ids])
  return new Map(rows.map(({ id }) => [id, true]))
})

/** For a read that finds nothing under a key that is not valid any more, and found nothing: 401 when that is why. */
export async function requireKey(db: Db, { accountId, actor }: Scope) {
  if (actor.kind !== 'apiKey') return
  if (!(await isValid(db, accountId, actor.id))) throw authRequired()
}

const FIND_SESSION = statement(
  'auth_session',
  `select s.id, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", m.id as "memberId", m.name, m.email, m.role,
      s.second_factor as "secondFactor",
      m.role <> 'CASHIER' and not s.second_factor and exists (
        select from settings where account_id = $1 and second_factor_required) as "lacksFactor"
    from sessions s join members m on m.account_id = $1 and m.id = s.member_id
    where s.account_id = $1 and s.token_hash = $2 and s.expires_at > $3 and s.last_seen_at > $4`,
)
type SessionRow = {
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
}

export async function findSession(
  db: Db,
  accountId: AccountId,
  token: string,
  now: string,
): Promise<SessionRow | undefined> {
  const [row] = await named<SessionRow>(db, FIND_SESSION, [
    accountId,
    sha256(token),
    now,
    addMs(now, -SESSION_IDLE_MS),
  ])
  return row
}

const FIND_MEMBER = statement(
  'auth_member',
  'select id, name, role from members where account_id = $1 and id = $2',
)
type MemberRow = { id: string; name: string; role: Role }

export async function findMember(db: Db, accountId: AccountId, id: string): Promise<MemberRow | null> {
  const [row] = await named<MemberRow>(db, FIND_MEMBER, [accountId, id])
  return row ?? null
}
