import { addMs, msBetween } from '../../core/time.ts'
import type { Db, Tx, WriteDb } from '../db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../db/own-rows.ts'
import type { AccountId, Actor, Role } from '../scope.ts'
import { sha256 } from '../secrets/secrets.ts'
import { KEY_PREFIX, lastOfKey, SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from './tokens.ts'

/** Last use is written at most once a minute per credential, so that not every request causes a write. */
const TOUCH_EVERY_MS = 60_000
export const isStale = (last: string | null, now: string) =>
  last === null || msBetween(last, now) > TOUCH_EVERY_MS

export const touchKey = (db: WriteDb, accountId: AccountId, id: string, now: string) =>
  updateOwn(db, { accountId }, 'apiKeys').set({ lastUsedAt: now }).where('id', '=', id).execute()

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
  insertOwn(tx, key, 'apiKeys', {
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
  }).execute()

/** Returns the keys that this call revoked. */
export const revokeKeys = (tx: Tx, accountId: AccountId, ids: readonly string[], now: string) =>
  updateOwn(tx, { accountId }, 'apiKeys')
    .set({ revokedAt: now, updatedAt: now })
    .where('id', 'in', ids)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()

export const setKeyRole = (
  tx: Tx,
  accountId: AccountId,
  { ids, role, now }: { ids: readonly string[]; role: Role; now: string },
) => updateOwn(tx, { accountId }, 'apiKeys').set({ role, updatedAt: now }).where('id', 'in', ids).execute()

/** Where a session is used from, as shown to its member. */
export type SessionOrigin = { userAgent: string | null; address: string | null }

export const touchSession = (
  db: WriteDb,
  accountId: AccountId,
  { id, now, seen }: { id: string; now: string; seen: SessionOrigin },
) =>
  updateOwn(db, { accountId }, 'sessions')
    .set({ lastSeenAt: now, ...seen })
    .where('id', '=', id)
    .execute()

export const insertSession = (
  tx: Tx,
  session: {
    accountId: AccountId
    id: string
    memberId: string
    token: string
    now: string
    seen?: SessionOrigin
    secondFactor?: boolean
    atTill?: { tillId: string; lastsMs: number }
  },
) =>
  insertOwn(tx, session, 'sessions', {
    id: session.id,
    memberId: session.memberId,
    tokenHash: sha256(session.token),
    createdAt: session.now,
    lastSeenAt: session.now,
    expiresAt: addMs(session.now, session.atTill?.lastsMs ?? SESSION_ABSOLUTE_MS),
    secondFactor: session.secondFactor ?? false,
    tillId: session.atTill?.tillId ?? null,
    ...session.seen,
  }).execute()

export const deleteSession = (db: WriteDb, accountId: AccountId, token: string) =>
  deleteOwn(db, { accountId }, 'sessions')
    .where('tokenHash', '=', sha256(token))
    .returning(['id', 'memberId'])
    .executeTakeFirst()

/** Ends all sessions of a member who was removed or whose password changed; their next request gets 401. */
export const deleteSessionsOf = (tx: Tx, accountId: AccountId, memberId: string) =>
  deleteOwn(tx, { accountId }, 'sessions').where('memberId', '=', memberId).execute()

/** Ends a member's sessions that began with a PIN (B-pin-4). */
export const deletePinSessionsOf = (tx: Tx, accountId: AccountId, memberId: string) =>
  deleteOwn(tx, { accountId }, 'sessions')
    .where('memberId', '=', memberId)
    .where('tillId', 'is not', null)
    .execute()

/** Ends the sessions that began at a till (B-till-3). */
export const deleteSessionsAt = (tx: Tx, accountId: AccountId, tillId: string) =>
  deleteOwn(tx, { accountId }, 'sessions').where('tillId', '=', tillId).execute()

/** Marks a member's sessions as without a second factor, after the member switched it off. */
export const dropSecondFactorOfSessions = (tx: Tx, accountId: AccountId, memberId: string) =>
  updateOwn(tx, { accountId }, 'sessions')
    .set({ secondFactor: false })
    .where('memberId', '=', memberId)
    .execute()

/** Maximum number listed; ending some of them reveals the rest. */
const MOST_SESSIONS = 100

/** The sessions of a member that still work, the one used last first. */
export const listSessions = (db: Db, accountId: AccountId, memberId: string, now: string) =>
  ownRows(db, { accountId }, 'sessions')
    .select(['id', 'createdAt', 'lastSeenAt', 'expiresAt', 'userAgent', 'address', 'tillId'])
    .where('memberId', '=', memberId)
    .where('expiresAt', '>', now)
    .where('lastSeenAt', '>', addMs(now, -SESSION_IDLE_MS))
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_SESSIONS)
    .execute()

/** Deletes a session of this member. Returns false if the member has no session with this id. */
export const deleteSessionById = async (
  db: WriteDb,
  accountId: AccountId,
  memberId: string,
  id: string,
): Promise<boolean> =>
  (await deleteOwn(db, { accountId }, 'sessions')
    .where('memberId', '=', memberId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined
