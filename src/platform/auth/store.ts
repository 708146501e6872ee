import { addMs } from '../../core/time.ts'
import { batchReads } from '../db/batch-reads.ts'
import { type Db, named, type Tx, type WriteDb } from '../db/open.ts'
import { statement } from '../db/statement.ts'
import type { AccountId, Actor, Role } from '../scope.ts'
import { sha256 } from '../secrets.ts'
import { KEY_PREFIX, lastOfKey } from './tokens.ts'

const FIND_KEYS = statement(
  'auth_api_keys',
  `select hash, id, name, read_only as "readOnly", last_used_at as "lastUsedAt" from api_keys
    where account_id = $1 and hash = any($2) and revoked_at is null`,
)
export type KeyRow = { hash: string; id: string; name: string; readOnly: boolean; lastUsedAt: string | null }

/** A crowd of tills is known by one statement; a revoked key is refused by the next. */
export const findKey = batchReads<KeyRow>(async (db, accountId, hashes) => {
  const rows = await named<KeyRow>(db, FIND_KEYS, [accountId, hashes])
  return new Map(rows.map((row) => [row.hash, row]))
})

/** Idle 7 days sliding, absolute 30 days (B-auth-6). */
export const SESSION_IDLE_MS = 7 * 86_400_000
export const SESSION_ABSOLUTE_MS = 30 * 86_400_000

const FIND_SESSION = statement(
  'auth_session',
  `select s.id, s.last_seen_at as "lastSeenAt", m.id as "memberId", m.name, m.email, m.role
    from sessions s join members m on m.account_id = $1 and m.id = s.member_id
    where s.account_id = $1 and s.token_hash = $2 and s.expires_at > $3 and s.last_seen_at > $4`,
)
type SessionRow = {
  id: string
  lastSeenAt: string
  memberId: string
  name: string
  email: string
  role: Role
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

/** Use is written at most once a minute per credential: a till must not turn every request into a write. */
const TOUCH_EVERY_MS = 60_000
export const isStale = (last: string | null, now: string) =>
  last === null || last < addMs(now, -TOUCH_EVERY_MS)

export const touchKey = (db: WriteDb, accountId: AccountId, id: string, now: string) =>
  db
    .updateTable('apiKeys')
    .set({ lastUsedAt: now })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()

export const insertKey = (
  tx: Tx,
  key: {
    accountId: AccountId
    id: string
    name: string
    key: string
    readOnly: boolean
    maker: Pick<Actor, 'id' | 'name'>
    now: string
  },
) =>
  tx
    .insertInto('apiKeys')
    .values({
      accountId: key.accountId,
      id: key.id,
      name: key.name,
      prefix: KEY_PREFIX,
      last4: lastOfKey(key.key),
      createdBy: key.maker.id,
      createdByName: key.maker.name,
      hash: sha256(key.key),
      readOnly: key.readOnly,
      createdAt: key.now,
      updatedAt: key.now,
    })
    .execute()

/** Answers those that this call revoked. */
export const revokeKeys = (tx: Tx, accountId: AccountId, ids: readonly string[], now: string) =>
  tx
    .updateTable('apiKeys')
    .set({ revokedAt: now, updatedAt: now })
    .where('accountId', '=', accountId)
    .where('id', 'in', ids)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()

/** Where a session is used from, as its member will read it. */
export type Seen = { userAgent: string | null; address: string | null }

export const touchSession = (db: WriteDb, accountId: AccountId, id: string, now: string, seen: Seen) =>
  db
    .updateTable('sessions')
    .set({ lastSeenAt: now, ...seen })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()

export const insertSession = (
  tx: Tx,
  session: { accountId: AccountId; id: string; memberId: string; token: string; now: string; seen?: Seen },
) =>
  tx
    .insertInto('sessions')
    .values({
      accountId: session.accountId,
      id: session.id,
      memberId: session.memberId,
      tokenHash: sha256(session.token),
      createdAt: session.now,
      lastSeenAt: session.now,
      expiresAt: addMs(session.now, SESSION_ABSOLUTE_MS),
      ...session.seen,
    })
    .execute()

export const deleteSession = (db: WriteDb, accountId: AccountId, token: string) =>
  db
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('tokenHash', '=', sha256(token))
    .returning(['id', 'memberId'])
    .executeTakeFirst()

/** Every session of a member ends: who was removed, or whose password changed, is out on the next request. */
export const deleteSessionsOf = (tx: Tx, accountId: AccountId, memberId: string) =>
  tx.deleteFrom('sessions').where('accountId', '=', accountId).where('memberId', '=', memberId).execute()

/** More than anybody looks through; ending some of them shows those behind. */
const MOST_SESSIONS = 100

/** The sessions of a member that still work, the one used last first. */
export const listSessions = (db: Db, accountId: AccountId, memberId: string, now: string) =>
  db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastSeenAt', 'expiresAt', 'userAgent', 'address'])
    .where('accountId', '=', accountId)
    .where('memberId', '=', memberId)
    .where('expiresAt', '>', now)
    .where('lastSeenAt', '>', addMs(now, -SESSION_IDLE_MS))
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_SESSIONS)
    .execute()

/** Whether the member had such a session; a session of anybody else is none of theirs. */
export const deleteSessionById = async (
  db: WriteDb,
  accountId: AccountId,
  memberId: string,
  id: string,
): Promise<boolean> =>
  (await db
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('memberId', '=', memberId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined
