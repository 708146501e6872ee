import { newId } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import type { Tx, WriteDb } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, updateOwn } from '../../../platform/db/own-rows.ts'
import type { GiftCardMovesRow } from '../../../platform/db/tables/sales.ts'
import { word } from '../../../platform/db/word.ts'
import type { Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'

const FIELDS = [
  'id',
  'kind',
  'giftCardId',
  'partnerPlace',
  'partnerCardId',
  'amount',
  'asked',
  'state',
  'balanceAfter',
  'tries',
  'createdAt',
] as const
export type Move = Pick<GiftCardMovesRow, Exclude<(typeof FIELDS)[number], 'tries'>> & { tries: number }

/** Longer than any request goes on: after it nobody uses what lies there. */
const ABANDONED_MS = 60_000
/** Whoever saw the partner fail may send the request again under its key first. */
const RESENT_MS = 10_000
const SOONEST_MS = 2_000
const LATEST_MS = 10 * 60_000

type Begun = Pick<
  GiftCardMovesRow,
  'giftCardId' | 'partnerPlace' | 'partnerCardId' | 'amount' | 'asked' | 'requestKey' | 'slot'
> & { kind: 'DEBIT' | 'ISSUE' }

/** A movement that is about to be asked for; the one that the same request left behind, where there is one. */
export async function begin(tx: Tx, scope: Scope, begun: Begun): Promise<Move> {
  const row = {
    ...begun,
    id: newId('giftCardMove'),
    state: 'ASKED',
    dueAt: addMs(scope.now, ABANDONED_MS),
    createdAt: scope.now,
    updatedAt: scope.now,
  } as const
  const made = await insertOwn(tx, scope, 'giftCardMoves', row)
    .onConflict((conflict) => conflict.doNothing())
    .returning(FIELDS)
    .executeTakeFirst()
  if (made) return made
  return updateOwn(tx, scope, 'giftCardMoves')
    .set({ dueAt: addMs(scope.now, ABANDONED_MS), updatedAt: scope.now })
    .where('requestKey', '=', begun.requestKey)
    .where('slot', '=', begun.slot)
    .returning(FIELDS)
    .executeTakeFirstOrThrow()
}

export const hold = (
  tx: Tx,
  scope: Scope,
  id: string,
  held: { partnerCardId: string; balanceAfter: number; answeredAt: string },
) =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set({ ...held, state: 'HELD', updatedAt: scope.now })
    .where('id', '=', id)
    .where('state', 'in', ['ASKED', 'HELD'])
    .execute()

/** Nobody knows what became of it: it is looked into soon. */
export const doubt = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set({ dueAt: addMs(scope.now, RESENT_MS) })
    .where('id', '=', id)
    .where('state', '=', 'ASKED')
    .execute()

/** Whether it was still there to be used; it is gone then, unless the transaction is undone. */
export const take = async (tx: Tx, scope: Scope, id: string): Promise<boolean> =>
  (await deleteOwn(tx, scope, 'giftCardMoves')
    .where('id', '=', id)
    .where('state', '=', 'HELD')
    .returning('id')
    .executeTakeFirst()) !== undefined

/** From now on it can only be undone; undefined where it was used, or is no movement that can be. */
export const turn = (tx: Tx, scope: Scope, { id, tries }: { id: string; tries: number }) =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set({ state: 'RETURNING', requestKey: null, ...again(scope, tries) })
    .where('id', '=', id)
    .where('state', 'in', ['ASKED', 'HELD', 'RETURNING'])
    .returning(FIELDS)
    .executeTakeFirst()

export const touch = (tx: Tx, scope: Scope, { id, tries }: { id: string; tries: number }) =>
  updateOwn(tx, scope, 'giftCardMoves').set(again(scope, tries)).where('id', '=', id).execute()

const again = ({ now }: Scope, tries: number) => ({
  tries: tries + 1,
  dueAt: addMs(now, Math.min(LATEST_MS, SOONEST_MS * 2 ** Math.min(tries, 20))),
  updatedAt: now,
})

type Owed = Pick<GiftCardMovesRow, 'giftCardId' | 'partnerPlace' | 'partnerCardId' | 'amount' | 'asked'>

/** Money that is to go back to a card of the partner, once this transaction has committed. */
export const owe = (tx: Tx, scope: Scope, owed: Owed) =>
  insertOwn(tx, scope, 'giftCardMoves', {
    ...owed,
    id: newId('giftCardMove'),
    kind: 'CREDIT',
    requestKey: null,
    slot: null,
    state: 'OWED',
    dueAt: scope.now,
    createdAt: scope.now,
    updatedAt: scope.now,
  }).execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'giftCardMoves').where('id', '=', id).execute()

export const refuse = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'giftCardMoves')
    .set({ state: 'REFUSED', updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

/** What is due, the longest overdue first, across workspaces. */
export const listDue = (db: WriteDb, now: string, limit: number) =>
  askReachable(db, { table: 'giftCardMoves', where: 'due_at <= $1', values: [now] }, (of) =>
    db
      .selectFrom('giftCardMoves')
      .select(['accountId', ...FIELDS])
      .where('state', '<>', word<'REFUSED'>('REFUSED', ['REFUSED']))
      .where('dueAt', '<=', now)
      .$if(of !== null, (rows) => rows.where('accountId', 'in', of ?? []))
      .orderBy('dueAt')
      .limit(limit)
      .execute(),
  )
