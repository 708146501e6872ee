import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Type } from 'typebox'
import { ApiError } from '../../core/errors.ts'
import { sha256 } from '../secrets/secrets.ts'
import { requireUncommon } from './common-passwords.ts'
import { gate, type LaneKey } from './gate.ts'
import { rateLimiter } from './rate-limit.ts'

/** Argon2id with the parameters of B-auth-3 (OWASP password storage): 30 ms of one core and 19 MiB. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Compared when there is no stored hash, so that an unknown address takes as long as a known one. */
const DUMMY =
  '$argon2id$v=19$m=19456,t=2,p=1$H5eC/4B89ZGfU/OQxXIOmw$wY3C+xnbjZxKEdpOAyaYADhzC4dxQ6cBbeJkZrQMF+A'

/**
 * The purpose of a hash. Each has its own queue, so that none delays another: sign-ins from unknown browsers, sign-ins
 * from known browsers, new workspaces, passwords of members set or checked within a workspace, and PINs.
 */
export type Lane = 'signIn' | 'knownBrowser' | 'signUp' | 'member' | 'pin'

/** Leaves one core to the tills, however many people sign in concurrently. */
const PLACES = Math.max(1, availableParallelism() - 1)
/** Runs the hashing of one password: limited concurrency, fair queues, 429 if a queue is full. */
export const hashing = gate<Lane>(['knownBrowser', 'signIn', 'member', 'pin', 'signUp'], {
  places: PLACES,
  waiting: PLACES * 128,
  waitingOfOne: PLACES * 64,
  crowded: 'Too many passwords are being checked; try again in a few seconds',
})

/** A new password: 8 to 200 characters of any kind, spaces at its ends included (NIST 800-63B). */
export const NewPassword = Type.String({
  minLength: 8,
  maxLength: 200,
  format: 'password',
  'x-verbatim': true,
})
/** A password to check: one too short for any account is simply wrong; over 200 characters is rejected unread. */
export const AnyPassword = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'password',
  'x-verbatim': true,
})

/** Hashes a new password to a PHC string. Throws 422 if it is too common. */
export async function hashPassword(password: string, place: LaneKey<Lane>): Promise<string> {
  await requireUncommon(password)
  return hashing(place, () => hash(password, ARGON2ID))
}

/** Passwords that a workspace may hash or check per minute: at most a third of one core. */
const WORKSPACE_PER_MINUTE = 600
const budgets = rateLimiter()
/** In-flight hashes that several requests may await; an entry is removed when its hash is ready. */
const underWay = new Map<string, Promise<string>>()

/**
 * Hashes a password that a workspace sets for a member. Throws 429 RATE_LIMITED beyond the workspace's budget in this
 * process: a burst of 60, and 600 a minute. Concurrent requests with the same Idempotency-Key (`twin`) share a hash,
 * since only one of them is stored.
 */
export function hashForMember(accountId: string, password: string, twin?: string): Promise<string> {
  if (twin === undefined) return hashWithin(accountId, password)
  const name = `${accountId} ${twin} ${sha256(password)}`
  const running = underWay.get(name) ?? hashWithin(accountId, password).finally(() => underWay.delete(name))
  underWay.set(name, running)
  return running
}

const hashWithin = async (accountId: string, password: string): Promise<string> =>
  hashPassword(password, spend(accountId))

/** Checks a member's password against the stored hash, within the workspace's budget. */
export const checkOfMember = async (accountId: string, stored: string | null, password: string) =>
  hashing(spend(accountId), () => isPassword(stored, password))

/**
 * Hashes a PIN. `secretPin` is the PIN under the key of its workspace (pins.ts). PINs have their own budget and queue,
 * so that a till that tries many delays neither passwords nor other workspaces.
 */
export const hashPinOf = (accountId: string, secretPin: string): Promise<string> =>
  hashing(spend(accountId, 'pin'), () => hash(secretPin, ARGON2ID))

export const checkPinOf = (accountId: string, stored: string, secretPin: string): Promise<boolean> =>
  hashing(spend(accountId, 'pin'), () => isPassword(stored, secretPin))

const CALLED = { member: 'passwords', pin: 'PINs' } as const

/** Takes one unit of the workspace's budget and returns its queue position. Throws 429 if the budget is used up. */
function spend(accountId: string, lane: 'member' | 'pin' = 'member'): LaneKey<Lane> {
  const verdict = budgets.take(`${lane} ${accountId}`, WORKSPACE_PER_MINUTE, performance.now())
  if (verdict.allowed) return { lane, key: accountId }
  const seconds = verdict.resetSeconds
  throw new ApiError(
    'RATE_LIMITED',
    `Too many ${CALLED[lane]} were set or checked; try again in ${seconds} s`,
    {
      headers: { 'retry-after': String(seconds) },
    },
  )
}

/** Call it inside `hashing`. Takes the same time with and without a stored hash. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? DUMMY, password)
  return matches && stored !== null
}
