import { ApiError, conflict, invalid, notFound } from '../../../core/errors.ts'
import type { Tx } from '../../kit/db.ts'
import { money } from '../../kit/format.ts'
import { newId } from '../ids.ts'
import { chosenCode, codeKeyOf, drawnCode, statusOf } from './rules.ts'
import type { ENTRY_TYPES, GiftCard, GiftCardCreate } from './schema.ts'
import * as store from './store.ts'

export const cardView = (row: store.CardRow): GiftCard => ({ ...row, status: statusOf(row) })

type Booking = {
  workspaceId: string
  card: store.CardRow
  type: (typeof ENTRY_TYPES)[number]
  amount: number
  reference: string | null
  now: string
}

const book = (tx: Tx, { workspaceId, card, type, amount, reference, now }: Booking) =>
  store.insertEntry(tx, workspaceId, card.id, {
    id: newId('giftCardEntry'),
    type,
    amount,
    balanceAfter: card.balance,
    reference,
    createdAt: now,
  })

type Wish = { workspaceId: string; body: GiftCardCreate; now: string }

/** Issues a card: 409 for a code that another card of the workspace has. */
export async function issueCard(tx: Tx, { workspaceId, body, now }: Wish): Promise<GiftCard> {
  const code = body.code === undefined ? drawnCode() : chosenCode(body.code)
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
const later = (now: string, before: string) => (now > before ? now : before)

type Move = { workspaceId: string; id: string; amount: number; reference: string | null; now: string }

/** Takes from a card: 409 once it is voided, 422 beyond its balance. */
export async function debitCard(
  tx: Tx,
  { workspaceId, id, amount, reference, now }: Move,
): Promise<GiftCard> {
  const before = await locked(tx, workspaceId, id)
  if (amount > before.balance)
    throw invalid('amount', `The card holds ${money(before.balance, 'IDR')}; take at most that`)
  const card = { ...before, balance: before.balance - amount, updatedAt: later(now, before.updatedAt) }
  await store.updateCard(tx, workspaceId, card)
  await book(tx, { workspaceId, card, type: 'REDEEM', amount: -amount, reference, now })
  return cardView(card)
}

/** Gives back to a card: 409 once it is voided. */
export async function creditCard(
  tx: Tx,
  { workspaceId, id, amount, reference, now }: Move,
): Promise<GiftCard> {
  const before = await locked(tx, workspaceId, id)
  const card = { ...before, balance: before.balance + amount, updatedAt: later(now, before.updatedAt) }
  await store.updateCard(tx, workspaceId, card)
  await book(tx, { workspaceId, card, type: 'REFUND', amount, reference, now })
  return cardView(card)
}

/** Ends a card and writes off what it holds: 409 when that was done before. */
export async function voidCard(
  tx: Tx,
  { workspaceId, id, now }: { workspaceId: string; id: string; now: string },
) {
  const before = await locked(tx, workspaceId, id)
  const writtenOff = before.balance
  const card = { ...before, balance: 0, voidedAt: now, updatedAt: later(now, before.updatedAt) }
  await store.updateCard(tx, workspaceId, card)
  if (writtenOff > 0)
    await book(tx, { workspaceId, card, type: 'VOID', amount: -writtenOff, reference: null, now })
  return { giftCard: cardView(card), writtenOff }
}
