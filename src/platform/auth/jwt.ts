import { errors, type JWSHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import type { Logger } from 'pino'
import { dateOf } from '../../core/time.ts'
import type { AccountId } from '../scope.ts'
import type { ProviderKeys } from './jwks.ts'
import { accountOfClaim } from './tokens.ts'

/** What a token proves: a member of a workspace, who may have been removed since, until an instant. */
export type Claims = { accountId: AccountId; memberId: string; untilMs: number }

/** Verifies a token of one kind; `inLine` runs the check of its signature. Null for one that is wrong in any way. */
export type Verify<T extends Claims> = (token: string, now: string, inLine: InLine) => Promise<T | null>
export type InLine = <R>(check: () => Promise<R>) => Promise<R>

/** B-auth-9. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
export const SKEW_SECONDS = 60
/** Access tokens of RFC 9068, and those of providers that give them no type of their own. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt', 'application/jwt']
/** Where a token would have us fetch its key, or the key itself: a forger writes these (RFC 8725, 3.10). */
const KEYS_OF_ITS_OWN = ['jku', 'jwk', 'x5u', 'x5c'] as const
/**
 * What only ID tokens carry: they tell an application who signed in, and open nothing (OpenID Connect Core, 3.1.3.6).
 */
const OF_AN_ID_TOKEN = ['at_hash', 'c_hash'] as const

type Provider = { issuer: string; audience: string; keys: ProviderKeys; log: Logger }

/** Verifies tokens of the identity provider (B-auth-9, RFC 8725). 503 while its keys cannot be had. */
export const verifierOf =
  ({ issuer, audience, keys, log }: Provider): Verify<Claims> =>
  async (token, now, inLine) => {
    const at = dateOf(now)
    try {
      const header = headerOf(token)
      requireHeader(header)
      const key = await keys.find(header)
      if (!key) throw new Refused('no key of its name and kind')
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
      // For an operator who joins a provider; it names the fault and never a value.
      log.debug({ reason: error.message }, 'a token of the identity provider was refused')
      return null
    }
  }

/** Why a token is wrong; nobody outside learns it. */
export class Refused extends Error {}
export const isRefusal = (error: unknown): error is Error =>
  error instanceof Refused || error instanceof errors.JOSEError

function requireHeader(header: JWSHeaderParameters) {
  const { alg = '', typ } = header
  if (!ALGORITHMS.includes(alg)) throw new Refused('another algorithm')
  if (!TYPES.includes(typ?.toLowerCase())) throw new Refused('another type of token')
  if (KEYS_OF_ITS_OWN.some((name) => name in header)) throw new Refused('a key of its own')
}

/** The header of a token whose header and claims are JSON objects that hold each name once. */
export function headerOf(token: string): JWSHeaderParameters {
  const [header] = token.split('.', 2).map(objectOf)
  return header as JWSHeaderParameters
}

/** Two parsers may read a name that comes twice differently, so no token may hold one (RFC 7519, 4). */
function objectOf(part: string): object {
  const text = Buffer.from(part, 'base64url').toString('utf8')
  const value = parsed(text)
  if (typeof value !== 'object' || value === null) throw new Refused('not an object')
  const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/g)].filter(([, colon]) => colon).length
  if (written !== namesIn(value)) throw new Refused('a name that comes twice')
  return value
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused('not JSON')
  }
}

/** Not by recursion: a stranger chooses how deep the value goes. */
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

/** Seconds since 1970; JSON can write numbers that are not an instant. */
export function requireTimes({ exp, iat }: JWTPayload, nowMs: number): { exp: number } {
  if (exp === undefined || !Number.isFinite(exp)) throw new Refused('an end that is no instant')
  const latest = nowMs / 1000 + SKEW_SECONDS
  if (iat !== undefined && !(Number.isFinite(iat) && iat <= latest)) throw new Refused('made in the future')
  return { exp }
}

function claimsOf(payload: JWTPayload, nowMs: number): Claims {
  const { exp } = requireTimes(payload, nowMs)
  if (OF_AN_ID_TOKEN.some((name) => name in payload) || payload['typ'] === 'ID')
    throw new Refused('an ID token')
  return { ...subjectOf(payload), untilMs: (exp + SKEW_SECONDS) * 1000 }
}

/** The member and the workspace; that they belong together is for the lookup to see. */
export function subjectOf({ sub, account_id: account }: JWTPayload): Omit<Claims, 'untilMs'> {
  const accountId = typeof account === 'string' ? accountOfClaim(account) : null
  if (accountId === null) throw new Refused('no workspace')
  if (typeof sub !== 'string' || sub.length > 64) throw new Refused('no member')
  return { accountId, memberId: sub }
}
