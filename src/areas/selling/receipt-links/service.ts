import { notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import { accountOfReceipt, newReceiptToken } from '../../../platform/auth/tokens.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import { sha256 } from '../../../platform/secrets/secrets.ts'
import type { LinkRevocation, ReceiptLink } from './schema.ts'
import * as store from './store.ts'

const LIFETIME_MS = 90 * 24 * 3_600_000
/** Addresses of one receipt that work; a further one ends the oldest. */
const MOST_LINKS = 5
export const PAGE_PATH = '/r'

/** Makes a public address of the receipt (B-receipt-6). Only the hash of its token is stored. */
export async function createLink(
  tx: Tx,
  scope: Scope,
  saleId: string,
  address: string,
): Promise<ReceiptLink> {
  if (!(await store.lockSale(tx, scope, saleId))) throw notFound('sale')
  const token = newReceiptToken(scope.accountId)
  const expiresAt = addMs(scope.now, LIFETIME_MS)
  await store.insert(tx, scope, { id: newId('receiptLink'), saleId, tokenHash: sha256(token), expiresAt })
  await store.removeOldest(tx, scope, saleId, MOST_LINKS)
  return { url: `${address}${PAGE_PATH}/${token}`, expiresAt }
}

export async function revokeLinks(tx: Tx, scope: Scope, saleId: string): Promise<LinkRevocation> {
  if (!(await store.lockSale(tx, scope, saleId))) throw notFound('sale')
  if ((await store.removeOldest(tx, scope, saleId, 0)) === 0) throw notFound('receipt link')
  return { id: saleId, revoked: true }
}

/** The workspace that a token names, before any query; null if the token is malformed. */
export const workspaceOf = (token: string): AccountId | null => accountOfReceipt(token)

/** The sale that a token opens; null if it opens none, or no longer. */
export async function findSale(
  db: Db,
  accountId: AccountId,
  token: string,
  now: string,
): Promise<string | null> {
  const link = await store.findByHash(db, { accountId }, sha256(token), now)
  return link?.saleId ?? null
}
