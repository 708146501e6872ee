import type { ApprovalAction } from '../../core/approvals.ts'
import type { Db, Tx, WriteDb } from '../db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../db/own-rows.ts'
import type { AccountId, TillRef } from '../scope.ts'

export const touchTill = (db: WriteDb, accountId: AccountId, id: string, now: string) =>
  updateOwn(db, { accountId }, 'tills').set({ lastSeenAt: now }).where('id', '=', id).execute()

const FIELDS = ['id', 'outletId', 'name', 'enrolledBy', 'lastSeenAt', 'createdAt', 'updatedAt'] as const

/** Tills that still hold. */
const enrolled = (db: Db, account: { accountId: AccountId }) =>
  ownRows(db, account, 'tills').select(FIELDS).where('revokedAt', 'is', null)

export const listTills = (db: Db, account: { accountId: AccountId }) =>
  enrolled(db, account).orderBy('id', 'desc').execute()

export const findTill = (db: Db, account: { accountId: AccountId }, id: string) =>
  enrolled(db, account).where('id', '=', id).executeTakeFirst()

/** The till of a cookie, unless it was revoked. */
export const findTillOf = (db: Db, { accountId, id, secretHash }: TillRef) =>
  enrolled(db, { accountId }).where('id', '=', id).where('secretHash', '=', secretHash).executeTakeFirst()

export type NewTill = { id: string; outletId: string; name: string; secretHash: string; enrolledBy: string }

export const insertTill = (tx: Tx, account: { accountId: AccountId }, till: NewTill, now: string) =>
  insertOwn(tx, account, 'tills', { ...till, lastSeenAt: now, createdAt: now, updatedAt: now }).execute()

type Revocation = { now: string; replacedBy: string | null }

/** Returns undefined if the till does not exist or a concurrent call has revoked it. */
export const revokeTill = (
  tx: Tx,
  account: { accountId: AccountId },
  id: string,
  { now, replacedBy }: Revocation,
) =>
  updateOwn(tx, account, 'tills')
    .set({ revokedAt: now, replacedBy, updatedAt: now })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning(['id', 'outletId', 'name'])
    .executeTakeFirst()

/** The till that took the place of a revoked one, if no browser was ever seen with its cookie; else null. */
export async function findSuccessor(
  tx: Tx,
  account: { accountId: AccountId },
  id: string,
): Promise<string | null> {
  const before = await ownRows(tx, account, 'tills')
    .select('replacedBy')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!before?.replacedBy) return null
  const next = await ownRows(tx, account, 'tills')
    .select('id')
    .where('id', '=', before.replacedBy)
    .whereRef('lastSeenAt', '=', 'createdAt')
    .executeTakeFirst()
  return next?.id ?? null
}

/** Gives one till the members who used a PIN at another. */
export const moveMembers = (
  tx: Tx,
  account: { accountId: AccountId },
  { from, to }: { from: string; to: string },
) => updateOwn(tx, account, 'tillMembers').set({ tillId: to }).where('tillId', '=', from).execute()

/** Holds the till against its revocation while a session begins there. False if it was revoked. */
export const holdTill = async (
  tx: Tx,
  { accountId, id, secretHash }: TillRef,
  now: string,
): Promise<boolean> =>
  (await updateOwn(tx, { accountId }, 'tills')
    .set({ lastSeenAt: now })
    .where('id', '=', id)
    .where('secretHash', '=', secretHash)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Notes that a member used their PIN at a till. */
export const noteUse = (
  tx: Tx,
  { accountId, id: tillId }: Pick<TillRef, 'accountId' | 'id'>,
  memberId: string,
  now: string,
) =>
  insertOwn(tx, { accountId }, 'tillMembers', { tillId, memberId, lastUsedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'tillId', 'memberId']).doUpdateSet({ lastUsedAt: now }),
    )
    .execute()

export const deleteApprovalsAt = (tx: Tx, accountId: AccountId, tillId: string) =>
  deleteOwn(tx, { accountId }, 'approvals').where('tillId', '=', tillId).execute()

export const deleteApprovalsBy = (tx: Tx, accountId: AccountId, memberId: string) =>
  deleteOwn(tx, { accountId }, 'approvals').where('memberId', '=', memberId).execute()

export const insertApproval = (
  tx: Tx,
  account: { accountId: AccountId },
  approval: {
    id: string
    tokenHash: string
    tillId: string
    memberId: string
    action: ApprovalAction
    subjectId: string | null
    createdAt: string
    expiresAt: string
  },
) => insertOwn(tx, account, 'approvals', approval).execute()
