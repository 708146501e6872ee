import { assert } from '../../../core/assert.ts'
import { newId } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { GiftCardMovesRow } from '../../../platform/db/tables/sales.ts'
import type { Scope } from '../../../platform/scope.ts'

const FIELDS = [
  'id',
  'kind',
  'giftCardId',
  'partnerPlace',
  'partnerCardId',
  'amount',
  'asked',
  'state',
  'sentAt',
  'balanceAfter',
  'tries',
  'createdAt',
] as const
export type CardMove = Pick<GiftCardMovesRow, Exclude<(typeof FIELDS)[number], 'tries'>> & { tries: number }

/** The lifetime of an Idempotency-Key (B-key-2): later the same key belongs to a new request. */
const KEY_MS = 24 * 60 * 60_000
/** No request lasts this long, so none can still use the movement. */
const ABANDONED_MS = 60_000
/** A caller whose request to the partner failed can retry it under the same key before this time. */
const RESENT_MS = 10_000
const SOONEST_MS = 2_000
const LATEST_MS = 10 * 60_000

export const find = (db: Db, scope: Scope, id: string): Promise<CardMove | undefined> =>
  ownRows(db, scope, 'giftCardMoves').select(FIELDS).where('id', '=', id).executeTakeFirst()

type NewMove = Pick<
  GiftCardMovesRow,
  'giftCardId' | 'partnerPlace' | 'partnerCardId' | 'amount' | 'asked' | 'requestKey' | 'slot'
> & { kind: 'DEBIT' | 'ISSUE' }

/**
 * Stores a movement before the request to the partner, or returns the one that an earlier attempt of the same request
 * left. `tries` is 0 only for a new movement; every later attempt increases it.
 */
export async function begin(tx: Tx, scope: Scope, begun: NewMove): Promise<CardMove> {
  const made = await insertNew(tx, scope, begun)
  if (made) return made
  const earlier = updateOwn(tx, scope, 'giftCardMoves')
    .where('requestKey', '=', begun.requestKey)
    .where('slot', '=', begun.slot)
  const found = await earlier
    .set((of) => ({
      tries: of('tries', '+', 1),
      dueAt: addMs(scope.now, ABANDONED_MS),
      updatedAt: scope.now,
    }))
    .where('createdAt', '>', addMs(scope.now, -KEY_MS))
    .returning(FIELDS)
    .executeTakeFirst()
  if (found) return found
  // The movement of an expired key stays for the job.
  await earlier.set({ requestKey: null }).execute()
  const renewed = await insertNew(tx, scope, begun)
  assert(renewed, 'a released key is free')
  return renewed
}

const insertNew = (tx: Tx, scope: Scope, begun: NewMove): Promise<CardMove | undefined> =>
  insertOwn(tx, scope, 'giftCardMoves', {
    ...begun,
    id: newId('giftCardMove'),
    state: 'ASKED',
    sentAt: scope.now,
    dueAt: addMs(scope.now, ABANDONED_MS),
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) => conflict.doNothing())
    .returning(FIELDS)
    .executeTakeFirst()

export const hold = (
  tx: Tx,
  scope: Scope,
  id: string,
  held: { partnerCardId: string; balanceAfter: number; answeredAt: string },
) =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set({ ...held, state: 'HELD', sentAt: null, updatedAt: scope.now })
    .where('id', '=', id)
    .where('state', 'in', ['ASKED', 'HELD'])
    .execute()

/**
 * Schedules an early check, because the outcome is unknown. `now` is the time after the call, which may be a whole
 * timeout after `scope.now`.
 */
export const doubt = (tx: Tx, scope: Scope, { id, now }: { id: string; now: string }) =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set({ dueAt: addMs(now, RESENT_MS) })
    .where('id', '=', id)
    .where('state', '=', 'ASKED')
    .execute()

/** Uses a movement by deleting it. Returns false if it no longer exists. A rollback restores it. */
export const take = async (tx: Tx, scope: Scope, id: string): Promise<boolean> =>
  (await deleteOwn(tx, scope, 'giftCardMoves')
    .where('id', '=', id)
    .where('state', '=', 'HELD')
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Marks a movement so that it can only be reversed. Returns undefined if it was used or cannot be reversed. */
export const turn = (tx: Tx, scope: Scope, { id, tries }: { id: string; tries: number }) =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set({ state: 'RETURNING', requestKey: null, ...nextAttempt(scope, tries) })
    .where('id', '=', id)
    .where('state', 'in', ['ASKED', 'HELD', 'RETURNING'])
    .returning(FIELDS)
    .executeTakeFirst()

export const touch = (tx: Tx, scope: Scope, { id, tries }: { id: string; tries: number }) =>
  updateOwn(tx, scope, 'giftCardMoves').set(nextAttempt(scope, tries)).where('id', '=', id).execute()

/** Takes back the count of an attempt that had no effect: the movement is due immediately. */
export const uncount = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set((of) => ({ tries: of('tries', '-', 1), dueAt: scope.now }))
    .where('id', '=', id)
    .where('tries', '>', 0)
    .execute()

/** Delays all movements of the workspace that would be due earlier. */
export const postpone = (tx: Tx, scope: Scope, until: string) =>
  updateOwn(tx, scope, 'giftCardMoves').set({ dueAt: until }).where('dueAt', '<', until).execute()

/** Records that a request is about to be sent. The first time counts. */
export const markSent = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set({ sentAt: scope.now })
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .execute()

const nextAttempt = ({ now }: Scope, tries: number) => ({
  tries: tries + 1,
  dueAt: addMs(now, Math.min(LATEST_MS, SOONEST_MS * 2 ** Math.min(tries, 20))),
  updatedAt: now,
})

type OwedReversal = Pick<
  GiftCardMovesRow,
  'giftCardId' | 'partnerPlace' | 'partnerCardId' | 'amount' | 'asked'
>

/** Records money to return to a partner's card after this transaction has committed. */
export const owe = (tx: Tx, scope: Scope, owed: OwedReversal) =>
  insertOwn(tx, scope, 'giftCardMoves', {
    ...owed,
    id: newId('giftCardMove'),
    kind: 'CREDIT',
    requestKey: null,
    slot: null,
    state: 'OWED',
    sentAt: null,
    dueAt: scope.now,
    createdAt: scope.now,
    updatedAt: scope.now,
  }).execute()

/** Removes a movement without effect, unless its request has made another attempt since. */
export const withdraw = (tx: Tx, scope: Scope, { id, tries }: Pick<CardMove, 'id' | 'tries'>) =>
  deleteOwn(tx, scope, 'giftCardMoves').where('id', '=', id).where('tries', '=', tries).execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'giftCardMoves').where('id', '=', id).execute()

/** Ends a movement that a person has to settle. */
export const giveUp = (tx: Tx, scope: Scope, id: string, state: 'REFUSED' | 'EXPIRED') =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set({ state, requestKey: null, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()
