import { newId } from '../../../core/ids.ts'
import { type Db, named, namedWrite, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { deleteOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import * as sql from './statements.ts'

type Account = Pick<Scope, 'accountId'>
export type Ended = 'redeemed' | 'released'

export async function begin(
  tx: Tx,
  { accountId, now }: Scope,
  { request, dueAt }: { request: string | null; dueAt: string },
): Promise<string> {
  const fresh = newId('salePromotion')
  const [row] = await namedWrite<{ id: string }>(tx, sql.BEGIN, [accountId, fresh, request, dueAt, now])
  return row?.id ?? fresh
}

export const bind = (
  tx: Tx,
  { accountId, now }: Scope,
  { id, saleId, isRedeemed }: { id: string; saleId: string; isRedeemed: boolean },
) =>
  namedWrite(tx, sql.BIND, [
    accountId,
    id,
    saleId,
    isRedeemed ? 'redeemed' : 'reserved',
    isRedeemed ? now : null,
    now,
  ])

export const findBySale = async (db: Db, scope: Account, saleId: string): Promise<string | null> =>
  (await ownRows(db, scope, 'salePromotions').select('id').where('saleId', '=', saleId).executeTakeFirst())
    ?.id ?? null

/** What is released belongs to no sale any more. */
export const end = (tx: Tx, scope: Scope, saleId: string, wanted: Ended) =>
  updateOwn(tx, scope, 'salePromotions')
    .set({
      wanted,
      dueAt: scope.now,
      attempts: 0,
      updatedAt: scope.now,
      ...(wanted === 'released' ? { saleId: null } : {}),
    })
    .where('saleId', '=', saleId)
    .execute()

export const move = (tx: Tx, scope: Scope, fromId: string, toId: string) =>
  updateOwn(tx, scope, 'salePromotions')
    .set({ saleId: toId, updatedAt: scope.now })
    .where('saleId', '=', fromId)
    .execute()

/** Nothing where a sale has it. */
export const letGo = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'salePromotions')
    .set({ dueAt: scope.now, updatedAt: scope.now })
    .where('id', '=', id)
    .where('saleId', 'is', null)
    .execute()

/** Codes of the referral program are kept in capitals. */
export const isReferralCode = async (db: Db, scope: Account, code: string): Promise<boolean> =>
  (await ownRows(db, scope, 'referralLinks')
    .select('id')
    .where('code', '=', code.toUpperCase())
    .executeTakeFirst()) !== undefined

export const listDue = (db: WriteDb, now: string, limit: number) =>
  askReachable<{ accountId: AccountId }>(
    db,
    { table: 'salePromotions', where: 'due_at <= $1', values: [now] },
    (of) => (of === null ? named(db, sql.DUE, [now, limit]) : named(db, sql.DUE_OF, [now, limit, of])),
    limit,
  )

export type Due = { id: string; wanted: 'reserved' | Ended; attempts: number }

export const claim = (
  db: WriteDb,
  { accountId }: Account,
  { now, until, limit }: { now: string; until: string; limit: number },
) => namedWrite<Due>(db, sql.CLAIM, [accountId, now, until, limit])

type Lease = { id: string; until: string }

/** Nothing where it is to end otherwise meanwhile. */
export const postpone = (
  db: WriteDb,
  account: Account,
  { id, until }: Lease,
  { dueAt, now }: { dueAt: string | null; now: string },
) =>
  updateOwn(db, account, 'salePromotions')
    .set({ dueAt, updatedAt: now })
    .where('id', '=', id)
    .where('dueAt', '=', until)
    .execute()

export const remove = (db: WriteDb, account: Account, { id, until }: Lease) =>
  deleteOwn(db, account, 'salePromotions')
    .where('id', '=', id)
    .where('dueAt', '=', until)
    .where('saleId', 'is', null)
    .execute()
