import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, forbidden, invalid } from '../../core/errors.ts'
import { addMs } from '../../core/time.ts'
import type { Config } from '../config/config.ts'
import { inTx, type WriteDb } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { randomToken, sha256 } from '../secrets/secrets.ts'
import { requireSameSite } from './authenticate.ts'
import { attributes, isHttps } from './cookies.ts'
import * as store from './store-operator.ts'

export const LINK_MINUTES = 15
const SESSION_MS = 8 * 3_600_000
/** 32 random bytes. No id of a workspace is in it, so it never passes as the credential of a member. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

type Tools = Pick<Deps, 'config'> & { db: WriteDb }

/** `__Host-` would need the path /, which would send the cookie along with every request of the register. */
const cookieName = (config: Config) => (isHttps(config) ? '__Secure-kasir_operator' : 'kasir_operator')
const cookieOptions = (config: Config, path: string) =>
  ({ ...attributes(config), path, sameSite: 'strict' }) as const

/** Creates the token of a link, which opens the operator page once. */
export async function makeOperatorLink(db: WriteDb, now: string): Promise<string> {
  const token = randomToken()
  const expiresAt = addMs(now, LINK_MINUTES * 60_000)
  await store.insertToken(db, { tokenHash: sha256(token), kind: 'LINK', createdAt: now, expiresAt })
  return token
}

/** Ends every operator session and revokes every unused link. Returns how many of each were still valid. */
export async function revokeOperators(
  db: WriteDb,
  now: string,
): Promise<{ sessions: number; links: number }> {
  const valid = (await store.removeAll(db)).filter(({ expiresAt }) => expiresAt > now)
  const sessions = valid.filter(({ kind }) => kind === 'SESSION').length
  return { sessions, links: valid.length - sessions }
}

const sentToken = (config: Config, { cookies }: Pick<FastifyRequest, 'cookies'>): string | null => {
  const token = cookies[cookieName(config)]
  return token !== undefined && TOKEN.test(token) ? token : null
}

/** The same defence as for sessions, on reads too. A page of CORS_ORIGINS is a client of workspaces only (B-operator-2). */
const requireOwnPage = (config: Config, { headers }: Pick<FastifyRequest, 'headers'>) =>
  requireSameSite({ ...config, corsOrigins: [] }, { headers, method: 'POST' })

const invalidLink = () =>
  invalid('token', 'This link was used or has expired; run kasir operator-link for a new one')

/**
 * Exchanges the token of a link for a session, whose cookie only requests under `path` carry. The session that this
 * browser had before ends. Throws 422 if the link was used or has expired. A token has 256 random bits, so guesses
 * are limited by the budget of their address alone, and no stranger can lock the operator out.
 */
export async function startOperatorSession(
  { config, db }: Tools,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { token, now, path }: { token: string; now: string; path: string },
): Promise<{ expiresAt: string }> {
  requireOwnPage(config, request)
  const link = { kind: 'LINK', tokenHash: sha256(token), now } as const
  if (!TOKEN.test(token)) throw invalidLink()
  const before = sentToken(config, request)
  const session = randomToken()
  const expiresAt = addMs(now, SESSION_MS)
  await inTx(db, async (tx) => {
    if (!(await store.takeToken(tx, link))) throw invalidLink()
    if (before !== null) await store.removeToken(tx, 'SESSION', sha256(before))
    await store.insertToken(tx, { tokenHash: sha256(session), kind: 'SESSION', createdAt: now, expiresAt })
  })
  const options = cookieOptions(config, path)
  reply.setCookie(cookieName(config), session, { ...options, maxAge: SESSION_MS / 1000 })
  return { expiresAt }
}

/**
 * Requires an operator session. Throws 401 without one, and 403 for an Authorization header or a page of another
 * origin. Returns when the session ends.
 */
export async function requireOperator(
  { config, db }: Tools,
  request: Pick<FastifyRequest, 'headers' | 'cookies'>,
  now: string,
): Promise<{ expiresAt: string }> {
  if (request.headers.authorization !== undefined)
    throw forbidden('This route takes only an operator session of a browser; send no Authorization header')
  requireOwnPage(config, request)
  const token = sentToken(config, request)
  const found =
    token === null ? undefined : await store.findToken(db, { kind: 'SESSION', tokenHash: sha256(token), now })
  if (!found)
    throw new ApiError('AUTH_REQUIRED', 'Run kasir operator-link on the machine and open its address')
  return found
}

/** Ends the session of this browser and clears its cookie; works without a session too. */
export async function endOperatorSession(
  { config, db }: Tools,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  path: string,
): Promise<void> {
  requireOwnPage(config, request)
  const token = sentToken(config, request)
  if (token !== null) await store.removeToken(db, 'SESSION', sha256(token))
  reply.clearCookie(cookieName(config), cookieOptions(config, path))
}
