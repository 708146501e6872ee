import { invalid } from '../../../core/errors.ts'
import { nameForMail } from '../../../core/mail-names.ts'
import { networkOf } from '../../../core/network.ts'
import { withConstantTime } from '../../../platform/auth/even-time.ts'
import { LINK_MINUTES, makeLink, ownerOfLink, spendLink } from '../../../platform/auth/mailed-links.ts'
import { hashForMember } from '../../../platform/auth/passwords.ts'
import { type SignedIn, startSession } from '../../../platform/auth/session.ts'
import { deleteSessionsOf } from '../../../platform/auth/store.ts'
import { counted } from '../../../platform/auth/throttle.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import { inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { API_PREFIX } from '../../../platform/http/route.ts'
import { spendLinkMail } from '../../../platform/mail/budget.ts'
import { publicAddress, sendMail } from '../../../platform/mail/mail.ts'
import type { Scope } from '../../../platform/scope.ts'
import {
  findByEmail,
  lockSigner,
  passwordChanged,
  proveSelf,
  setPassword,
  wrongPasswordError,
} from '../members/index.ts'
import { notifyPasswordChanged } from '../notices/index.ts'
import { getSettings } from '../settings/index.ts'
import type { Forgotten, PasswordChange, Reset } from './schema.ts'
import { type SignedInVisit, type SignInRequest, scopeOf, toWho } from './visit.ts'

/** An answer to a forgotten password comes at multiples of this: whether there was a mail to write does not show. */
const EVEN_MS = 250

/**
 * Mails a one-time link to a member who forgot the password (B-password-1, B-password-2). Known and unknown addresses
 * get the same answer after the same time. 429 with Retry-After past 10 requests of one network in 15 minutes. An address
 * gets three links an hour; past them the latest one, which lives as long, is the one to use.
 */
export async function requestPasswordReset(deps: Deps, { email }: Forgotten, visit: SignInRequest) {
  await counted(deps.db, [`forgot ${networkOf(visit.ip)}`], visit.now, 'requests for a new password')
  return withConstantTime(EVEN_MS, async () => {
    const member = await findByEmail(deps.db, email)
    // An invited member already has a link, and a mailbox that may belong to another person must not get a second one.
    if (member && member.inviteHash === null) await sendLink(deps, member, visit)
    return { accepted: true as const }
  })
}

type MemberByEmail = NonNullable<Awaited<ReturnType<typeof findByEmail>>>

class OverBudget extends Error {}

async function sendLink(deps: Deps, member: MemberByEmail, visit: SignInRequest) {
  const accountId = foundAccountId(member.accountId)
  const scope = scopeOf(deps, accountId, member, visit)
  const written = inTx(deps.db, async (tx) => {
    const now = await lockSigner(tx, accountId, member.id)
    if (!now || now.email !== member.email || now.passwordHash !== member.passwordHash) return
    const token = await makeLink(tx, 'PASSWORD', { ...now, accountId }, visit.now)
    // The earlier link stays valid, because the new one is rolled back with the transaction.
    if (!(await spendLinkMail(tx, scope, 'PASSWORD', now.email))) throw new OverBudget()
    await mailLink(deps, tx, scope, { recipient: now, token })
  })
  await written.catch((error: unknown) => {
    if (!(error instanceof OverBudget)) throw error
  })
}

async function mailLink(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { recipient: { email, name }, token }: { recipient: { email: string; name: string }; token: string },
) {
  const business = nameForMail((await getSettings(tx, scope)).businessName, 'A business')
  const address = publicAddress(deps.config)
  await sendMail(deps, tx, scope, {
    to: email,
    subject: `${business}: Choose a new password`,
    // After the #, so that the token stays out of the logs of every server on the way.
    text: [
      `Hello ${nameForMail(name, 'there')},`,
      '',
      `A new password was requested for this address. Choose one within ${LINK_MINUTES.PASSWORD} minutes:`,
      '',
      `${address}/password#${token}`,
      '',
      'Without the web app, send this token with the new password:',
      `POST ${address}${API_PREFIX}/auth/password/reset {"token": "${token}", "password": "…"}`,
      '',
      'If it was not you, do nothing: your password stays as it is.',
    ].join('\n'),
  })
}

const invalidLinkError = () =>
  invalid('token', 'This link was used, has expired or was replaced by a newer one; ask for a new one')

/**
 * Sets the password of the member whom the link went to, and ends all of their sessions (B-password-3). Throws 422
 * with `param: token` for an expired link. A mail tells the member.
 */
export async function resetPassword(deps: Deps, { token, password }: Reset, visit: SignInRequest) {
  // Looked up before the hash is made, so that made-up tokens cost next to nothing.
  const owner = await ownerOfLink(deps.db, 'PASSWORD', token, visit.now)
  if (!owner) throw invalidLinkError()
  const { accountId, memberId } = owner
  const passwordHash = await hashForMember(accountId, password)
  await inTx(deps.db, async (tx) => {
    const member = await lockSigner(tx, accountId, memberId)
    if (!member || !(await spendLink(tx, 'PASSWORD', { accountId, token, now: visit.now }, member))) {
      throw invalidLinkError()
    }
    const scope = scopeOf(deps, accountId, member, visit)
    // The link was mailed to the address and came back, which also proves that the member reads the mailbox.
    await setPassword(tx, scope, { passwordHash, emailVerifiedAt: visit.now })
    await deleteSessionsOf(tx, accountId, memberId)
    await emit(tx, scope, passwordChanged, memberId, { memberId, by: 'LINK' })
    const person = { ...member, emailVerifiedAt: visit.now }
    await notifyPasswordChanged(deps, tx, scope, { person, byLink: true })
  })
  return { passwordReset: true as const }
}

/**
 * Replaces the password of the signed-in member (B-password-4): 422 if the current one is missing or wrong, 429 after 10
 * wrong ones in 15 minutes. Every session ends; this browser continues with a new token.
 */
export async function changePassword(
  deps: Deps,
  { accountId, secondFactor, member: signer }: SignedIn,
  { currentPassword, password }: PasswordChange,
  visit: SignInRequest,
): Promise<SignedInVisit> {
  const scope = scopeOf(deps, accountId, signer, visit)
  const proven = await proveSelf(deps, scope, currentPassword)
  const passwordHash = await hashForMember(accountId, password)
  return inTx(deps.db, async (tx) => {
    const member = await lockSigner(tx, accountId, signer.id)
    // A concurrent request may have changed the password since the check, which is then no proof any more.
    if (member?.passwordHash !== proven) throw wrongPasswordError()
    await setPassword(tx, scope, { passwordHash })
    await deleteSessionsOf(tx, accountId, signer.id)
    await emit(tx, scope, passwordChanged, signer.id, { memberId: signer.id, by: 'SELF' })
    const entering = { accountId, memberId: signer.id, seen: visit.seen, secondFactor }
    const token = await startSession(tx, entering, visit.now)
    await notifyPasswordChanged(deps, tx, scope, { person: member, exceptHere: true })
    return {
      scope,
      token,
      who: await toWho(tx, scope, signer),
      member: { accountId, id: signer.id, passwordHash },
    }
  })
}
