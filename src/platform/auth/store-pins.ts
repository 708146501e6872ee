import type { Db, Tx, WriteDb } from '../db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../db/own-rows.ts'
import type { AccountId } from '../scope.ts'

type Account = { accountId: AccountId }

export const findKey = async (db: Db, account: Account): Promise<string | undefined> =>
  (await ownRows(db, account, 'pinKeys').select('key').executeTakeFirst())?.key

/** If two processes create the first key, one key stays. */
export const insertKey = (db: WriteDb, account: Account, key: string, now: string) =>
  insertOwn(db, account, 'pinKeys', { key, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()

/** False if another process has replaced it. */
export const replaceKey = async (
  tx: Tx,
  account: Account,
  { lost, key, now }: { lost: string; key: string; now: string },
): Promise<boolean> =>
  (await updateOwn(tx, account, 'pinKeys')
    .set({ key, updatedAt: now })
    .where('key', '=', lost)
    .returning('accountId')
    .executeTakeFirst()) !== undefined

export const removeAll = (tx: Tx, account: Account) => deleteOwn(tx, account, 'memberPins').execute()

/** Whether another member has a PIN with this MAC. */
export const isTaken = async (
  tx: Tx,
  account: Account,
  { memberId, pinMac }: { memberId: string; pinMac: string },
): Promise<boolean> =>
  (await ownRows(tx, account, 'memberPins')
    .select('memberId')
    .where('pinMac', '=', pinMac)
    .where('memberId', '!=', memberId)
    .executeTakeFirst()) !== undefined

export const upsert = (
  tx: Tx,
  account: Account,
  { memberId, pinHash, pinMac, now }: { memberId: string; pinHash: string; pinMac: string; now: string },
) =>
  insertOwn(tx, account, 'memberPins', { memberId, pinHash, pinMac, createdAt: now, updatedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'memberId']).doUpdateSet({ pinHash, pinMac, updatedAt: now }),
    )
    .execute()

/** False if the member had none. */
export const remove = async (tx: Tx, account: Account, memberId: string): Promise<boolean> =>
  (await deleteOwn(tx, account, 'memberPins')
    .where('memberId', '=', memberId)
    .returning('memberId')
    .executeTakeFirst()) !== undefined
