import { newId } from '../../../core/ids.ts'
import { type Db, named, namedWrite, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { deleteOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import type { Redemption } from './rules.ts'
import * as sql from './statements.ts'

type Account = Pick<Scope, 'accountId'>
export type PromotionEnd = 'redeemed' | 'released'

export async function begin(
  tx: Tx,
  { accountId, now }: Scope,
  { request, dueAt }: { request: string | null; dueAt: string },
): Promise<string> {
  const fresh = newId('salePromotion')
  const [row] = await namedWrite<{ id: string }>(tx, sql.BEGIN, [accountId, fresh, request, dueAt, now])
  return row?.id ?? fresh
}

type Binding = { id: string; saleId: string; isRedeemed: boolean; redemption: Redemption | null }

export const bind = (tx: Tx, { accountId, now }: Scope, { id, saleId, isRedeemed, redemption }: Binding) =>
  namedWrite(tx, sql.BIND, [
    accountId,
    id,
    saleId,
    isRedeemed ? 'redeemed' : 'reserved',
    isRedeemed ? now : null,
    now,
    redemption?.customerId ?? null,
    redemption?.points ?? 0,
  ])

export const findBySale = async (db: Db, scope: Account, saleId: string): Promise<string | null> =>
  (await ownRows(db, scope, 'salePromotions').select('id').where('saleId', '=', saleId).executeTakeFirst())
    ?.id ?? null

/** Returns the points of a sale, or null if it has none. The sale is locked, so they cannot change. */
export async function findRedemption(db: Db, scope: Account, saleId: string): Promise<Redemption | null> {
  const row = await ownRows(db, scope, 'salePromotions')
    .select(['customerId', 'points'])
    .where('saleId', '=', saleId)
    .executeTakeFirst()
  return row && row.customerId !== null && row.points > 0
    ? { customerId: row.customerId, points: row.points }
    : null
}

export async function countBooked(db: Db, { accountId }: Account, customerId: string): Promise<number> {
  const [row] = await named<{ points: number }>(db, sql.BOOKED, [accountId, customerId])
  return row?.points ?? 0
}

/** Records the end of a promotion. A released offer belongs to no sale. */
export const end = (tx: Tx, scope: Scope, saleId: string, wanted: PromotionEnd) =>
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

export const setPoints = (tx: Tx, scope: Scope, saleId: string, points: number) =>
  updateOwn(tx, scope, 'salePromotions')
    .set({ points, updatedAt: scope.now })
    .where('saleId', '=', saleId)
    .execute()

export const move = (tx: Tx, scope: Scope, fromId: string, toId: string) =>
  updateOwn(tx, scope, 'salePromotions')
    .set({ saleId: toId, updatedAt: scope.now })
    .where('saleId', '=', fromId)
    .execute()

/** Releases a promotion. Does nothing if a sale is bound to it. */
export const letGo = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'salePromotions')
    .set({ dueAt: scope.now, updatedAt: scope.now })
    .where('id', '=', id)
    .where('saleId', 'is', null)
    .execute()

/** Returns true for a code of the referral program; these are stored in upper case. */
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

/** `points` are those of the sale in the end, which can be fewer than the partner holds. */
export type DueSettlement = {
  id: string
  wanted: 'reserved' | PromotionEnd
  points: number
  attempts: number
}

export const claim = (
  db: WriteDb,
  { accountId }: Account,
  { now, until, limit }: { now: string; until: string; limit: number },
) => namedWrite<DueSettlement>(db, sql.CLAIM, [accountId, now, until, limit])

type Lease = { id: string; until: string }

/** Postpones a notification. Does nothing if the outcome has changed meanwhile. */
export const postpone = (
  db: WriteDb,
  account: Account,
  { id, until }: Lease,
  { dueAt, now, attempts }: { dueAt: string | null; now: string; attempts: number },
) =>
  updateOwn(db, account, 'salePromotions')
    .set({ dueAt, attempts, updatedAt: now })
    .where('id', '=', id)
    .where('dueAt', '=', until)
    .execute()

export const remove = (db: WriteDb, account: Account, { id, until }: Lease) =>
  deleteOwn(db, account, 'salePromotions')
    .where('id', '=', id)
    .where('dueAt', '=', until)
    .where('saleId', 'is', null)
    .execute()
