import { ApiError, invalid } from '../../../core/errors.ts'
import { nameForMail } from '../../../core/mail-names.ts'
import { networkOf } from '../../../core/network.ts'
import { LINK_MINUTES, makeLink, ownerOfLink, spendLink } from '../../../platform/auth/mailed-links.ts'
import type { SignedIn } from '../../../platform/auth/session.ts'
import { counted } from '../../../platform/auth/throttle.ts'
import { inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { API_PREFIX } from '../../../platform/http/route.ts'
import { spendLinkMail } from '../../../platform/mail/budget.ts'
import { publicAddress, sendMail } from '../../../platform/mail/mail.ts'
import type { Scope } from '../../../platform/scope.ts'
import { lockSigner, setVerified } from '../members/index.ts'
import type { Proof } from './schema.ts'
import { type SignInRequest, scopeOf } from './visit.ts'

type Signer = { id: string; email: string; name: string; passwordHash: string | null }

/**
 * Whether the network of a request may cause one more mail to an unconfirmed address: ten in 15 minutes, so that
 * sign-up cannot be used to send spam.
 */
export async function mayMailStrangers(
  { db }: Pick<Deps, 'db'>,
  { ip, now }: SignInRequest,
): Promise<boolean> {
  try {
    await counted(db, [`proof ${networkOf(ip)}`], now, 'mails to new addresses')
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RATE_LIMITED') return false
    throw error
  }
}

/** Mails the link that proves who reads the mailbox (B-auth-14); false when it had three of them within the hour. */
export async function mailProof(deps: Deps, tx: Tx, scope: Scope, signer: Signer): Promise<boolean> {
  const token = await makeLink(tx, 'EMAIL', { ...signer, accountId: scope.accountId }, scope.now)
  if (!(await spendLinkMail(tx, scope, 'EMAIL', signer.email))) return false
  const address = publicAddress(deps.config)
  await sendMail(deps, tx, scope, {
    to: signer.email,
    subject: 'Confirm your e-mail address for Kasir',
    // After the #, so that the token stays out of the logs of every server on the way.
    text: [
      `Hello ${nameForMail(signer.name, 'there')},`,
      '',
      `This address is used to sign in to Kasir. If it is yours, confirm it within ${LINK_MINUTES.EMAIL / 1440} days:`,
      '',
      `${address}/verify#${token}`,
      '',
      'Without the web app, send this token:',
      `POST ${address}${API_PREFIX}/auth/email/verify {"token": "${token}"}`,
      '',
      'If it is not you, do nothing: the address stays unconfirmed.',
    ].join('\n'),
  })
  return true
}

/** Mails another confirmation link to the signed-in member; a confirmed address needs none. */
export async function askForProof(deps: Deps, { accountId, member }: SignedIn, visit: SignInRequest) {
  const scope = scopeOf(deps, accountId, member, visit)
  const isSent = await inTx(deps.db, async (tx) => {
    const signer = await lockSigner(tx, accountId, member.id)
    if (!signer || signer.emailVerifiedAt !== null) return true
    if (await mailProof(deps, tx, scope, signer)) return true
    throw new ApiError(
      'RATE_LIMITED',
      'This mailbox got three of these mails within an hour; look for the last one',
      {
        headers: { 'retry-after': '3600' },
      },
    )
  })
  return { accepted: isSent as true }
}

const invalidProofError = () =>
  invalid(
    'token',
    'This link was used, has expired or was replaced by a newer one; sign in and ask for a new one',
  )

/** Confirms the member's address. 422 for a link that no longer works. */
export async function proveAddress(deps: Deps, { token }: Proof, visit: SignInRequest) {
  const owner = await ownerOfLink(deps.db, 'EMAIL', token, visit.now)
  if (!owner) throw invalidProofError()
  const { accountId, memberId } = owner
  await inTx(deps.db, async (tx) => {
    const signer = await lockSigner(tx, accountId, memberId)
    if (!signer || !(await spendLink(tx, 'EMAIL', { accountId, token, now: visit.now }, signer)))
      throw invalidProofError()
    await setVerified(tx, scopeOf(deps, accountId, signer, visit))
  })
  return { emailVerified: true as const }
}
