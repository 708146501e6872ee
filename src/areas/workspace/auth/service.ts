import { ApiError, forbidden, invalid } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { networkOf } from '../../../core/network.ts'
import type { Identity } from '../../../platform/auth/authenticate.ts'
import { newChallenge } from '../../../platform/auth/challenge.ts'
import { type Browser, isKnown } from '../../../platform/auth/device.ts'
import { withConstantTime } from '../../../platform/auth/even-time.ts'
import { hashForMember, hashing, hashPassword, isPassword } from '../../../platform/auth/passwords.ts'
import { secondFactorSince } from '../../../platform/auth/second-factor.ts'
import { forgive, guarded } from '../../../platform/auth/throttle.ts'
import { accountOfSession, foundAccountId, newAccountId } from '../../../platform/auth/tokens.ts'
import { type Db, inTx, isSharded } from '../../../platform/db/open.ts'
import { isWorkerLost } from '../../../platform/db/pg-errors.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emitUnproven } from '../../../platform/events/outbox.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { sha256 } from '../../../platform/secrets/secrets.ts'
import {
  accept,
  claimEmail,
  emailKey,
  emailTaken,
  findByEmail,
  findInvited,
  getMember,
  insertMember,
  shareUnchanged,
} from '../members/index.ts'
import { createOutlet } from '../outlets/index.ts'
import { createSettings } from '../settings/index.ts'
import { signInFailed } from './events.ts'
import { personName, subjectsOf, workspaceName } from './rules.ts'
import type { Acceptance, LogIn, Me, SignUp } from './schema.ts'
import { mailProof, mayMailStrangers } from './service-proofs.ts'
import { openSession } from './service-sessions.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'
import { afterSignIn, type Person, type SignedInVisit, type SignInRequest, scopeOf, toWho } from './visit.ts'

/**
 * Opens a workspace with its owner, its settings and, when the business has a name, its first outlet, all in one
 * transaction (B-auth-1). Throws 409 if the address is taken, 403 where SIGNUP allows no new workspace (B-auth-2).
 */
export async function signUp(deps: Deps, input: SignUp, visit: SignInRequest): Promise<SignedInVisit> {
  await requireSignupOpen(deps.db, deps.config.signup)
  if (await findByEmail(deps.db, input.email)) throw emailTaken()
  const passwordHash = await hashPassword(input.password, { lane: 'signUp', key: networkOf(visit.ip) })
  return openWorkspace(deps, input, { passwordHash }, visit)
}

type NewOwner = Omit<SignUp, 'password'>
/** How a new owner is authenticated: by a password, or by an address that an identity provider has confirmed. */
type OwnerProof = { passwordHash: string } | { emailVerifiedAt: string; secondFactor: boolean }

/** Ids drawn for a new workspace, until one lies on a worker that can be reached. */
const DRAWS = 20

/** Creates the workspace of a new owner, like sign-up. */
export async function openWorkspace(
  deps: Deps,
  input: NewOwner,
  proven: OwnerProof,
  visit: SignInRequest,
): Promise<SignedInVisit> {
  for (let left = DRAWS - 1; ; left -= 1) {
    try {
      return await openAs(deps, newAccountId(), { input, proven, visit })
    } catch (error) {
      // A new workspace may be placed on any worker, so it is never created on an unreachable one (docs/scaling.md). If the worker
      // fails during COMMIT, the coordinator reports it and has released the address. Rows left on that worker cannot be reached.
      if (left === 0 || !isSharded(deps.db) || !isWorkerLost(error)) throw error
    }
  }
}

