import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { assert } from '../../core/assert.ts'
import { newId } from '../../core/ids.ts'
import { addMs, dateOf } from '../../core/time.ts'
import { type AccountId, DELEGATION_MODES, type Delegate } from '../scope.ts'
import type { Secrets } from '../secrets/keyring.ts'
import {
  type Claims,
  headerOf,
  isRefusal,
  requireTimes,
  subjectOf,
  TokenRefused,
  type TokenVerifier,
} from './jwt.ts'

/** Verified claims of a delegation token: the member, and the assistant run that acts for them. */
export type DelegateClaims = Claims & { delegate: Delegate }

/** B-delegate-1. */
const ALGORITHM = 'EdDSA'
const TYPE = 'delegation+jwt'
export const MOST_MINUTES = 15
/** All processes of an installation share this key, so each verifies the tokens of the others. */
const PURPOSE = 'delegation'

const RUN = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,200}$/u
/** Whether the text is a valid run name: 1 to 200 characters on one line. */
export const isRun = (text: string) => text.trim() !== '' && RUN.test(text)

export type DelegationRequest = {
  accountId: AccountId
  memberId: string
  mode: Delegate['mode']
  /** The run's id in the assistant's own records. */
  run?: string | null
  /** 1 to 15. */
  minutes?: number
}
export type DelegationToken = { token: string; id: string; expiresAt: string }

/**
 * Mints the credential of one assistant run that acts for a member. The caller must authorize it: no route mints
 * tokens (B-delegate-2).
 */
export async function mintDelegation(
  { secrets }: { secrets: Secrets },
  { accountId, memberId, mode, run = null, minutes = MOST_MINUTES }: DelegationRequest,
  now: string,
): Promise<DelegationToken> {
  assert(
    Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES,
    'a token lasts 1 to 15 minutes',
  )
  assert(run === null || isRun(run), 'a run has a name of one line')
  const id = newId('delegation')
  const nowMs = dateOf(now).getTime()
  const iat = Math.floor(nowMs / 1000)
  const exp = iat + minutes * 60
  const claims: JWTPayload = { account_id: accountId, mode, ...(run === null ? {} : { run }) }
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: secrets.keyId })
    .setSubject(memberId)
    .setJti(id)
    .setIssuedAt(iat)
    .setExpirationTime(exp)
    .sign(secrets.signingKey(PURPOSE))
  return { token, id, expiresAt: addMs(now, exp * 1000 - nowMs) }
}

/** Verifies tokens that `mintDelegation` made with the key of this installation. */
export function delegationVerifier(secrets: Secrets): TokenVerifier<DelegateClaims> {
  return async (token, now, inLine) => {
    const at = dateOf(now)
    try {
      const { kid } = headerOf(token)
      const publicKey = typeof kid === 'string' ? await secrets.verifyingKey(PURPOSE, kid) : null
      if (publicKey === null) return null
      const expected = { algorithms: [ALGORITHM], typ: TYPE, currentDate: at }
      const { payload } = await inLine(() => jwtVerify(token, publicKey, expected))
      return claimsOf(payload, at.getTime())
    } catch (error) {
      if (isRefusal(error)) return null
      throw error
    }
  }
}

function claimsOf(payload: JWTPayload, nowMs: number): DelegateClaims {
  const { exp } = requireTimes(payload, nowMs)
  const { iat, jti, mode: said, run = null } = payload
  const mode = DELEGATION_MODES.find((one) => one === said)
  if (mode === undefined || typeof jti !== 'string') throw new TokenRefused('no mode or no id')
  if (iat === undefined || exp - iat > MOST_MINUTES * 60) throw new TokenRefused('a life too long')
  if (run !== null && !(typeof run === 'string' && isRun(run))) throw new TokenRefused('no name of a run')
  return { ...subjectOf(payload), delegate: { mode, id: jti, run }, untilMs: exp * 1000 }
}
