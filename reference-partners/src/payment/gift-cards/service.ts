import { ApiError, conflict, invalid, notFound } from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import { money } from '../../kit/format.ts'
import { newId } from '../ids.ts'
import { chosenCode, codeKeyOf, generateCode, statusOf } from './rules.ts'
import type { ENTRY_TYPES, GiftCard, GiftCardCreate } from './schema.ts'
import * as store from './store.ts'

export const cardView = (row: store.CardRow): GiftCard => ({ ...row, status: statusOf(row) })

type CardBooking = {
  workspaceId: string
  card: store.CardRow
  type: (typeof ENTRY_TYPES)[number]
  amount: number
  reference: string | null
  now: string
}

const book = (tx: Tx, { workspaceId, card, type, amount, reference, now }: CardBooking) =>
  store.insertEntry(tx, workspaceId, card.id, {
    id: newId('giftCardEntry'),
    type,
    amount,
    balanceAfter: card.balance,
    reference,
    createdAt: now,
  })

type NewGiftCard = { workspaceId: string; body: GiftCardCreate; now: string }

/** Issues a card. Throws 409 if another card of the workspace has the code. */
export async function issueCard(tx: Tx, { workspaceId, body, now }: NewGiftCard): Promise<GiftCard> {
  const code = body.code === undefined ? generateCode() : chosenCode(body.code)
  const card: store.CardRow = {
    id: newId('giftCard'),
    code,
    kind: body.kind ?? 'GIFT_CARD',
    initialAmount: body.amount,
    balance: body.amount,
    note: body.note ?? null,
    voidedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  if (!(await store.insertCard(tx, workspaceId, card, codeKeyOf(code))))
    throw new ApiError('CONFLICT', 'Another gift card has this code', { param: 'code' })
  await book(tx, { workspaceId, card, type: 'ISSUE', amount: body.amount, reference: null, now })
  return cardView(card)
}

async function locked(tx: Tx, workspaceId: string, id: string): Promise<store.CardRow> {
  const card = await store.lockCard(tx, workspaceId, id)
  if (!card) throw notFound('gift card')
  if (card.voidedAt !== null) throw conflict('This gift card is voided')
  return card
}

/** Answers of one card can be put in order by it, whatever the clocks of several processes say. */
const laterOf = (now: string, before: string) => (now > before ? now : before)

type CardChange = { workspaceId: string; id: string; amount: number; reference: string | null; now: string }

/** Debits a card. Throws 409 if it is voided, 422 beyond its balance. */
export async function debitCard(
  tx: Tx,
  { workspaceId, id, amount, reference, now }: CardChange,
): Promise<GiftCard> {
  const before = await locked(tx, workspaceId, id)
  if (amount > before.balance)
    throw invalid('amount', `The card holds ${money(before.balance, 'IDR')}; take at most that`)
  const card = { ...before, balance: before.balance - amount, updatedAt: laterOf(now, before.updatedAt) }
  await store.updateCard(tx, workspaceId, card)
  await book(tx, { workspaceId, card, type: 'REDEEM', amount: -amount, reference, now })
  return cardView(card)
}

/** Credits a card. Throws 409 if it is voided. */
export async function creditCard(
  tx: Tx,
  { workspaceId, id, amount, reference, now }: CardChange,
): Promise<GiftCard> {
  const before = await locked(tx, workspaceId, id)
  const card = { ...before, balance: before.balance + amount, updatedAt: laterOf(now, before.updatedAt) }
  await store.updateCard(tx, workspaceId, card)
  await book(tx, { workspaceId, card, type: 'REFUND', amount, reference, now })
  return cardView(card)
}

/** Voids a card and writes off its balance. Throws 409 if it is voided already. */
export async function voidCard(
  tx: Tx,
  { workspaceId, id, now }: { workspaceId: string; id: string; now: string },
) {
  const before = await locked(tx, workspaceId, id)
  const writtenOff = before.balance
  const card = { ...before, balance: 0, voidedAt: now, updatedAt: laterOf(now, before.updatedAt) }
  await store.updateCard(tx, workspaceId, card)
  if (writtenOff > 0)
    await book(tx, { workspaceId, card, type: 'VOID', amount: -writtenOff, reference: null, now })
  return { giftCard: cardView(card), writtenOff }
}