async function openAs(
  deps: Deps,
  accountId: AccountId,
  { input, proven, visit }: { input: NewOwner; proven: OwnerProof; visit: SignInRequest },
): Promise<SignedInVisit> {
  const { signup } = deps.config
  await requireSignupOpen(deps.db, signup)
  const passwordHash = 'passwordHash' in proven ? proven.passwordHash : null
  const emailVerifiedAt = 'emailVerifiedAt' in proven ? proven.emailVerifiedAt : null
  const secondFactor = 'secondFactor' in proven && proven.secondFactor
  const owner: Person = {
    id: newId('member'),
    email: input.email,
    name: personName(input),
    role: 'OWNER',
  }
  const scope = scopeOf(deps, accountId, owner, visit)
  const isMailed = emailVerifiedAt === null && (await mayMailStrangers(deps, visit))
  const businessName = workspaceName(input)
  const { businessType } = input
  const { token, who } = await inTx(deps.db, async (tx) => {
    if (signup === 'first') await statements.lockOpening(tx)
    await requireSignupOpen(tx, signup)
    await store.insertAccount(tx, scope, businessName)
    await createSettings(tx, scope, { businessName, ...(businessType === undefined ? {} : { businessType }) })
    if (input.businessName !== undefined) await createOutlet(tx, scope, { name: input.businessName })
    await insertMember(tx, scope, {
      ...owner,
      passwordHash,
      emailVerifiedAt,
      inviteHash: null,
      inviteExpiresAt: null,
    })
    const opened = {
      token: await openSession(tx, scope, { visit, by: 'SIGN_UP', secondFactor }),
      who: await toWho(tx, scope, owner),
    }
    if (isMailed) await mailProof(deps, tx, scope, { ...owner, passwordHash })
    // Last, because this row alone is outside the workspace: anyone who finds it finds all the rest.
    if (!(await claimEmail(tx, scope, owner.id, owner.email))) throw emailTaken()
    return opened
  })
  const member = passwordHash === null ? null : { accountId: scope.accountId, id: owner.id, passwordHash }
  return { scope, token, who, member }
}

async function requireSignupOpen(db: Db, signup: Deps['config']['signup']) {
  if (signup === 'open' || (signup === 'first' && !(await statements.hasWorkspace(db)))) return
  throw forbidden('New workspaces cannot be opened here; ask an owner for an invitation')
}

const wrongCredentialsError = () =>
  new ApiError('INVALID_CREDENTIALS', 'The e-mail address and password do not match')

/**
 * Signs a member in (B-auth-4). An unknown address, a wrong password and an open invitation get the same answer after the
 * same time. After 10 failures per address or network in 15 minutes it is 429 with Retry-After. A browser that the member
 * has used before is counted separately, so that strangers cannot lock a member out (B-auth-5).
 */
export async function logIn(
  deps: Deps,
  { email, password }: LogIn,
  visit: SignInRequest,
): Promise<SignedInVisit> {
  const known = await findKnownBrowser(deps, email, visit.browser)
  const strange = subjectsOf(emailKey(email), visit.ip)
  const subjects = known === null ? Object.values(strange) : [known]
  const check = async () => {
    const found = await findByEmail(deps.db, email)
    const passwordHash = found?.passwordHash ?? null
    const right = await isPassword(passwordHash, password)
    return found && right && passwordHash !== null ? { ...found, passwordHash } : null
  }
  const lane = known === null ? 'signIn' : 'knownBrowser'
  const member = await hashing({ lane, key: networkOf(visit.ip) }, () =>
    guarded(deps.db, subjects, visit.now, check),
  )
  if (!member) {
    await notifyFailedSignIn(deps, email, visit)
    throw wrongCredentialsError()
  }
  const accountId = foundAccountId(member.accountId)
  const scope = scopeOf(deps, accountId, member, visit)
  const opened = await inTx(deps.db, async (tx) => {
    if (!(await shareUnchanged(tx, accountId, member.id, member.passwordHash))) throw wrongCredentialsError()
    if (await secondFactorSince(tx, { accountId, memberId: member.id })) return null
    return {
      token: await openSession(tx, scope, { visit, by: 'PASSWORD' }),
      who: await toWho(tx, scope, member),
    }
  })
  if (opened === null)
    throw codeWanted(newChallenge(deps.secrets, { accountId, by: 'PASSWORD' }, member, visit.now))
  // From a known browser it forgives its own failures only: a stranger's guesses stay counted.
  await afterSignIn(deps, 'failures were not forgiven', () => forgive(deps.db, [known ?? strange.account]))
  return { scope, ...opened, member }
}

