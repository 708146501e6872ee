import { sql } from 'kysely'
import { assert } from '../../../core/assert.ts'
import { decodeCursor } from '../../../core/cursor.ts'
import { newId } from '../../../core/ids.ts'
import { type Db, type Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import { walk } from '../../../platform/db/walk.ts'
import type { Scope } from '../../../platform/scope.ts'
import { codeKeyOf, type PartnerCardState } from './rules.ts'
import type { GiftCard, GiftCardEntry, GiftCardQuery } from './schema.ts'

const FIELDS = [
  'id',
  'code',
  'kind',
  'initialAmount',
  'balance',
  'status',
  'customerId',
  'note',
  'sourceRefundId',
  'createdAt',
  'updatedAt',
  'voidedAt',
] as const

const all = (db: Db, scope: Scope) => ownRows(db, scope, 'giftCards').select(FIELDS)

export const find = (db: Db, scope: Scope, id: string): Promise<GiftCard | undefined> =>
  all(db, scope).where('id', '=', id).executeTakeFirst()

export const findByCode = (db: Db, scope: Scope, code: string): Promise<GiftCard | undefined> =>
  all(db, scope).where('codeKey', '=', codeKeyOf(code)).executeTakeFirst()

/** A card at the partner, with its identity there. */
export type PartnerCard = {
  id: string
  code: string
  balance: number
  status: GiftCard['status']
  partnerPlace: string
  partnerCardId: string
}

const selectPartnerCards = (db: Db, scope: Scope) =>
  ownRows(db, scope, 'giftCards')
    .select(['id', 'code', 'balance', 'status'])
    .select((of) => [
      of.ref('partnerPlace').$castTo<string>().as('partnerPlace'),
      of.ref('partnerCardId').$castTo<string>().as('partnerCardId'),
    ])
    .where('partnerCardId', 'is not', null)

export const findPlacedByCode = (db: Db, scope: Scope, code: string): Promise<PartnerCard | undefined> =>
  selectPartnerCards(db, scope).where('codeKey', '=', codeKeyOf(code)).executeTakeFirst()

export const findPlaced = (db: Db, scope: Scope, id: string): Promise<PartnerCard | undefined> =>
  selectPartnerCards(db, scope).where('id', '=', id).executeTakeFirst()

export function list(db: Db, scope: Scope, { customerId, status, cursor, limit }: GiftCardQuery) {
  const isOfOne = customerId !== undefined
  const { where, order } = walk({
    by: [
      ...(isOfOne ? [['customerId', sql.val(customerId)] as const] : []),
      ...(status !== undefined && !isOfOne ? [['status', sql.val(status)] as const] : []),
    ],
    id: 'id',
    from: null,
    before: cursor === undefined ? null : sql.val(decodeCursor(cursor, 'giftCard').id),
  })
  let rows = all(db, scope).where(where)
  if (status !== undefined && isOfOne) rows = rows.where('status', '=', status)
  return rows
    .orderBy(order)
    .limit(limit + 1)
    .execute()
}

/** Locks several cards in order of id, as every transaction does. */
export const lock = (tx: Tx, scope: Scope, codes: readonly string[]) =>
  ownRows(tx, scope, 'giftCards')
    .select('id')
    .where('codeKey', 'in', codes.map(codeKeyOf))
    .orderBy('id')
    .forUpdate()
    .execute()

type CardIn = Pick<GiftCard, 'code' | 'kind' | 'initialAmount' | 'customerId' | 'note' | 'sourceRefundId'>
/** The partner account and card id of a new card at the partner. */
export type AtPartner = { partnerPlace: string; partnerCardId: string; known: PartnerCardState }

/** Inserts a card. Returns its id, or undefined if the code is taken. */
export async function insert(
  tx: Tx,
  scope: Scope,
  input: CardIn,
  at?: AtPartner,
): Promise<string | undefined> {
  const row = await insertOwn(tx, scope, 'giftCards', {
    ...input,
    id: newId('giftCard'),
    codeKey: codeKeyOf(input.code),
    balance: at?.known.balance ?? input.initialAmount,
    status: at?.known.status ?? 'ACTIVE',
    voidedAt: at?.known.status === 'VOIDED' ? scope.now : null,
    partnerPlace: at?.partnerPlace ?? null,
    partnerCardId: at?.partnerCardId ?? null,
    partnerAt: at?.known.at ?? null,
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

type EntryIn = Pick<GiftCardEntry, 'giftCardId' | 'type' | 'amount' | 'balanceAfter'> &
  Partial<Pick<GiftCardEntry, 'transactionId' | 'refundId'>> & { paymentId?: string }

/**
 * Inserts a ledger entry. Call it after the balance has changed: ids created under the row lock keep the entries in
 * the order of their balances.
 */
export async function insertEntry(tx: Tx, scope: Scope, input: EntryIn) {
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'giftCardEntries', { ...input, id: newId('giftCardEntry'), ...stamps }).execute()
}

const ENTRIES_SHOWN = 50

/** Reads the last entries of an existing card and its balance in one statement, so that they agree. */
export async function findLedger(db: Db, scope: Scope, giftCardId: string) {
  const { where, order } = walk({
    by: [['e.giftCardId', sql.val(giftCardId)]],
    id: 'e.id',
    from: null,
    before: null,
  })
  const rows = await db
    .selectFrom('giftCardEntries as e')
    .innerJoin('giftCards as c', (join) =>
      join.on('c.accountId', '=', scope.accountId).on('c.id', '=', giftCardId),
    )
    .select([
      'c.balance',
      'c.status',
      'c.voidedAt',
      'c.updatedAt as changedAt',
      'e.id',
      'e.giftCardId',
      'e.type',
      'e.amount',
      'e.balanceAfter',
      'e.transactionId',
      'e.refundId',
      'e.createdAt',
      'e.updatedAt',
    ])
    .where('e.accountId', '=', scope.accountId)
    .where(where)
    .orderBy(order)
    .limit(ENTRIES_SHOWN)
    .execute()
  const [first] = rows
  assert(first, 'a card is issued with an entry')
  const { balance, status, voidedAt, changedAt: updatedAt } = first
  const entries = rows.map(
    ({ balance: _b, status: _s, voidedAt: _v, changedAt: _c, ...entry }): GiftCardEntry => entry,
  )
  return { now: { balance, status, voidedAt, updatedAt }, entries }
}
