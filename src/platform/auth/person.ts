import { ApiError } from '../../core/errors.ts'
import { msBetween } from '../../core/time.ts'
import type { Tx, WriteDb } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Scope } from '../scope.ts'
import { checkOfMember } from './passwords.ts'
import { codeSubject, spendSecondFactor } from './second-factor.ts'
import { findPasswordHash } from './statements.ts'
import { guarded } from './throttle.ts'

/** A sign-in counts as proof for this long, since a browser may be left open. */
const RECENT_MS = 15 * 60_000
export const isRecentSignIn = (signedInAt: string, now: string) => msBetween(signedInAt, now) < RECENT_MS

/** Throttle subject for failed checks of a member's own password. */
export const passwordSubject = (memberId: string) => `self ${memberId}`

export type PersonProof = { currentPassword?: string | undefined; code?: string | undefined }
/** Repeats the proof inside the transaction that relies on it; call it with the member's row locked. */
export type RequireProof = (tx: Tx) => Promise<void>

const NOTHING: RequireProof = async () => {}

/** Every missing or wrong proof has the same code and param, so that one dialog corrects them all. */
class NotProven extends ApiError {
  constructor(message: string) {
    super('FORBIDDEN', message, { param: 'currentPassword' })
  }
}

const noProofError = () =>
  new NotProven(
    'Send your current password, or a code of your authenticator app as code; or sign in again and retry within 15 minutes',
  )
const wrongPasswordError = () => new NotProven('This is not your current password. Check it and try again')
const wrongCodeError = () =>
  new NotProven('This code is wrong, too old or was used already. Enter the code that your app shows now')

/**
 * Runs `write` after the member proves their identity by a sign-in within 15 minutes, the current password or a
 * second-factor code. Throws 403 otherwise (B-secret-5), and 429 after ten failures in 15 minutes. An API key passes:
 * its creation required such a proof.
 */
export async function withProvenPerson<T>(
  deps: Pick<Deps, 'secrets' | 'log'> & { db: WriteDb },
  { accountId, actor, now }: Scope,
  { currentPassword, code }: PersonProof,
  write: (requireProof: RequireProof) => Promise<T>,
): Promise<T> {
  if (actor.kind !== 'member') return write(NOTHING)
  if (actor.signedInAt !== undefined && isRecentSignIn(actor.signedInAt, now)) return write(NOTHING)
  const whose = { accountId, memberId: actor.id }
  if (currentPassword !== undefined) {
    const stored = await findPasswordHash(deps.db, accountId, actor.id)
    const proven = await guarded(deps.db, [passwordSubject(actor.id)], now, async () =>
      (await checkOfMember(accountId, stored, currentPassword)) ? stored : null,
    )
    if (proven === null) throw wrongPasswordError()
    return write(async (tx) => {
      if ((await findPasswordHash(tx, accountId, actor.id)) !== proven) throw wrongPasswordError()
    })
  }
  if (code === undefined) throw noProofError()
  const requireCode: RequireProof = async (tx) => {
    if ((await spendSecondFactor(deps, tx, whose, { code, now })) === null) throw wrongCodeError()
  }
  const done = await guarded(deps.db, [codeSubject(actor.id)], now, async () => {
    try {
      return { value: await write(requireCode) }
    } catch (error) {
      // A wrong code is the one failure that counts as a guess.
      if (error instanceof NotProven) return null
      throw error
    }
  })
  if (done === null) throw wrongCodeError()
  return done.value
}
