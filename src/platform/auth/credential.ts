import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { AccountId } from '../scope.ts'
import { sha256 } from '../secrets/secrets.ts'
import { cookieName } from './session.ts'
import { accountOfKey, accountOfSession, KEY_PREFIX } from './tokens.ts'

/** The secret as sent, never logged or stored, and the hash that identifies it. */
type ReceivedCredential = { secret: string; hash: string }

/** A credential checked by format only: the lookup or the signature check proves it. */
export type Credential =
  | (ReceivedCredential & { kind: 'apiKey' | 'session'; accountId: AccountId })
  | (ReceivedCredential & { kind: 'jwt' | 'delegation' })
export type CredentialKind = Credential['kind']

/**
 * Reads the credential of a request. Returns null if it is missing or malformed. An Authorization header takes
 * precedence: the cookie counts only without it (B-auth-7).
 */
export function credentialOf(
  config: Config,
  { headers, cookies }: Pick<FastifyRequest, 'headers' | 'cookies'>,
): Credential | null {
  const header = headers.authorization
  if (header !== undefined) return carriedBy(header)
  const secret = cookies[cookieName(config)]
  const accountId = secret === undefined ? null : accountOfSession(secret)
  return secret === undefined || accountId === null
    ? null
    : { kind: 'session', accountId, secret, hash: sha256(secret) }
}

/** Three parts in base64url without padding (RFC 7515, 3.1), of a length that a header can carry. */
const JWT = /^(?=.{1,12000}$)[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/** Token kind by Authorization scheme; a delegation token sent as Bearer is rejected (B-delegate-1). */
const SCHEMES: Readonly<Record<string, 'jwt' | 'delegation'>> = { bearer: 'jwt', delegation: 'delegation' }

function carriedBy(header: string): Credential | null {
  const [, scheme = '', secret = ''] = /^(\S+) +(\S+)$/.exec(header) ?? []
  const kind = SCHEMES[scheme.toLowerCase()]
  if (kind === undefined) return null
  if (kind === 'delegation' || !secret.startsWith(KEY_PREFIX)) {
    return JWT.test(secret) ? { kind, secret, hash: sha256(secret) } : null
  }
  const accountId = accountOfKey(secret)
  return accountId && { kind: 'apiKey', accountId, secret, hash: sha256(secret) }
}
