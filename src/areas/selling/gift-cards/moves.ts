import { assert } from '../../../core/assert.ts'
import { ApiError } from '../../../core/errors.ts'
import { msBetween } from '../../../core/time.ts'
import type { ModuleContext } from '../../workspace/modules/index.ts'
import { codeKeyOf, type PartnerCardState } from './rules.ts'
import * as store from './store.ts'
import * as moves from './store-moves.ts'
import { applyPartnerState } from './voiding.ts'
import { askForCard, askToVoid, findAccount, isRefusal, type PartnerAccount } from './wire.ts'

/**
 * Reverses a movement whose request stored nothing. A debit returns to its card; an issued card is voided. If the
 * outcome is unknown, repeats the request under the same key to learn it. Does nothing for a movement that was used.
 */
export async function reverseMove(
  means: ModuleContext,
  { id, tries }: Pick<moves.CardMove, 'id' | 'tries'>,
): Promise<void> {
  const { partner, scope } = means
  const move = await partner.inTx((tx) => moves.turn(tx, scope, { id, tries }))
  if (!move) return
  await requireKnownKey(means, move)
  const known = await (move.kind === 'ISSUE' ? voidIssued(means, move) : creditDebited(means, move))
  await settled(means, move, known)
}

/**
 * Returns true if the card itself causes the rejection, so that a retry would fail too. Other rejections concern the
 * request and are retried.
 */
export const isFinal = (error: unknown): boolean => isRefusal(error) && [404, 409, 422].includes(error.status)

/** Returns null for a final rejection, which has no effect now or later. */
const nullIfRefused = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isFinal(error)) return null
    throw error
  })

/** Partners keep Idempotency-Keys for thirty days (docs/partners.md); the margin covers the partner's clock. */
const REPEATABLE_MS = 25 * 24 * 3_600_000

/**
 * Gives up a movement whose first request is too old: a retry could move the money twice. Throws
 * 409.
 */
async function requireKnownKey({ partner, scope }: ModuleContext, { id, sentAt }: moves.CardMove) {
  if (sentAt === null || msBetween(sentAt, scope.now) < REPEATABLE_MS) return
  await partner.inTx((tx) => moves.giveUp(tx, scope, id, 'EXPIRED'))
  throw new ApiError(
    'CONFLICT',
    `The outcome of movement ${id} at the payment partner is unknown since ${sentAt}`,
  )
}

const markSent = ({ partner, scope }: ModuleContext, { id }: moves.CardMove) =>
  partner.inTx((tx) => moves.markSent(tx, scope, id))

async function creditDebited(means: ModuleContext, move: moves.CardMove): Promise<PartnerCardState | null> {
  const place = await findAccount(means, move.partnerPlace)
  await markSent(means, move)
  assert(move.partnerCardId, 'a debit names its card')
  const move_ = { method: 'POST', body: move.asked } as const
  if (move.balanceAfter === null) {
    const debit = { ...move_, parts: [move.partnerCardId, 'debit'], key: move.id }
    if ((await nullIfRefused(askForCard(means, place, debit, move.partnerCardId))) === null) return null
  }
  const credit = { ...move_, parts: [move.partnerCardId, 'credit'], key: `${move.id}-back` }
  const card = await askForCard(means, place, credit, move.partnerCardId).catch(async (error: unknown) => {
    if (!isFinal(error)) throw error
    // If the card was voided meanwhile, this money was part of the balance that was written off.
    const there = await readCard(means, place, move)
    return there?.known.status === 'VOIDED' ? there : giveUpReturn(means, move, error)
  })
  return card.known
}

/** Returns the card of a debit as the partner has it now, or null if the partner rejects the read. */
async function readCard(means: ModuleContext, place: PartnerAccount, move: moves.CardMove) {
  const { partner, scope } = means
  assert(move.giftCardId && move.partnerCardId, 'a debit names its card')
  const { giftCardId, partnerCardId } = move
  const card = await partner.read((db) => store.findPlaced(db, scope, giftCardId))
  assert(card, 'the card of a movement exists')
  const request = { method: 'GET', parts: [codeKeyOf(card.code)] } as const
  return nullIfRefused(askForCard(means, place, request, partnerCardId))
}

/** Gives up money that the partner refuses to return, so that `kasir doctor` shows it. Throws 409. */
async function giveUpReturn(
  { partner, scope }: ModuleContext,
  { id, giftCardId }: moves.CardMove,
  cause: unknown,
): Promise<never> {
  await partner.inTx((tx) => moves.giveUp(tx, scope, id, 'REFUSED'))
  throw new ApiError(
    'CONFLICT',
    `The payment partner rejects the return of money to gift card ${giftCardId}`,
    { cause },
  )
}

async function voidIssued(means: ModuleContext, move: moves.CardMove): Promise<null> {
  const place = await findAccount(means, move.partnerPlace)
  await markSent(means, move)
  const id = move.partnerCardId ?? (await issuedId(means, move))
  if (id === null) return null
  await nullIfRefused(askToVoid(means, place, { id, key: `${move.id}-back` }))
  return null
}

async function issuedId(means: ModuleContext, move: moves.CardMove): Promise<string | null> {
  const place = await findAccount(means, move.partnerPlace)
  const card = await nullIfRefused(
    askForCard(means, place, { method: 'POST', parts: [], body: move.asked, key: move.id }),
  )
  return card && card.id
}

/** Pays the debt of a refund, void or discard to a card at the partner. */
export async function payOwed(means: ModuleContext, move: moves.CardMove): Promise<void> {
  const { partner, scope } = means
  await partner.inTx((tx) => moves.touch(tx, scope, move))
  await requireKnownKey(means, move)
  const place = await findAccount(means, move.partnerPlace)
  await markSent(means, move)
  assert(move.partnerCardId, 'a credit names its card')
  const parts = [move.partnerCardId, 'credit']
  const request = { method: 'POST', parts, body: move.asked, key: move.id } as const
  const card = await askForCard(means, place, request, move.partnerCardId).catch((error: unknown) => {
    if (!isFinal(error)) throw error
    return giveUpReturn(means, move, error)
  })
  await settled(means, move, card.known)
}

/** Writes the card before it deletes the movement, which is the lock order of a sale (ARCHITECTURE.md). */
const settled = (
  { partner, scope }: ModuleContext,
  { id, giftCardId }: moves.CardMove,
  known: PartnerCardState | null,
) =>
  partner.inTx(async (tx) => {
    if (giftCardId !== null && known !== null) await applyPartnerState(tx, scope, giftCardId, known)
    await moves.remove(tx, scope, id)
  })
