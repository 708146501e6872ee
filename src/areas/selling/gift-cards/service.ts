import { randomBytes } from 'node:crypto'
import { assert } from '../../../core/assert.ts'
import { type Page, pageOf } from '../../../core/cursor.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { emptyToNull } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getCustomer, shareActiveCustomer } from '../customers/index.ts'
import { adopted, freshen, issuedThere } from './at-partner.ts'
import { giftCardIssued } from './events.ts'
import { requireFewGuesses, unknownCode } from './guesses.ts'
import { canSeeCodes, codeOf, masked, suppliedCode } from './rules.ts'
import type { GiftCard, GiftCardDetail, GiftCardIn, GiftCardQuery } from './schema.ts'
import * as store from './store.ts'
import { vault } from './vault.ts'

/** Masks the code unless the caller can see whole codes (B-card-6). */
const maskFor = ({ actor }: Scope, card: GiftCard): GiftCard => (canSeeCodes(actor) ? card : masked(card))

/** Lists cards, newest first. A filter by an unknown customer returns an empty page (B-ids-3). */
export async function listGiftCards(db: Db, scope: Scope, query: GiftCardQuery): Promise<Page<GiftCard>> {
  const page = pageOf(await store.list(db, scope, query), query.limit)
  return { ...page, items: page.items.map((card) => maskFor(scope, card)) }
}

/**
 * Reads a card by its code, ignoring case and dashes, with its last 50 entries. Throws 404 for an unknown code and
 * 429 after too many of them (B-ids-5, B-card-4).
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

/** Issues a card. Throws 409 if the code is taken, 400 if it is invalid, and 404 or 422 for the customer (B-card-2). */
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
 * Creates a card with its first ledger entry, at the partner while the payment module is on. With `code` null, the
 * service or the partner chooses an unguessable one.
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
  assert(card, 'a card that was just created exists')
  await emit(tx, scope, giftCardIssued, id, { giftCard: masked(card) })
  return card
}

/** Cancels a card and writes off its balance. Throws 409 if it is already cancelled (B-card-5). */
export async function voidGiftCard(tx: Tx, scope: Scope, id: string) {
  const writtenOff = await vault.writeOff({ tx, scope }, { giftCardId: id, key: id })
  const card = await store.find(tx, scope, id)
  if (!card) throw notFound('gift card')
  if (writtenOff === null) throw conflict('This gift card has already been cancelled')
  return { giftCard: maskFor(scope, card), writtenOff }
}
