import { ApiError, conflict, forbidden, invalid, notFound } from '../../../core/errors.ts'
import { halfOf, isBoundTo } from '../../../platform/auth/challenge.ts'
import { isRecentSignIn } from '../../../platform/auth/person.ts'
import {
  beginSecondFactor,
  codeSubject,
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
import { deleteSessionsOf, dropSecondFactorOfSessions } from '../../../platform/auth/store.ts'
import { forgive, guarded } from '../../../platform/auth/throttle.ts'
import { type Db, inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit, emitUnproven } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findHash, getMember, lockSigner, proveSelf, wrongPasswordError } from '../members/index.ts'
import { type FactorChange, notifySecondFactorChanged } from '../notices/index.ts'
import { getSettings } from '../settings/index.ts'
import { secondFactorChanged, signInFailed } from './events.ts'
import type { Enrolment, FactorProof, SecondFactor, SecondStep } from './schema.ts'
import { subjectOfBrowser } from './service.ts'
import { openSession } from './service-sessions.ts'
import { afterSignIn, type SignedInVisit, type SignInRequest, scopeOf, toWho } from './visit.ts'

const toFactorOwner = ({ accountId, member }: SignedIn): Whose => ({ accountId, memberId: member.id })

/** Whether the workspace requires a second factor of this member (B-factor-6). */
const isRequired = async (db: Db, scope: Scope) =>
  scope.actor.role !== 'CASHIER' && (await getSettings(db, scope)).secondFactorRequired

export async function secondFactorOf(deps: Deps, who: SignedIn, visit: SignInRequest): Promise<SecondFactor> {
  const scope = scopeOf(deps, who.accountId, who.member, visit)
  const enabledAt = await secondFactorSince(deps.db, toFactorOwner(who))
  return {
    enabled: enabledAt !== null,
    enabledAt,
    recoveryCodesLeft: await countRecoveryCodes(deps.db, toFactorOwner(who)),
    required: await isRequired(deps.db, scope),
  }
}

/** The stored hash that the current password matched; null for a member without one who signed in just now. */
async function provenHash(deps: Deps, who: SignedIn, scope: Scope, currentPassword: string | undefined) {
  if ((await findHash(deps.db, scope, who.member.id)) !== null) return proveSelf(deps, scope, currentPassword)
  if (isRecentSignIn(who.since, scope.now)) return null
  throw forbidden('Sign in again first: you have no password to prove yourself with')
}

/** Holds the member as they proved themselves. */
async function lockProven(tx: Tx, { accountId, member }: SignedIn, proven: string | null) {
  const now = await lockSigner(tx, accountId, member.id)
  if (!now || now.passwordHash !== proven) throw wrongPasswordError()
  return now
}

/** Writes it to the log of the workspace and mails the member. */
async function notifyFactorChange(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { member, change }: { member: Signer; change: FactorChange },
) {
  await emit(tx, scope, secondFactorChanged, member.id, { memberId: member.id, change })
  await notifySecondFactorChanged(deps, tx, scope, { person: member, news: change })
}

/** A person who has proven the first factor, but not the second. */
async function notifyFailedCode(deps: Deps, { accountId, memberId }: Whose, visit: SignInRequest) {
  const member = await findMember(deps.db, accountId, memberId)
  if (!member) return
  const scope = scopeOf(deps, accountId, member, visit)
  await inTx(deps.db, (tx) => emitUnproven(tx, scope, signInFailed, memberId, { memberId }))
}

const alreadyOnError = () => conflict('A second factor is on already; switch it off first')
const noFactorError = () => conflict('No second factor is on')

