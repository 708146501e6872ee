import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { AccountId } from '../scope.ts'
import { sha256 } from '../secrets.ts'
import { cookieName } from './session.ts'
import { accountOfKey, accountOfSession, KEY_PREFIX } from './tokens.ts'

/** What a request offers, judged by its form alone: the lookup that follows proves it. */
export type Credential = {
  kind: 'apiKey' | 'session'
  accountId: AccountId
  /** As it was sent; never to be logged or kept. */
  secret: string
  hash: string
}

/**
 * The credential of a request, or null when there is none or nothing that could be one. An Authorization header alone
 * decides when it is sent; the cookie counts only without it (contract 19.8).
 */
export function credentialOf(
  config: Config,
  { headers, cookies }: Pick<FastifyRequest, 'headers' | 'cookies'>,
): Credential | null {
  const header = headers.authorization
  if (header !== undefined) return keyOf(header)
  const secret = cookies[cookieName(config)]
  const accountId = secret === undefined ? null : accountOfSession(secret)
  return secret === undefined || accountId === null
    ? null
    : { kind: 'session', accountId, secret, hash: sha256(secret) }
}

function keyOf(header: string): Credential | null {
  const [, scheme = '', secret = ''] = /^(\S+) +(\S+)$/.exec(header) ?? []
  if (scheme.toLowerCase() !== 'bearer' || !secret.startsWith(KEY_PREFIX)) return null
  const accountId = accountOfKey(secret)
  return accountId && { kind: 'apiKey', accountId, secret, hash: sha256(secret) }
}
