import { addMs } from '../../core/time.ts'
import type { Db, Tx } from '../db/open.ts'
import type { AccountId } from '../scope.ts'
import { sha256 } from '../secrets/secrets.ts'
import * as store from './store-links.ts'
import { accountOfSession, newSessionToken } from './tokens.ts'

/** Purpose of a link: to set the password, or to prove that its user reads mail at the address. */
export type LinkKind = 'PASSWORD' | 'EMAIL'

/** Lifetime of a link in minutes: B-password-2 for passwords; a link that proves an address grants no access. */
export const LINK_MINUTES: Readonly<Record<LinkKind, number>> = { PASSWORD: 60, EMAIL: 3 * 24 * 60 }

/** The values that a link is bound to; it stops working when one of them changes. */
export type LinkBinding = { email: string; passwordHash: string | null }
const boundTo = (kind: LinkKind, { email, passwordHash }: LinkBinding) =>
  sha256(JSON.stringify([email, ...(kind === 'PASSWORD' ? [passwordHash] : [])]))

/** Creates the token of a new link: the workspace's ULID and 32 random bytes. The previous link stops working. */
export async function makeLink(
  tx: Tx,
  kind: LinkKind,
  { accountId, id, ...bound }: LinkBinding & { accountId: AccountId; id: string },
  now: string,
): Promise<string> {
  const token = newSessionToken(accountId)
  await store.insertLink(tx, {
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

/** Finds the owner of a link. Returns null if the link is expired or used. */
export async function ownerOfLink(db: Db, kind: LinkKind, token: string, now: string) {
  const accountId = accountOfSession(token)
  if (!accountId) return null
  const found = await store.findLink(db, { accountId, kind, tokenHash: sha256(token), now })
  return found ? { accountId, memberId: found.memberId } : null
}

/**
 * Consumes a link. Returns false if the link was removed, or was made for a former address or password of `member`.
 */
export async function spendLink(
  tx: Tx,
  kind: LinkKind,
  { accountId, token, now }: { accountId: AccountId; token: string; now: string },
  member: LinkBinding & { id: string },
): Promise<boolean> {
  const taken = await store.takeLink(tx, { accountId, kind, tokenHash: sha256(token), now })
  return taken?.memberId === member.id && taken.boundTo === boundTo(kind, member)
}
