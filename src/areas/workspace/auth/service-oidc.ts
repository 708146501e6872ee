import { ApiError, forbidden, malformed, notFound } from '../../../core/errors.ts'
import { isSameText } from '../../../core/same-text.ts'
import { newChallenge } from '../../../platform/auth/challenge.ts'
import type { OidcAttempt, Visitor } from '../../../platform/auth/oidc.ts'
import { secondFactorSince } from '../../../platform/auth/second-factor.ts'
import { isFirst } from '../../../platform/auth/throttle.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import { inTx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { sha256 } from '../../../platform/secrets/secrets.ts'
import { findByEmail, isAddress, lockSigner } from '../members/index.ts'
import { isSameAddress, localPath } from './rules.ts'
import { openWorkspace } from './service.ts'
import { openSession } from './service-sessions.ts'
import { type SignedInVisit, type SignInRequest, scopeOf, toWho } from './visit.ts'

function clientOf({ oidc }: Deps) {
  if (!oidc) throw notFound('sign-in provider')
  return oidc
}

/** Begins a sign-in on the provider's page (B-oidc-1). Throws 400 for a `returnTo` outside this service. */
export async function beginOidc(deps: Deps, returnTo: string): Promise<{ attempt: OidcAttempt; url: URL }> {
  const client = clientOf(deps)
  const path = localPath(returnTo)
  if (path === null) throw malformed('returnTo', 'returnTo must be a path of this service, such as /sales')
  const attempt = await client.newAttempt(path)
  return { attempt, url: await client.begin(attempt) }
}

/** The member has a second factor: the response asks for `POST /auth/login/second-factor`. */
export type SecondStepAhead = { challenge: string; expiresAt: string }

const foreignSignInError = () =>
  new ApiError(
    'VALIDATION_ERROR',
    'This sign-in was not started in this browser, was used already, or took longer than 10 minutes; start again',
    { status: 400 },
  )

/**
 * Signs in the person whom the provider sent back, once (B-oidc-2, B-oidc-3). 400 if the sign-in was not started in this
 * browser or the provider gave no proof. 403 if no member has the address, or has not confirmed it. A member with a second
 * factor enters it next, unless the provider already checked two factors (B-oidc-6).
 */
export async function finishOidc(
  deps: Deps,
  url: URL,
  attempt: OidcAttempt | null,
  visit: SignInRequest,
): Promise<SignedInVisit | SecondStepAhead> {
  const client = clientOf(deps)
  const state = url.searchParams.get('state')
  if (!attempt || state === null || !isSameText(state, attempt.state)) throw foreignSignInError()
  // Used up before the call to the provider, so that only one of two concurrent requests continues.
  if (!(await isFirst(deps.db, `oidc ${sha256(state)}`, visit.now))) throw foreignSignInError()
  return signInAs(deps, await client.finish(url, attempt), visit)
}

async function signInAs(
  deps: Deps,
  visitor: Visitor,
  visit: SignInRequest,
): Promise<SignedInVisit | SecondStepAhead> {
  const { email, name, hasTwoFactors } = visitor
  if (email === null || !isAddress(email)) {
    throw forbidden(
      'The sign-in provider names no e-mail address that it has verified; sign in with your password',
    )
  }
  const found = await findByEmail(deps.db, email)
  if (!found) {
    return openWorkspace(
      deps,
      { email, ...(name === null ? {} : { name }) },
      { emailVerifiedAt: visit.now, secondFactor: hasTwoFactors },
      visit,
    )
  }
  if (!isSameAddress(email, found.email)) throw unconfirmed()
  if (found.inviteHash !== null) throw forbidden('You have an invitation; follow the link in its mail first')
  const accountId = foundAccountId(found.accountId)
  return inTx(deps.db, async (tx) => {
    const member = await lockSigner(tx, accountId, found.id)
    if (member?.email !== found.email || member.emailVerifiedAt === null) throw unconfirmed()
    const scope = scopeOf(deps, accountId, member, visit)
    // A sign-in with two factors at the provider needs no code here; the signed token names them.
    if (!hasTwoFactors && (await secondFactorSince(tx, { accountId, memberId: member.id }))) {
      return newChallenge(deps.secrets, { accountId, by: 'PROVIDER' }, member, visit.now)
    }
    const { id, passwordHash } = member
    return {
      scope,
      token: await openSession(tx, scope, { visit, by: 'PROVIDER', secondFactor: hasTwoFactors }),
      who: await toWho(tx, scope, member),
      member: passwordHash === null ? null : { accountId, id, passwordHash },
    }
  })
}

/** A person who registered the address before its owner came must not share the owner's account. */
const unconfirmed = () =>
  forbidden(
    'This address is not confirmed here yet; sign in with your password and follow the link of the mail that confirms it',
  )
