import { addMs, msBetween } from '../../core/time.ts'
import type { Db, Tx, WriteDb } from '../db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../db/own-rows.ts'
import type { AccountId, Actor } from '../scope.ts'
import { sha256 } from '../secrets.ts'
import { KEY_PREFIX, lastOfKey, SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from './tokens.ts'

/** Use is written at most once a minute per credential: a till must not turn every request into a write. */
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

/** Answers those that this call revoked. */
export const revokeKeys = (tx: Tx, accountId: AccountId, ids: readonly string[], now: string) =>
  updateOwn(tx, { accountId }, 'apiKeys')
    .set({ revokedAt: now, updatedAt: now })
    .where('id', 'in', ids)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()

/** Where a session is used from, as its member will read it. */
export type Seen = { userAgent: string | null; address: string | null }

export const touchSession = (db: WriteDb, accountId: AccountId, id: string, now: string, seen: Seen) =>
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
    seen?: Seen
    secondFactor?: boolean
  },
) =>
  insertOwn(tx, session, 'sessions', {
    id: session.id,
    memberId: session.memberId,
    tokenHash: sha256(session.token),
    createdAt: session.now,
    lastSeenAt: session.now,
    expiresAt: addMs(session.now, SESSION_ABSOLUTE_MS),
    secondFactor: session.secondFactor ?? false,
    ...session.seen,
  }).execute()

export const deleteSession = (db: WriteDb, accountId: AccountId, token: string) =>
  deleteOwn(db, { accountId }, 'sessions')
    .where('tokenHash', '=', sha256(token))
    .returning(['id', 'memberId'])
    .executeTakeFirst()

/** Every session of a member ends: who was removed, or whose password changed, is out on the next request. */
export const deleteSessionsOf = (tx: Tx, accountId: AccountId, memberId: string) =>
  deleteOwn(tx, { accountId }, 'sessions').where('memberId', '=', memberId).execute()

/** A member who switched the second factor off holds sessions without one. */
export const weakenSessionsOf = (tx: Tx, accountId: AccountId, memberId: string) =>
  updateOwn(tx, { accountId }, 'sessions')
    .set({ secondFactor: false })
    .where('memberId', '=', memberId)
    .execute()

/** More than anybody looks through; ending some of them shows those behind. */
const MOST_SESSIONS = 100

/** The sessions of a member that still work, the one used last first. */
export const listSessions = (db: Db, accountId: AccountId, memberId: string, now: string) =>
  ownRows(db, { accountId }, 'sessions')
    .select(['id', 'createdAt', 'lastSeenAt', 'expiresAt', 'userAgent', 'address'])
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
  (await deleteOwn(db, { accountId }, 'sessions')
    .where('memberId', '=', memberId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined
