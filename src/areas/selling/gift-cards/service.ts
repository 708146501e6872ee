import { randomBytes } from 'node:crypto'
import { assert } from '../../../core/assert.ts'
import { type Page, pageOf } from '../../../core/cursor.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { emptyToNull } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getCustomer, shareActiveCustomer } from '../customers/index.ts'
import { adopted, freshen, issuedThere } from './at-partner.ts'
import { giftCardIssued, giftCardVoided } from './events.ts'
import { requireFewGuesses, unknownCode } from './guesses.ts'
import { codeOf, maskOf, seesCodes, suppliedCode } from './rules.ts'
import type { GiftCard, GiftCardDetail, GiftCardIn, GiftCardQuery } from './schema.ts'
import * as store from './store.ts'
import { vault } from './vault.ts'

/** The card as events carry it: nobody who reads them may be able to spend it (B-card-6, B-event-2). */
export function masked(card: GiftCard | undefined): GiftCard {
  assert(card, 'a card that just moved exists')
  return { ...card, code: maskOf(card.code) }
}

/** The card as this caller may see it without having named its code (B-card-6). */
const shownTo = ({ actor }: Scope, card: GiftCard): GiftCard => (seesCodes(actor) ? card : masked(card))

/** Newest first; a filter by an unknown customer answers an empty page (B-ids-3). */
export async function listGiftCards(db: Db, scope: Scope, query: GiftCardQuery): Promise<Page<GiftCard>> {
  const page = pageOf(await store.list(db, scope, query), query.limit)
  return { ...page, items: page.items.map((card) => shownTo(scope, card)) }
}

/**
 * By code, however it is written, with its last 50 entries. 404 unknown, 429 after too many of those (B-ids-5,
 * B-card-4).
 */
export async function getGiftCard(db: Db, scope: Scope, code: string): Promise<GiftCardDetail> {
  await requireFewGuesses(db, scope)
  const card = await store.findByCode(db, scope, code)
  if (!card) {
    await adopted(db, scope, code)
    throw unknownCode(scope)
  }
  await freshen(db, scope, card.id)
  const { now, entries } = await store.findLedger(db, scope, card.id)
  return { ...card, ...now, entries }
}

const codeTaken = () => conflict('Another gift card has this code; choose another one')

/** 409 for a supplied code that is taken, 400 for one that is not a code, 404 and 422 for the customer (B-card-2). */
export async function issueGiftCard(tx: Tx, scope: Scope, input: GiftCardIn): Promise<GiftCard> {
  const code = input.code ? suppliedCode(input.code) : null
  const customerId = input.customerId ?? null
  if (customerId !== null) await getCustomer(tx, scope, customerId, 'customerId')
  if (code !== null && (await store.findByCode(tx, scope, code))) throw codeTaken()
  if (customerId !== null) await shareActiveCustomer(tx, scope, customerId)
  return issue(tx, scope, {
    kind: 'GIFT_CARD',
    code,
    initialAmount: input.amount,
    customerId,
    note: emptyToNull(input.note),
    sourceRefundId: null,
  })
}

type Issue = Pick<GiftCard, 'kind' | 'initialAmount' | 'customerId' | 'note' | 'sourceRefundId'> & {
  code: string | null
}

/**
 * Makes a card with its first ledger entry, at the partner while the payment module is on; `code` null lets the service
 * or the partner choose one that nobody can guess.
 */
export async function issue(tx: Tx, scope: Scope, input: Issue): Promise<GiftCard> {
  const there = await issuedThere(tx, scope, input)
  const code = there?.code ?? input.code ?? codeOf(randomBytes(10))
  const id = await store.insert(tx, scope, { ...input, code }, there?.at)
  if (id === undefined) throw codeTaken()
  const amount = input.initialAmount
  await store.insertEntry(tx, scope, {
    giftCardId: id,
    type: 'ISSUE',
    amount,
    balanceAfter: amount,
    refundId: input.sourceRefundId,
  })
  const card = await store.find(tx, scope, id)
  assert(card, 'a card that was just made exists')
  await emit(tx, scope, giftCardIssued, id, { giftCard: masked(card) })
  return card
}

/** Cancels a card and writes its balance off; 409 when that was done before (B-card-5). */
export async function voidGiftCard(tx: Tx, scope: Scope, id: string) {
  const writtenOff = await vault.writeOff({ tx, scope }, { giftCardId: id, key: id })
  const card = await store.find(tx, scope, id)
  if (!card) throw notFound('gift card')
  if (writtenOff === null) throw conflict('This gift card has already been cancelled')
  await store.insertEntry(tx, scope, {
    giftCardId: id,
    type: 'VOID',
    amount: 0 - writtenOff,
    balanceAfter: 0,
  })
  await emit(tx, scope, giftCardVoided, id, { giftCard: masked(card) })
  return { giftCard: shownTo(scope, card), writtenOff }
}
