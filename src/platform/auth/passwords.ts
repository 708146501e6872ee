import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Type } from 'typebox'
import { ApiError } from '../../core/errors.ts'
import { rateLimiter } from '../http/rate-limit.ts'
import { sha256 } from '../secrets.ts'
import { requireUncommon } from './common-passwords.ts'
import { gate, type Place } from './gate.ts'

/** Argon2id with the parameters of B-auth-3 (OWASP password storage): 30 ms of one core and 19 MiB. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What is checked when there is nothing to check, so that an unknown address takes as long as a known one. */
const DUMMY =
  '$argon2id$v=19$m=19456,t=2,p=1$H5eC/4B89ZGfU/OQxXIOmw$wY3C+xnbjZxKEdpOAyaYADhzC4dxQ6cBbeJkZrQMF+A'

/**
 * What a password is hashed for. Each has a line of its own, so that no crowd holds up another: strangers who sign in,
 * browsers that signed in before, workspaces that are opened, and members whose password is set from inside.
 */
export type Lane = 'signIn' | 'knownBrowser' | 'signUp' | 'member'

/** One core is always left to the tills, however many people sign in at once. */
const PLACES = Math.max(1, availableParallelism() - 1)
/** Runs work that hashes one password: bounded, in turns, 429 beyond the lines. */
export const hashing = gate<Lane>(['knownBrowser', 'signIn', 'member', 'signUp'], {
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
/** A password to check: one that no account can have is simply wrong, only endless ones are refused unread. */
export const AnyPassword = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'password',
  'x-verbatim': true,
})

/** The PHC text of a new password; 422 for one that is too common to be any. */
export async function hashPassword(password: string, place: Place<Lane>): Promise<string> {
  await requireUncommon(password)
  return hashing(place, () => hash(password, ARGON2ID))
}

/** Passwords that one workspace may have hashed or checked: a third of one core at most. */
const WORKSPACE_PER_MINUTE = 600
const budgets = rateLimiter()
/** Hashes under way that several requests wait for; an entry leaves when its hash is made. */
const underWay = new Map<string, Promise<string>>()

/**
 * The PHC text of a password that a workspace sets for one of its members. 429 RATE_LIMITED past the workspace's own
 * budget: 60 at once, 600 a minute in this process. Requests that are sent with one Idempotency-Key (`twin`) at once
 * share a hash, since only one of them will be stored.
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

/** Whether a member's password is the stored one, within the budget of the workspace. */
export const checkOfMember = async (accountId: string, stored: string | null, password: string) =>
  hashing(spend(accountId), () => isPassword(stored, password))

/** The place in line of a workspace that has budget left. */
function spend(accountId: string): Place<Lane> {
  const verdict = budgets.take(accountId, WORKSPACE_PER_MINUTE, performance.now())
  if (verdict.allowed) return { lane: 'member', key: accountId }
  const seconds = verdict.resetSeconds
  throw new ApiError('RATE_LIMITED', `Too many passwords were set at once; wait ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/** To be called inside `hashing`. Takes the same time whether or not there is a hash to compare with. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? DUMMY, password)
  return matches && stored !== null
}
