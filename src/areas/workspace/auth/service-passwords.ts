import { invalid } from '../../../core/errors.ts'
import { nameForMail } from '../../../core/mail-names.ts'
import { networkOf } from '../../../core/network.ts'
import { inEvenTime } from '../../../platform/auth/even-time.ts'
import { LINK_MINUTES, makeLink, ownerOfLink, spendLink } from '../../../platform/auth/mailed-links.ts'
import { hashForMember } from '../../../platform/auth/passwords.ts'
import { type SignedIn, startSession } from '../../../platform/auth/session.ts'
import { deleteSessionsOf } from '../../../platform/auth/store.ts'
import { counted } from '../../../platform/auth/throttle.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import { inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { API_PREFIX } from '../../../platform/http/route.ts'
import { publicAddress, sendMail } from '../../../platform/mail.ts'
import { spendLinkMail } from '../../../platform/mail-budget.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import {
  findByEmail,
  lockSigner,
  passwordChanged,
  proveSelf,
  setPassword,
  wrongPassword,
} from '../members/index.ts'
import { tellOfPassword } from '../notices/index.ts'
import { getSettings } from '../settings/index.ts'
import type { Forgotten, PasswordChange, Reset } from './schema.ts'
import { type Entered, scopeOf, type Visit, whoIs } from './visit.ts'

/** An answer to a forgotten password comes at multiples of this: whether there was a mail to write does not show. */
const EVEN_MS = 250

/**
 * Mails a one-time link to a member who forgot the password (B-password-1, B-password-2). Known and unknown addresses
 * get the same answer after the same time. 429 with Retry-After past 10 requests of one network in 15 minutes. An address
 * gets three links an hour; past them the latest one, which lives as long, is the one to use.
 */
export async function forgetPassword(deps: Deps, { email }: Forgotten, visit: Visit) {
  await counted(deps.db, [`forgot ${networkOf(visit.ip)}`], visit.now, 'requests for a new password')
  return inEvenTime(EVEN_MS, async () => {
    const member = await findByEmail(deps.db, email)
    // Whoever is invited has a link already, and a mailbox that is not theirs must not get another.
    if (member && member.inviteHash === null) await sendLink(deps, member, visit)
    return { accepted: true as const }
  })
}

type Found = NonNullable<Awaited<ReturnType<typeof findByEmail>>>

class OverBudget extends Error {}

async function sendLink(deps: Deps, member: Found, visit: Visit) {
  const accountId = foundAccountId(member.accountId)
  const scope = scopeOf(deps, accountId, member, visit)
  const written = inTx(deps.db, async (tx) => {
    const now = await lockSigner(tx, accountId, member.id)
    if (!now || now.email !== member.email || now.passwordHash !== member.passwordHash) return
    const token = await makeLink(tx, 'PASSWORD', { ...now, accountId }, visit.now)
    // What the link before it would have opened stays open: the new one is undone with everything else.
    if (!(await spendLinkMail(tx, scope, 'PASSWORD', now.email))) throw new OverBudget()
    await mailLink(deps, tx, scope, now, token)
  })
  await written.catch((error: unknown) => {
    if (!(error instanceof OverBudget)) throw error
  })
}

async function mailLink(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { email, name }: { email: string; name: string },
  token: string,
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
      `Somebody asked for a new password for this address. Choose one within ${LINK_MINUTES.PASSWORD} minutes:`,
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

const badLink = () =>
  invalid('token', 'This link was used, has expired or was replaced by a newer one; ask for a new one')

/**
 * Sets the password of the member whom the link went to, and ends all of their sessions (B-password-3). 422 with
 * `param: token` for a link that works no more. A mail tells the member.
 */
export async function resetPassword(deps: Deps, { token, password }: Reset, visit: Visit) {
  // Looked up before the hash is made, so that made-up tokens cost next to nothing.
  const owner = await ownerOfLink(deps.db, 'PASSWORD', token, visit.now)
  if (!owner) throw badLink()
  const { accountId, memberId } = owner
  const passwordHash = await hashForMember(accountId, password)
  await inTx(deps.db, async (tx) => {
    const member = await lockSigner(tx, accountId, memberId)
    if (!member || !(await spendLink(tx, 'PASSWORD', { accountId, token, now: visit.now }, member))) {
      throw badLink()
    }
    const scope = scopeOf(deps, accountId, member, visit)
    // The link went to the address and came back: whoever reads its mailbox is proven by the way.
    await setPassword(tx, scope, { passwordHash, emailVerifiedAt: visit.now })
    await deleteSessionsOf(tx, accountId, memberId)
    await emit(tx, scope, passwordChanged, memberId, { memberId, by: 'LINK' })
    await tellOfPassword(deps, tx, scope, member)
  })
  return { passwordReset: true as const }
}

/**
 * Gives whoever is signed in a new password in the place of the current one (B-password-4): 422 when that is missing or
 * wrong, 429 after 10 wrong ones in 15 minutes. Every session ends, and this browser goes on under a new token.
 */
export async function changePassword(
  deps: Deps,
  { accountId, secondFactor, member: signer }: SignedIn,
  { currentPassword, password }: PasswordChange,
  visit: Visit,
): Promise<Entered> {
  const scope = scopeOf(deps, accountId, signer, visit)
  const proven = await proveSelf(deps, scope, currentPassword)
  const passwordHash = await hashForMember(accountId, password)
  return inTx(deps.db, async (tx) => {
    const member = await lockSigner(tx, accountId, signer.id)
    // Between the check and here somebody may have changed it: what was proven holds no more.
    if (member?.passwordHash !== proven) throw wrongPassword()
    await setPassword(tx, scope, { passwordHash })
    await deleteSessionsOf(tx, accountId, signer.id)
    await emit(tx, scope, passwordChanged, signer.id, { memberId: signer.id, by: 'SELF' })
    const entering = { accountId, memberId: signer.id, seen: visit.seen, secondFactor }
    const token = await startSession(tx, entering, visit.now)
    await tellOfPassword(deps, tx, scope, member, { exceptHere: true })
    return {
      scope,
      token,
      who: await whoIs(tx, scope, signer),
      member: { accountId, id: signer.id, passwordHash },
    }
  })
}
