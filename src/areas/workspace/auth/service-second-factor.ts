import { ApiError, conflict, forbidden, invalid, notFound } from '../../../core/errors.ts'
import { msBetween } from '../../../core/time.ts'
import { halfOf, isBoundTo } from '../../../platform/auth/challenge.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorSince,
  spendSecondFactor,
  type Whose,
} from '../../../platform/auth/second-factor.ts'
import { type SignedIn, startSession } from '../../../platform/auth/session.ts'
import { findMember } from '../../../platform/auth/statements.ts'
import { deleteSessionsOf, weakenSessionsOf } from '../../../platform/auth/store.ts'
import { forgive, guarded } from '../../../platform/auth/throttle.ts'
import { type Db, inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit, emitUnproven } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findHash, getMember, lockSigner, proveSelf, wrongPassword } from '../members/index.ts'
import { type FactorChange, tellOfSecondFactor } from '../notices/index.ts'
import { getSettings } from '../settings/index.ts'
import { secondFactorChanged, signInFailed } from './events.ts'
import type { Enrolment, FactorProof, SecondFactor, SecondStep } from './schema.ts'
import { subjectOfBrowser } from './service.ts'
import { openSession } from './service-sessions.ts'
import { type Entered, onceIn, scopeOf, type Visit, whoIs } from './visit.ts'

const whoseOf = ({ accountId, member }: SignedIn): Whose => ({ accountId, memberId: member.id })

/** Whether the workspace requires a second factor of this member (B-factor-6). */
const isRequired = async (db: Db, scope: Scope) =>
  scope.actor.role !== 'CASHIER' && (await getSettings(db, scope)).secondFactorRequired

export async function secondFactorOf(deps: Deps, who: SignedIn, visit: Visit): Promise<SecondFactor> {
  const scope = scopeOf(deps, who.accountId, who.member, visit)
  const enabledAt = await secondFactorSince(deps.db, whoseOf(who))
  return {
    enabled: enabledAt !== null,
    enabledAt,
    recoveryCodesLeft: await countRecoveryCodes(deps.db, whoseOf(who)),
    required: await isRequired(deps.db, scope),
  }
}

/** A member without a password must have signed in a moment ago: a browser that was left open proves nothing. */
const FRESH_MS = 15 * 60_000

/** The stored hash that the current password matched; null for a member without one who signed in just now. */
async function provenHash(deps: Deps, who: SignedIn, scope: Scope, currentPassword: string | undefined) {
  if ((await findHash(deps.db, scope, who.member.id)) !== null) return proveSelf(deps, scope, currentPassword)
  if (msBetween(who.since, scope.now) <= FRESH_MS) return null
  throw forbidden('Sign in again first: you have no password to prove yourself with')
}

/** Holds the member as they proved themselves. */
async function lockProven(tx: Tx, { accountId, member }: SignedIn, proven: string | null) {
  const now = await lockSigner(tx, accountId, member.id)
  if (!now || now.passwordHash !== proven) throw wrongPassword()
  return now
}

/** In the log of the workspace, and by mail to the member. */
async function tell(deps: Deps, tx: Tx, scope: Scope, member: Signer, change: FactorChange) {
  await emit(tx, scope, secondFactorChanged, member.id, { memberId: member.id, change })
  await tellOfSecondFactor(deps, tx, scope, member, change)
}

/** Somebody who has the first factor, and not the second. */
async function tellOfFailure(deps: Deps, { accountId, memberId }: Whose, visit: Visit) {
  const member = await findMember(deps.db, accountId, memberId)
  if (!member) return
  const scope = scopeOf(deps, accountId, member, visit)
  await inTx(deps.db, (tx) => emitUnproven(tx, scope, signInFailed, memberId, { memberId }))
}

const alreadyOn = () => conflict('A second factor is on already; switch it off first')
const noneOn = () => conflict('No second factor is on')