/** A secret for an authenticator app; nothing changes before a code of it is shown (B-factor-1). 409 when one is on. */
export async function setUpSecondFactor(
  deps: Deps,
  who: SignedIn,
  { currentPassword }: Enrolment,
  visit: SignInRequest,
): Promise<{ secret: string; url: string }> {
  const scope = scopeOf(deps, who.accountId, who.member, visit)
  if (await secondFactorSince(deps.db, toFactorOwner(who))) throw alreadyOnError()
  const proven = await provenHash(deps, who, scope, currentPassword)
  return inTx(deps.db, async (tx) => {
    const member = await lockProven(tx, who, proven)
    if (await secondFactorSince(tx, toFactorOwner(who))) throw alreadyOnError()
    return beginSecondFactor(deps, tx, toFactorOwner(who), { label: member.email, now: visit.now })
  })
}

const wrongCodeError = () =>
  invalid('code', 'This code is wrong, too old or was used already; enter the one that is shown now')

/** One check of a code; null is a failure, and after ten of a member in 15 minutes it is 429 (B-factor-3). */
const guardedCode = <T>(deps: Deps, subject: string, now: string, check: (tx: Tx) => Promise<T | null>) =>
  guarded(deps.db, [subject], now, () => inTx(deps.db, check))

/**
 * Switches the second factor on with a first code (B-factor-1). Every session of the member ends; this browser continues
 * with a new token. 422 for a wrong code or without a set-up, 409 if a second factor is already on.
 */
export async function confirmSetUp(
  deps: Deps,
  who: SignedIn,
  code: string,
  visit: SignInRequest,
): Promise<{ entered: SignedInVisit; recoveryCodes: string[] }> {
  const { accountId, member: signer } = who
  const whose = toFactorOwner(who)
  const scope = scopeOf(deps, accountId, signer, visit)
  if (await secondFactorSince(deps.db, whose)) throw alreadyOnError()
  const done = await guardedCode(deps, codeSubject(signer.id), visit.now, async (tx) => {
    const member = await lockSigner(tx, accountId, signer.id)
    if (!member || !(await confirmSecondFactor(deps, tx, whose, { code, now: visit.now }))) return null
    const recoveryCodes = await renewRecoveryCodes(tx, whose, visit.now)
    await deleteSessionsOf(tx, accountId, signer.id)
    const entering = { accountId, memberId: signer.id, seen: visit.seen, secondFactor: true }
    const token = await startSession(tx, entering, visit.now)
    await notifyFactorChange(deps, tx, scope, { member, change: 'ON' })
    return { entered: await enteredAs(tx, scope, member, token), recoveryCodes }
  })
  if (!done) throw wrongCodeError()
  return done
}

type Signer = NonNullable<Awaited<ReturnType<typeof lockSigner>>>

const enteredAs = async (tx: Tx, scope: Scope, member: Signer, token: string): Promise<SignedInVisit> => {
  const { id, passwordHash } = member
  return {
    scope,
    token,
    who: await toWho(tx, scope, member),
    member: passwordHash === null ? null : { accountId: scope.accountId, id, passwordHash },
  }
}

/** An action that requires the password and a code: 422 if one is wrong, 409 without a second factor. */
async function provenBoth<T>(
  deps: Deps,
  who: SignedIn,
  {
    proof: { currentPassword, code },
    visit,
    change,
  }: {
    proof: FactorProof
    visit: SignInRequest
    change: (tx: Tx, scope: Scope, member: Signer) => Promise<T>
  },
): Promise<T> {
  const scope = scopeOf(deps, who.accountId, who.member, visit)
  if (!(await secondFactorSince(deps.db, toFactorOwner(who)))) throw noFactorError()
  const proven = await provenHash(deps, who, scope, currentPassword)
  const done = await guardedCode(deps, codeSubject(who.member.id), visit.now, async (tx) => {
    const member = await lockProven(tx, who, proven)
    if (!(await spendSecondFactor(deps, tx, toFactorOwner(who), { code, now: visit.now }))) return null
    return { changed: await change(tx, scope, member) }
  })
  if (!done) throw wrongCodeError()
  return done.changed
}

