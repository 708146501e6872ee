import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authRequired, forbidden } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Config } from '../config/config.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { AccountId } from '../scope.ts'
import { attributes, isHttps } from './cookies.ts'
import { findSession } from './statements.ts'
import { deleteSession, insertSession, type SessionOrigin } from './store.ts'
import { tillOf } from './till.ts'
import { accountOfSession, newSessionToken, SESSION_ABSOLUTE_MS } from './tokens.ts'

/** `__Host-` binds the cookie to this host over https; plain http in development cannot carry it (RFC 6265bis). */
export const cookieName = (config: Config) => (isHttps(config) ? '__Host-kasir_session' : 'kasir_session')

type NewSession = {
  accountId: AccountId
  memberId: string
  seen?: SessionOrigin
  secondFactor?: boolean
  /** For a session that begins with a PIN: its till and how long it lasts (B-pin-3). */
  atTill?: { tillId: string; lastsMs: number }
}

/** Starts a member's session and returns its token, which only the browser stores (B-auth-6). */
export async function startSession(tx: Tx, member: NewSession, now: string): Promise<string> {
  const token = newSessionToken(member.accountId)
  await insertSession(tx, { ...member, id: newId('session'), token, now })
  return token
}

const MAX_USER_AGENT = 300

/** Where a request came from, shown in the member's list of sessions. */
export const toSessionOrigin = ({
  headers,
  ip,
}: {
  headers: FastifyRequest['headers']
  ip?: string
}): SessionOrigin => ({
  // The database rejects bytes that are not text.
  userAgent: headers['user-agent']?.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT) || null,
  address: ip ?? null,
})

/**
 * The signed-in member of this browser. Throws 401 without a valid session, and 403 for an Authorization header, since
 * only browsers have sessions to manage.
 */
export async function signedIn(
  { db, config, secrets }: Pick<Deps, 'config' | 'secrets'> & { db: Db },
  request: Pick<FastifyRequest, 'headers' | 'cookies'>,
  now: string,
) {
  const { headers, cookies } = request
  if (headers.authorization !== undefined)
    throw forbidden('This is for a browser that is signed in; send no key')
  const token = cookies[cookieName(config)]
  const accountId = token === undefined ? null : accountOfSession(token)
  const till = tillOf({ config, secrets }, request)
  const found = token !== undefined && accountId && (await findSession(db, accountId, { token, till, now }))
  if (!found) throw authRequired()
  const { id: sessionId, createdAt: since, memberId, email, name, role, secondFactor, tillId } = found
  const pinAt = tillId ?? undefined
  return { accountId, sessionId, since, secondFactor, pinAt, member: { id: memberId, email, name, role } }
}
export type SignedIn = Awaited<ReturnType<typeof signedIn>>

/**
 * 403 for a session that began with a PIN: a person who saw four digits being typed must not change how people sign in
 * (B-pin-5).
 */
export function requirePassword({ pinAt }: { pinAt?: string | undefined }) {
  if (pinAt !== undefined)
    throw forbidden('A PIN is not enough for this. Sign in with your password, then try again')
}

export const sendSession = (
  config: Config,
  reply: FastifyReply,
  token: string,
  lastsMs = SESSION_ABSOLUTE_MS,
) => reply.setCookie(cookieName(config), token, { ...attributes(config), maxAge: lastsMs / 1000 })

/**
 * Ends this browser's session: copies of its cookie also stop working. Returns the session's owner, or null if there
 * was no session.
 */
export async function endSession(tx: Tx, token: string) {
  const accountId = accountOfSession(token)
  const ended = accountId && (await deleteSession(tx, accountId, token))
  return ended ? { accountId, ...ended } : null
}

export const clearSessionCookie = (config: Config, reply: FastifyReply) =>
  reply.clearCookie(cookieName(config), attributes(config))