/** A secret for an authenticator app; nothing changes before a code of it is shown (B-factor-1). 409 when one is on. */
export async function setUpSecondFactor(
  deps: Deps,
  who: SignedIn,
  { currentPassword }: Enrolment,
  visit: Visit,
): Promise<{ secret: string; url: string }> {
  const scope = scopeOf(deps, who.accountId, who.member, visit)
  if (await secondFactorSince(deps.db, whoseOf(who))) throw alreadyOn()
  const proven = await provenHash(deps, who, scope, currentPassword)
  return inTx(deps.db, async (tx) => {
    const member = await lockProven(tx, who, proven)
    if (await secondFactorSince(tx, whoseOf(who))) throw alreadyOn()
    return beginSecondFactor(deps, tx, whoseOf(who), member.email, visit.now)
  })
}

const wrongCode = () =>
  invalid('code', 'This code is wrong, too old or was used already; enter the one that is shown now')

/** One check of a code; null is a failure, and after ten of a member in 15 minutes it is 429 (B-factor-3). */
const guardedCode = <T>(deps: Deps, subject: string, now: string, check: (tx: Tx) => Promise<T | null>) =>
  guarded(deps.db, [subject], now, () => inTx(deps.db, check))

const subjectOf = (memberId: string) => `code ${memberId}`

/**
 * Switches the second factor on with a first code (B-factor-1). Every session of the member ends, and this browser goes on
 * under a new token. 422 for a wrong code and where nothing was set up, 409 when one is on.
 */
export async function confirmSetUp(
  deps: Deps,
  who: SignedIn,
  code: string,
  visit: Visit,
): Promise<{ entered: Entered; recoveryCodes: string[] }> {
  const { accountId, member: signer } = who
  const whose = whoseOf(who)
  const scope = scopeOf(deps, accountId, signer, visit)
  if (await secondFactorSince(deps.db, whose)) throw alreadyOn()
  const done = await guardedCode(deps, subjectOf(signer.id), visit.now, async (tx) => {
    const member = await lockSigner(tx, accountId, signer.id)
    if (!member || !(await confirmSecondFactor(deps, tx, whose, code, visit.now))) return null
    const recoveryCodes = await renewRecoveryCodes(tx, whose, visit.now)
    await deleteSessionsOf(tx, accountId, signer.id)
    const entering = { accountId, memberId: signer.id, seen: visit.seen, secondFactor: true }
    const token = await startSession(tx, entering, visit.now)
    await tell(deps, tx, scope, member, 'ON')
    return { entered: await enteredAs(tx, scope, member, token), recoveryCodes }
  })
  if (!done) throw wrongCode()
  return done
}

type Signer = NonNullable<Awaited<ReturnType<typeof lockSigner>>>

const enteredAs = async (tx: Tx, scope: Scope, member: Signer, token: string): Promise<Entered> => {
  const { id, passwordHash } = member
  return {
    scope,
    token,
    who: await whoIs(tx, scope, member),
    member: passwordHash === null ? null : { accountId: scope.accountId, id, passwordHash },
  }
}

/** What takes the password and a code: 422 when either is wrong, 409 while no second factor is on. */
async function provenBoth<T>(
  deps: Deps,
  who: SignedIn,
  { currentPassword, code }: FactorProof,
  visit: Visit,
  change: (tx: Tx, scope: Scope, member: Signer) => Promise<T>,
): Promise<T> {
  const scope = scopeOf(deps, who.accountId, who.member, visit)
  if (!(await secondFactorSince(deps.db, whoseOf(who)))) throw noneOn()
  const proven = await provenHash(deps, who, scope, currentPassword)
  const done = await guardedCode(deps, subjectOf(who.member.id), visit.now, async (tx) => {
    const member = await lockProven(tx, who, proven)
    if (!(await spendSecondFactor(deps, tx, whoseOf(who), code, visit.now))) return null
    return { changed: await change(tx, scope, member) }
  })
  if (!done) throw wrongCode()
  return done.changed
}