/** Minimum duration of a refusal after the check, so that its timing does not reveal whether the address exists. */
const FAILURE_MS = 50

/** Logs a failed sign-in in the workspace of the address; after ten within 15 minutes further attempts are refused. */
const notifyFailedSignIn = (deps: Deps, email: string, visit: SignInRequest) =>
  withConstantTime(FAILURE_MS, async () => {
    const found = await findByEmail(deps.db, email)
    if (!found) return
    const scope = scopeOf(deps, foundAccountId(found.accountId), found, visit)
    await inTx(deps.db, (tx) => emitUnproven(tx, scope, signInFailed, found.id, { memberId: found.id }))
  })

/** 401 with a challenge for the second step: a client that does not know of it is simply not signed in (B-factor-2). */
const codeWanted = (challenge: { challenge: string; expiresAt: string }) =>
  new ApiError('SECOND_FACTOR_REQUIRED', 'Now enter the code that your authenticator app shows', {
    details: challenge,
  })

/** Under which name the failures of a browser are counted that the member signed in with before; null for any other. */
async function findKnownBrowser(deps: Deps, email: string, browser: Browser | null): Promise<string | null> {
  if (browser === null || browser.marks.length === 0) return null
  const found = await findByEmail(deps.db, email)
  return found ? subjectOfBrowser(deps, browser, found) : null
}

type Whom = { accountId: string; id: string; passwordHash: string | null }

export function subjectOfBrowser(
  deps: Pick<Deps, 'secrets'>,
  browser: Browser,
  { passwordHash, ...whom }: Whom,
): string | null {
  const isTheirs = passwordHash !== null && isKnown(deps, browser, { ...whom, passwordHash })
  return isTheirs ? `browser ${browser.name} ${whom.id}` : null
}

const invalidInvitationError = () =>
  invalid('token', 'This invitation has been used, has expired or never existed; ask for a new one')

/** Sets the first password of an invited member and signs them in; the link works once, for 7 days. */
export async function acceptInvitation(
  deps: Deps,
  { token, password }: Acceptance,
  visit: SignInRequest,
): Promise<SignedInVisit> {
  const accountId = accountOfSession(token)
  const inviteHash = sha256(token)
  // Looked up before the hash is made, so that made-up tokens cost next to nothing.
  if (!accountId || !(await findInvited(deps.db, accountId, inviteHash, visit.now)))
    throw invalidInvitationError()
  const passwordHash = await hashForMember(accountId, password)
  return inTx(deps.db, async (tx) => {
    const accepted = await accept(tx, accountId, { inviteHash, passwordHash, now: visit.now })
    if (!accepted) throw invalidInvitationError()
    const scope = scopeOf(deps, accountId, accepted, visit)
    return {
      scope,
      token: await openSession(tx, scope, { visit, by: 'INVITATION' }),
      who: await toWho(tx, scope, accepted),
      member: { accountId, id: accepted.id, passwordHash },
    }
  })
}

/** The caller as a credential of any kind shows it (B-auth-8); an API key is a user without an address. */
export async function me(
  deps: Deps,
  { accountId, actor, credential }: Identity,
  visit: Pick<SignInRequest, 'requestId' | 'ip' | 'now'>,
): Promise<Me> {
  const scope = scopeOf(deps, accountId, actor, visit)
  const member = actor.kind === 'member' ? await getMember(deps.db, scope, actor.id) : null
  const { user, account } = await toWho(deps.db, scope, { ...actor, email: member?.email ?? null })
  const { delegation } = actor
  const run = delegation && { mode: delegation.mode, run: delegation.run }
  return {
    user: { ...user, emailVerifiedAt: member?.emailVerifiedAt ?? null },
    account,
    credential: { type: credential, ...run },
  }
}