/** 409 for an owner or manager of a workspace that requires one. */
export async function switchOff(deps: Deps, who: SignedIn, proof: FactorProof, visit: SignInRequest) {
  const scope = scopeOf(deps, who.accountId, who.member, visit)
  if (await isRequired(deps.db, scope)) {
    throw conflict(
      'This workspace requires a second factor of owners and managers; it cannot be switched off',
    )
  }
  await provenBoth(deps, who, {
    proof,
    visit,
    change: async (tx, _scope, member) => {
      await removeSecondFactor(tx, toFactorOwner(who))
      await dropSecondFactorOfSessions(tx, who.accountId, member.id)
      await notifyFactorChange(deps, tx, scope, { member, change: 'OFF' })
    },
  })
}

export const renewCodes = (deps: Deps, who: SignedIn, proof: FactorProof, visit: SignInRequest) =>
  provenBoth(deps, who, {
    proof,
    visit,
    change: async (tx, scope, member) => {
      const recoveryCodes = await renewRecoveryCodes(tx, toFactorOwner(who), visit.now)
      await notifyFactorChange(deps, tx, scope, { member, change: 'RECOVERY_CODES' })
      return recoveryCodes
    },
  })

/**
 * Removes the second factor of a member who lost phone and recovery codes (B-factor-7). It ends their sessions, since
 * the finder of the phone may have one. Throws 403 for an API key and for the caller's own factor, so that an
 * unattended browser cannot skip the code, and 409 if none is on.
 */
export async function resetSecondFactor(deps: Deps, tx: Tx, scope: Scope, memberId: string) {
  const { accountId, actor } = scope
  if (actor.kind === 'apiKey') {
    throw forbidden('An API key cannot reset a second factor; an owner does this signed in')
  }
  if (actor.id === memberId) {
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
  // A member who used up the attempts could otherwise not confirm the new factor.
  await forgive(tx, [codeSubject(memberId)])
  await notifyFactorChange(deps, tx, scope, { member, change: 'RESET' })
  return getMember(tx, scope, memberId)
}

const signInExpiredError = () =>
  new ApiError(
    'INVALID_CREDENTIALS',
    'This sign-in took longer than 5 minutes or is not valid any more; sign in again',
  )

/** As with passwords, attempts of a browser that has signed in before are counted separately (B-auth-5). */
async function subjectOfStep(deps: Deps, { accountId, memberId: id }: Whose, { browser }: SignInRequest) {
  if (browser === null || browser.marks.length === 0) return codeSubject(id)
  const passwordHash = await findHash(deps.db, { accountId }, id)
  const known = subjectOfBrowser(deps, browser, { accountId, id, passwordHash })
  return known === null ? codeSubject(id) : `code ${known}`
}

/**
 * The second step of signing in (B-factor-2, B-factor-3). Throws 401 for a wrong or used code, for an expired
 * challenge, and if the member has changed password or address since. Throws 429 after ten wrong codes in 15 minutes.
 */
export async function finishLogIn(
  deps: Deps,
  { challenge, code }: SecondStep,
  visit: SignInRequest,
): Promise<SignedInVisit> {
  const half = halfOf(deps.secrets, challenge, visit.now)
  if (!half) throw signInExpiredError()
  const { accountId, memberId } = half
  const subject = await subjectOfStep(deps, half, visit)
  const done = await guardedCode(deps, subject, visit.now, async (tx) => {
    const member = await lockSigner(tx, accountId, memberId)
    if (!member || !isBoundTo(half, member)) throw signInExpiredError()
    const used = await spendSecondFactor(deps, tx, half, { code, now: visit.now })
    if (used === null) return null
    const scope = scopeOf(deps, accountId, member, visit)
    const token = await openSession(tx, scope, { visit, by: half.by, secondFactor: true })
    if (used === 'recovery') await notifyFactorChange(deps, tx, scope, { member, change: 'CODE_USED' })
    return enteredAs(tx, scope, member, token)
  })
  if (!done) {
    await notifyFailedCode(deps, half, visit)
    throw new ApiError('INVALID_CREDENTIALS', wrongCodeError().message)
  }
  await afterSignIn(deps, 'failures were not forgiven', () => forgive(deps.db, [subject]))
  return done
}
