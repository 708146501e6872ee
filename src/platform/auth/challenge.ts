import { isSameText } from '../../core/same-text.ts'
import { addMs } from '../../core/time.ts'
import type { AccountId } from '../scope.ts'
import type { Secrets } from '../secrets/keyring.ts'
import { sha256 } from '../secrets/secrets.ts'
import { foundAccountId } from './tokens.ts'

/** Time allowed to enter the second factor. */
const CHALLENGE_MS = 5 * 60_000
const PURPOSE = 'second factor'

/** Half a sign-in: a member who passed the first factor, bound to the credentials used. It grants no access. */
type Half = { accountId: AccountId; memberId: string; bound: string; by: FirstFactor }
type FirstFactor = 'PASSWORD' | 'PROVIDER'
type Signer = { id: string; email: string; passwordHash: string | null }

const boundTo = ({ email, passwordHash }: Signer) => sha256(JSON.stringify([email, passwordHash]))

/** Whether the member's e-mail address and password are unchanged since the first factor. */
export const isBoundTo = ({ memberId, bound }: Half, signer: Signer): boolean =>
  memberId === signer.id && bound === boundTo(signer)

export function newChallenge(
  { sign }: Pick<Secrets, 'sign'>,
  { accountId, by }: Pick<Half, 'accountId' | 'by'>,
  signer: Signer,
  now: string,
): { challenge: string; expiresAt: string } {
  const expiresAt = addMs(now, CHALLENGE_MS)
  const carried = [accountId, signer.id, boundTo(signer), expiresAt, by]
  const body = Buffer.from(JSON.stringify(carried)).toString('base64url')
  return { challenge: `${body}.${sign(PURPOSE, body)}`, expiresAt }
}

/** Decodes a challenge. Returns null if it has expired or its signature is not ours. */
export function halfOf(
  { signatures }: Pick<Secrets, 'signatures'>,
  challenge: string,
  now: string,
): Half | null {
  const [body = '', mark = '', ...more] = challenge.split('.')
  if (body === '' || more.length > 0 || !signatures(PURPOSE, body).some((real) => isSameText(mark, real))) {
    return null
  }
  const [accountId, memberId, bound, expiresAt, by] = JSON.parse(
    Buffer.from(body, 'base64url').toString('utf8'),
  ) as [string, string, string, string, FirstFactor]
  return now < expiresAt ? { accountId: foundAccountId(accountId), memberId, bound, by } : null
}
