import { errors, type JWSHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import type { Logger } from 'pino'
import { addMs, dateOf } from '../../core/time.ts'
import type { AccountId } from '../scope.ts'
import type { ProviderKeys } from './jwks.ts'
import { accountOfClaim } from './tokens.ts'

/** Verified claims of a token: a member of a workspace, who may have been removed since, and the expiry. */
export type Claims = {
  accountId: AccountId
  memberId: string
  untilMs: number
  /** When the member signed in at the provider; absent if the token does not state it. */
  signedInAt?: string
}

/** Verifies a token of one kind; `inLine` queues the signature check. Returns null if the token is invalid. */
export type TokenVerifier<T extends Claims> = (
  token: string,
  now: string,
  inLine: InLine,
) => Promise<T | null>
export type InLine = <R>(check: () => Promise<R>) => Promise<R>

/** B-auth-9. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
export const SKEW_SECONDS = 60
/** Access tokens of RFC 9068, and of providers that set no specific type. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt', 'application/jwt']
/** Headers that carry a key or its URL: an attacker can set these (RFC 8725, 3.10). */
const KEYS_OF_ITS_OWN = ['jku', 'jwk', 'x5u', 'x5c'] as const
/**
 * Claims found only in ID tokens, which identify a user but grant no access (OpenID Connect Core, 3.1.3.6).
 */
const OF_AN_ID_TOKEN = ['at_hash', 'c_hash'] as const

type Provider = { issuer: string; audience: string; keys: ProviderKeys; log: Logger }

/** Verifies tokens of the identity provider (B-auth-9, RFC 8725). Throws 503 while its keys are unavailable. */
export const verifierOf =
  ({ issuer, audience, keys, log }: Provider): TokenVerifier<Claims> =>
  async (token, now, inLine) => {
    const at = dateOf(now)
    try {
      const header = headerOf(token)
      requireHeader(header)
      const key = await keys.find(header)
      if (!key) throw new TokenRefused('no matching key')
      const expected = {
        algorithms: ALGORITHMS,
        issuer,
        audience,
        requiredClaims: ['exp', 'sub', 'account_id'],
        clockTolerance: SKEW_SECONDS,
        currentDate: at,
      }
      const { payload } = await inLine(() => jwtVerify(token, key, expected))
      return claimsOf(payload, at.getTime())
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Helps an operator who sets up a provider; the reason never contains a value of the token.
      log.debug({ reason: error.message }, 'a token of the identity provider was refused')
      return null
    }
  }

/** Why a token is invalid; the client never sees the reason. */
export class TokenRefused extends Error {}
export const isRefusal = (error: unknown): error is Error =>
  error instanceof TokenRefused || error instanceof errors.JOSEError

function requireHeader(header: JWSHeaderParameters) {
  const { alg = '', typ } = header
  if (!ALGORITHMS.includes(alg)) throw new TokenRefused('unsupported algorithm')
  if (!TYPES.includes(typ?.toLowerCase())) throw new TokenRefused('unsupported token type')
  if (KEYS_OF_ITS_OWN.some((name) => name in header)) throw new TokenRefused('a key in the header')
}

/** Parses a token's header. Throws unless header and claims are JSON objects without duplicate names. */
export function headerOf(token: string): JWSHeaderParameters {
  const [header] = token.split('.', 2).map(objectOf)
  return header as JWSHeaderParameters
}

/** Parsers disagree on duplicate names, so a token with one is rejected (RFC 7519, 4). */
function objectOf(part: string): object {
  const text = Buffer.from(part, 'base64url').toString('utf8')
  const value = parsed(text)
  if (typeof value !== 'object' || value === null) throw new TokenRefused('not an object')
  const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/g)].filter(([, colon]) => colon).length
  if (written !== namesIn(value)) throw new TokenRefused('a duplicate name')
  return value
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new TokenRefused('not JSON')
  }
}

/** Not recursive: the sender controls the nesting depth. */
function namesIn(whole: object): number {
  const left: unknown[] = [whole]
  let names = 0
  for (const value of left) {
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) names += Object.keys(value).length
    for (const inner of Object.values(value)) left.push(inner)
  }
  return names
}

/** Times in seconds since 1970; JSON also allows numbers that are not valid times. */
export function requireTimes({ exp, iat }: JWTPayload, nowMs: number): { exp: number } {
  if (exp === undefined || !Number.isFinite(exp)) throw new TokenRefused('exp is not a valid time')
  const latest = nowMs / 1000 + SKEW_SECONDS
  if (iat !== undefined && !(Number.isFinite(iat) && iat <= latest))
    throw new TokenRefused('issued in the future')
  return { exp }
}

function claimsOf(payload: JWTPayload, nowMs: number): Claims {
  const { exp } = requireTimes(payload, nowMs)
  if (OF_AN_ID_TOKEN.some((name) => name in payload) || payload['typ'] === 'ID')
    throw new TokenRefused('an ID token')
  return { ...subjectOf(payload), untilMs: (exp + SKEW_SECONDS) * 1000, ...signInOf(payload, nowMs) }
}

const EPOCH = '1970-01-01T00:00:00.000Z'

/** `auth_time` (OpenID Connect Core, 2). Ignores a value that is not in the past. */
function signInOf({ auth_time: seconds }: JWTPayload, nowMs: number): Pick<Claims, 'signedInAt'> {
  const isPast = typeof seconds === 'number' && seconds >= 0 && seconds <= nowMs / 1000 + SKEW_SECONDS
  return isPast ? { signedInAt: addMs(EPOCH, seconds * 1000) } : {}
}

/** The member and the workspace; the lookup checks that they belong together. */
export function subjectOf({ sub, account_id: account }: JWTPayload): Pick<Claims, 'accountId' | 'memberId'> {
  const accountId = typeof account === 'string' ? accountOfClaim(account) : null
  if (accountId === null) throw new TokenRefused('no workspace')
  if (typeof sub !== 'string' || sub.length > 64) throw new TokenRefused('no member')
  return { accountId, memberId: sub }
}
