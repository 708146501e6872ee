import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authRequired, forbidden } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../db/open.ts'
import type { AccountId } from '../scope.ts'
import { findSession } from './statements.ts'
import { deleteSession, insertSession, type Seen } from './store.ts'
import { accountOfSession, newSessionToken, SESSION_ABSOLUTE_MS } from './tokens.ts'

export const isHttps = (config: Config) => config.publicUrl?.startsWith('https:') ?? false

/** `__Host-` binds the cookie to this host over https; plain http in development cannot carry it (RFC 6265bis). */
export const cookieName = (config: Config) => (isHttps(config) ? '__Host-kasir_session' : 'kasir_session')

export const attributes = (config: Config) =>
  ({ path: '/', httpOnly: true, secure: isHttps(config), sameSite: 'lax' }) as const

/** Opens a session of a member and returns its token, which only the browser keeps (B-auth-6). */
export async function startSession(
  tx: Tx,
  member: { accountId: AccountId; memberId: string; seen?: Seen; secondFactor?: boolean },
  now: string,
): Promise<string> {
  const token = newSessionToken(member.accountId)
  await insertSession(tx, { ...member, id: newId('session'), token, now })
  return token
}

const MAX_USER_AGENT = 300

/** Where a request came from, for the list that its member looks through. */
export const seenOf = ({ headers, ip }: { headers: FastifyRequest['headers']; ip?: string }): Seen => ({
  // Bytes that are no text would be refused by the database.
  userAgent: headers['user-agent']?.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT) || null,
  address: ip ?? null,
})

/**
 * The member whose session this browser carries. 401 without one that holds; 403 for an Authorization header, since no
 * other credential has sessions to look after.
 */
export async function signedIn(
  db: Db,
  config: Config,
  { headers, cookies }: Pick<FastifyRequest, 'headers' | 'cookies'>,
  now: string,
) {
  if (headers.authorization !== undefined)
    throw forbidden('This is for a browser that is signed in; send no key')
  const token = cookies[cookieName(config)]
  const accountId = token === undefined ? null : accountOfSession(token)
  const found = token !== undefined && accountId && (await findSession(db, accountId, token, now))
  if (!found) throw authRequired()
  const { id: sessionId, createdAt: since, memberId, email, name, role, secondFactor } = found
  return { accountId, sessionId, since, secondFactor, member: { id: memberId, email, name, role } }
}
export type SignedIn = Awaited<ReturnType<typeof signedIn>>

export const sendSession = (config: Config, reply: FastifyReply, token: string) =>
  reply.setCookie(cookieName(config), token, { ...attributes(config), maxAge: SESSION_ABSOLUTE_MS / 1000 })

/**
 * Ends the session of this browser: its cookie is worthless from here on, wherever it was copied. Answers whose it was;
 * null for a browser without one.
 */
export async function endSession(tx: Tx, token: string) {
  const accountId = accountOfSession(token)
  const ended = accountId && (await deleteSession(tx, accountId, token))
  return ended ? { accountId, ...ended } : null
}

export const forgetSession = (config: Config, reply: FastifyReply) =>
  reply.clearCookie(cookieName(config), attributes(config))
