import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '../../core/ids.ts'
import type { Config } from '../config.ts'
import type { Tx, WriteDb } from '../db/open.ts'
import type { AccountId } from '../scope.ts'
import { deleteSession, insertSession, SESSION_ABSOLUTE_MS } from './store.ts'
import { accountOfSession, newSessionToken } from './tokens.ts'

export const isHttps = (config: Config) => config.publicUrl?.startsWith('https:') ?? false

/** `__Host-` binds the cookie to this host over https; plain http in development cannot carry it (RFC 6265bis). */
export const cookieName = (config: Config) => (isHttps(config) ? '__Host-kasir_session' : 'kasir_session')

export const attributes = (config: Config) =>
  ({ path: '/', httpOnly: true, secure: isHttps(config), sameSite: 'lax' }) as const

/** Opens a session of a member and returns its token, which only the browser keeps (B-auth-6). */
export async function startSession(
  tx: Tx,
  member: { accountId: AccountId; memberId: string },
  now: string,
): Promise<string> {
  const token = newSessionToken(member.accountId)
  await insertSession(tx, { ...member, id: newId('session'), token, now })
  return token
}

export const sendSession = (config: Config, reply: FastifyReply, token: string) =>
  reply.setCookie(cookieName(config), token, { ...attributes(config), maxAge: SESSION_ABSOLUTE_MS / 1000 })

/** Ends the session of this browser, if it has one: its cookie is worthless from here on, wherever it was copied. */
export async function endSession(db: WriteDb, config: Config, request: FastifyRequest) {
  const token = request.cookies[cookieName(config)]
  const accountId = token === undefined ? null : accountOfSession(token)
  if (token !== undefined && accountId) await deleteSession(db, accountId, token)
}

export const forgetSession = (config: Config, reply: FastifyReply) =>
  reply.clearCookie(cookieName(config), attributes(config))
