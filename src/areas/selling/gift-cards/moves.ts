import { assert } from '../../../core/assert.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Means } from '../../workspace/modules/index.ts'
import type { Known } from './rules.ts'
import * as statements from './statements.ts'
import * as moves from './store-moves.ts'
import { ask, cardIn, isRefusal, placeOf } from './wire.ts'

/**
 * Undoes a movement that nothing was stored for: what was debited goes back to its card, a card that was issued is voided.
 * Where it is not known whether it happened, the same is asked again under the same key, which tells. Does nothing for one
 * that was used.
 */
export async function giveBack(means: Means, { id, tries }: Pick<moves.Move, 'id' | 'tries'>): Promise<void> {
  const { partner, scope } = means
  const move = await partner.inTx((tx) => moves.turn(tx, scope, { id, tries }))
  if (!move) return
  const known = await (move.kind === 'ISSUE' ? voidIssued(means, move) : creditDebited(means, move))
  await settled(means, move, known)
}

/** What the card itself refuses, today and later. Any other refusal is about the request, and is tried again. */
const isFinal = (error: unknown): boolean => isRefusal(error) && [404, 409, 422].includes(error.status)

/** Of a final refusal null: it has had no effect, and will have none. */
const unlessRefused = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isFinal(error)) return null
    throw error
  })

async function creditDebited(means: Means, move: moves.Move): Promise<Known | null> {
  const place = await placeOf(means, move.partnerPlace)
  assert(move.partnerCardId, 'a debit names its card')
  const move_ = { method: 'POST', body: move.asked } as const
  if (move.balanceAfter === null) {
    const debit = { ...move_, parts: [move.partnerCardId, 'debit'], key: move.id }
    if ((await unlessRefused(ask(means, place, debit))) === null) return null
  }
  const credit = { ...move_, parts: [move.partnerCardId, 'credit'], key: `${move.id}-back` }
  // A card that was voided meanwhile was written off with what it held; this was a part of it.
  const data = await unlessRefused(ask(means, place, credit))
  return data === null ? null : cardIn(data, move.partnerCardId).known
}

async function voidIssued(means: Means, move: moves.Move): Promise<null> {
  const place = await placeOf(means, move.partnerPlace)
  const id = move.partnerCardId ?? (await issuedId(means, move))
  if (id === null) return null
  await unlessRefused(ask(means, place, { method: 'POST', parts: [id, 'void'], key: `${move.id}-back` }))
  return null
}

async function issuedId(means: Means, move: moves.Move): Promise<string | null> {
  const place = await placeOf(means, move.partnerPlace)
  const data = await unlessRefused(
    ask(means, place, { method: 'POST', parts: [], body: move.asked, key: move.id }),
  )
  return data === null ? null : cardIn(data).id
}

/** Pays to the partner what a refund, void or discard owes a card. */
export async function payOwed(means: Means, move: moves.Move): Promise<void> {
  const { partner, scope } = means
  await partner.inTx((tx) => moves.touch(tx, scope, move))
  const place = await placeOf(means, move.partnerPlace)
  assert(move.partnerCardId, 'a credit names its card')
  const parts = [move.partnerCardId, 'credit']
  try {
    const data = await ask(means, place, { method: 'POST', parts, body: move.asked, key: move.id })
    await settled(means, move, cardIn(data, move.partnerCardId).known)
  } catch (error) {
    if (!isFinal(error)) throw error
    await partner.inTx((tx) => moves.refuse(tx, scope, move.id))
    throw new ApiError(
      'CONFLICT',
      `The payment partner takes nothing back for gift card ${move.giftCardId}`,
      {
        cause: error,
      },
    )
  }
}

/** The card is written before its movement goes: the order in which a sale holds them (ARCHITECTURE.md). */
const settled = ({ partner, scope }: Means, { id, giftCardId }: moves.Move, known: Known | null) =>
  partner.inTx(async (tx) => {
    if (giftCardId !== null && known !== null) await statements.setKnown(tx, scope, giftCardId, known)
    await moves.remove(tx, scope, id)
  })
