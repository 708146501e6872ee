import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'

/** Locks the sale, so that requests for its links run one after the other; false if there is none. */
export async function lockSale(tx: Tx, scope: Scope, id: string): Promise<boolean> {
  const row = await ownRows(tx, scope, 'sales')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

type NewLink = { id: string; saleId: string; tokenHash: string; expiresAt: string }

export const insert = (tx: Tx, scope: Scope, link: NewLink) =>
  insertOwn(tx, scope, 'receiptLinks', { ...link, createdAt: scope.now }).execute()

/** Removes all links of the sale but the newest `kept`. Returns how many it removed. */
export async function removeOldest(tx: Tx, scope: Scope, saleId: string, kept: number): Promise<number> {
  const old = ownRows(tx, scope, 'receiptLinks')
    .select('id')
    .where('saleId', '=', saleId)
    .orderBy('id', 'desc')
    .offset(kept)
  const rows = await deleteOwn(tx, scope, 'receiptLinks').where('id', 'in', old).returning('id').execute()
  return rows.length
}

export const findByHash = (db: Db, account: { accountId: AccountId }, tokenHash: string, now: string) =>
  ownRows(db, account, 'receiptLinks')
    .select('saleId')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