/** 409 for an owner or manager of a workspace that requires one. */
export async function switchOff(deps: Deps, who: SignedIn, proof: FactorProof, visit: Visit) {
  const scope = scopeOf(deps, who.accountId, who.member, visit)
  if (await isRequired(deps.db, scope)) {
    throw conflict(
      'This workspace requires a second factor of owners and managers; it cannot be switched off',
    )
  }
  await provenBoth(deps, who, proof, visit, async (tx, _scope, member) => {
    await removeSecondFactor(tx, whoseOf(who))
    await weakenSessionsOf(tx, who.accountId, member.id)
    await tell(deps, tx, scope, member, 'OFF')
  })
}

export const renewCodes = (deps: Deps, who: SignedIn, proof: FactorProof, visit: Visit) =>
  provenBoth(deps, who, proof, visit, async (tx, scope, member) => {
    const recoveryCodes = await renewRecoveryCodes(tx, whoseOf(who), visit.now)
    await tell(deps, tx, scope, member, 'RECOVERY_CODES')
    return recoveryCodes
  })

/**
 * Takes away the second factor of a member who lost phone and recovery codes, and ends their sessions: whoever found the
 * phone may hold one (B-factor-7). 403 for one's own, since a browser that was left open must not do without a code; 409
 * while none is on.
 */
export async function resetSecondFactor(deps: Deps, tx: Tx, scope: Scope, memberId: string) {
  const { accountId, actor } = scope
  if (actor.kind === 'member' && actor.id === memberId) {
    throw forbidden(
      'You cannot reset your own second factor; switch it off with a code or a recovery code, or ask another owner',
    )
  }
  const whose: Whose = { accountId, memberId }
  const member = await lockSigner(tx, accountId, memberId)
  if (!member) throw notFound('member')
  if (!(await secondFactorSince(tx, whose))) throw conflict(`${member.name} has no second factor`)
  await removeSecondFactor(tx, whose)
  await deleteSessionsOf(tx, accountId, memberId)
  // Whoever tried all they had would otherwise be refused the code that sets up the next one.
  await forgive(tx, subjectOf(memberId))
  await tell(deps, tx, scope, member, 'RESET')
  return getMember(tx, scope, memberId)
}

const tooLate = () =>
  new ApiError(
    'INVALID_CREDENTIALS',
    'This sign-in took longer than 5 minutes or is not valid any more; sign in again',
  )

/** As with passwords, a browser that the member signed in with before is counted by itself (B-auth-5). */
async function subjectOfStep(deps: Deps, { accountId, memberId: id }: Whose, { browser }: Visit) {
  if (browser === null || browser.marks.length === 0) return subjectOf(id)
  const passwordHash = await findHash(deps.db, { accountId }, id)
  const known = subjectOfBrowser(deps, browser, { accountId, id, passwordHash })
  return known === null ? subjectOf(id) : `code ${known}`
}

/**
 * The second step of signing in (B-factor-2, B-factor-3): 401 for a wrong or used code, or a challenge whose time is over or whose
 * member changed the password or address since; 429 after ten wrong codes in 15 minutes.
 */
export async function finishLogIn(
  deps: Deps,
  { challenge, code }: SecondStep,
  visit: Visit,
): Promise<Entered> {
  const half = halfOf(deps.secrets, challenge, visit.now)
  if (!half) throw tooLate()
  const { accountId, memberId } = half
  const subject = await subjectOfStep(deps, half, visit)
  const done = await guardedCode(deps, subject, visit.now, async (tx) => {
    const member = await lockSigner(tx, accountId, memberId)
    if (!member || !isBoundTo(half, member)) throw tooLate()
    const used = await spendSecondFactor(deps, tx, half, code, visit.now)
    if (used === null) return null
    const scope = scopeOf(deps, accountId, member, visit)
    const token = await openSession(tx, scope, visit, half.by, true)
    if (used === 'recovery') await tell(deps, tx, scope, member, 'CODE_USED')
    return enteredAs(tx, scope, member, token)
  })
  if (!done) {
    await tellOfFailure(deps, half, visit)
    throw new ApiError('INVALID_CREDENTIALS', wrongCode().message)
  }
  await onceIn(deps, 'failures were not forgiven', () => forgive(deps.db, subject))
  return done
}
