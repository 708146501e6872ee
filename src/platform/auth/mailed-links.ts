import { addMs } from '../../core/time.ts'
import type { Db, Tx } from '../db/open.ts'
import type { AccountId } from '../scope.ts'
import { sha256 } from '../secrets.ts'
import * as store from './store-links.ts'
import { accountOfSession, newSessionToken } from './tokens.ts'

/** What a link proves: that whoever follows it may set the password, or reads the mailbox of the address. */
export type LinkKind = 'PASSWORD' | 'EMAIL'

/** How long a link works, in minutes: B-password-2 for passwords; the proof of an address opens nothing by itself. */
export const LINK_MINUTES: Readonly<Record<LinkKind, number>> = { PASSWORD: 60, EMAIL: 3 * 24 * 60 }

/** What a link was made for; it ends when any of this changes. */
export type Bound = { email: string; passwordHash: string | null }
const boundTo = (kind: LinkKind, { email, passwordHash }: Bound) =>
  sha256(JSON.stringify([email, ...(kind === 'PASSWORD' ? [passwordHash] : [])]))

/** Makes the token of a new link, 32 random bytes behind the workspace's ULID; the one before it stops working. */
export async function makeLink(
  tx: Tx,
  kind: LinkKind,
  { accountId, id, ...bound }: Bound & { accountId: AccountId; id: string },
  now: string,
): Promise<string> {
  const token = newSessionToken(accountId)
  await store.putLink(tx, {
    accountId,
    memberId: id,
    kind,
    tokenHash: sha256(token),
    boundTo: boundTo(kind, bound),
    createdAt: now,
    expiresAt: addMs(now, LINK_MINUTES[kind] * 60_000),
  })
  return token
}

/** Whose link a token is, while it works. */
export async function ownerOfLink(db: Db, kind: LinkKind, token: string, now: string) {
  const accountId = accountOfSession(token)
  if (!accountId) return null
  const found = await store.findLink(db, { accountId, kind, tokenHash: sha256(token), now })
  return found ? { accountId, memberId: found.memberId } : null
}

/** Uses a link up; false when it is gone, or was made for another address or password than `member` has by now. */
export async function spendLink(
  tx: Tx,
  kind: LinkKind,
  { accountId, token, now }: { accountId: AccountId; token: string; now: string },
  member: Bound & { id: string },
): Promise<boolean> {
  const taken = await store.takeLink(tx, { accountId, kind, tokenHash: sha256(token), now })
  return taken?.memberId === member.id && taken.boundTo === boundTo(kind, member)
}
