import { isSameText } from '../../core/same-text.ts'
import { addMs } from '../../core/time.ts'
import type { Secrets } from '../keyring.ts'
import type { AccountId } from '../scope.ts'
import { sha256 } from '../secrets.ts'
import { foundAccountId } from './tokens.ts'

/** How long somebody may look for their phone. */
const CHALLENGE_MS = 5 * 60_000
const PURPOSE = 'second factor'

/** Half a sign-in: who proved the first factor, with what they signed in with then. It opens nothing by itself. */
type Half = { accountId: AccountId; memberId: string; bound: string; by: FirstFactor }
type FirstFactor = 'PASSWORD' | 'PROVIDER'
type Signer = { id: string; email: string; passwordHash: string | null }

const boundTo = ({ email, passwordHash }: Signer) => sha256(JSON.stringify([email, passwordHash]))

/** Whether the member still signs in with what they proved. */
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

/** What a challenge says; null past its time, and for one that was not made here. */
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
