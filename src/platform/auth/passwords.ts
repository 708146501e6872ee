import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Type } from 'typebox'
import { gate } from './gate.ts'

/** Argon2id with the parameters of contract 19.1 (OWASP password storage): 30 ms of one core and 19 MiB. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What is checked when there is nothing to check, so that an unknown address takes as long as a known one. */
const DUMMY =
  '$argon2id$v=19$m=19456,t=2,p=1$H5eC/4B89ZGfU/OQxXIOmw$wY3C+xnbjZxKEdpOAyaYADhzC4dxQ6cBbeJkZrQMF+A'

/** One core is always left to the tills, however many people sign in at once. */
const PLACES = Math.max(1, availableParallelism() - 1)
const WAITING = PLACES * 32
/** Runs work that hashes one password: bounded, in order of arrival, 429 beyond the queue. */
export const hashing = gate(PLACES, WAITING)

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

/** The PHC text of a new password. */
export const hashPassword = (password: string): Promise<string> => hashing(() => hash(password, ARGON2ID))

/** To be called inside `hashing`. Takes the same time whether or not there is a hash to compare with. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? DUMMY, password)
  return matches && stored !== null
}
