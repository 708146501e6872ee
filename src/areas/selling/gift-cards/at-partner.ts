import { ApiError } from '../../../core/errors.ts'
import type { GiftCardVault } from '../../../core/ports.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { type Ending, Errand, type ErrandMeans } from '../../../platform/http/errands.ts'
import type { Scope } from '../../../platform/scope.ts'
import { modulesOf } from '../../workspace/modules/index.ts'
import type { Here } from './local.ts'
import { giveBack } from './moves.ts'
import { codeKeyOf, type Known } from './rules.ts'
import type { GiftCard } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'
import * as moves from './store-moves.ts'
import { ask, type CardThere, cardIn, isRefusal, isUnsent, placeNow, placeOf, voidedIn } from './wire.ts'

/** New cards are the partner's while the payment module is on; a card stays where it was issued (B-card-8). */
async function isAtPartner(db: Db, scope: Scope): Promise<boolean> {
  const { defaultTier } = scope
  return (await modulesOf({ db, config: { defaultTier } }, scope, scope.now)).has('payment')
}

type Refused = { refused: 'voided' } | { refused: 'short'; balance: number }
type Held = { moveId: string; known: Known }

/**
 * Cards of the payment partner. Its value moves there before the sale is stored, in an errand, and by `key` once in a
 * request: when the sale is not stored after all, the money goes back.
 */
export const partnerVault: Pick<GiftCardVault<Here & { card: store.Placed }>, 'debit' | 'writeOff'> = {
  async debit({ tx, scope, card }, { amount, key }) {
    const slot = `debit ${key} ${card.id} ${amount}`
    const found = scope.found.get(slot) as Held | Refused | undefined
    if (found === undefined) throw new Errand((means) => holdDebit(means, scope, { card, amount, slot }))
    if ('refused' in found) {
      return found.refused === 'voided' ? { outcome: 'voided' } : { outcome: 'short', balance: found.balance }
    }
    await statements.setKnown(tx, scope, card.id, found.known)
    if (!(await moves.take(tx, scope, found.moveId))) throw gone()
    return { outcome: 'paid', giftCardId: card.id, code: card.code, balance: found.known.balance }
  },

  async writeOff({ tx, scope, card }) {
    const slot = `void ${card.id}`
    const found = scope.found.get(slot) as { writtenOff: number | null; known: Known } | undefined
    if (found === undefined && card.status === 'VOIDED') return null
    if (found === undefined) throw new Errand((means) => voidThere(means, scope, { card, slot }))
    // Of two who void at once, both hear the same from the partner: the first one writes it.
    const isFirst = await statements.setKnown(tx, scope, card.id, found.known)
    return isFirst ? found.writtenOff : null
  },
}

type Back = { giftCardId: string; partnerPlace: string; partnerCardId: string; amount: number }

/** Owed in this transaction, and paid to the partner after it: a refund does not wait for a partner that is down. */
export const owe = ({ tx, scope }: Here, { amount, ...card }: Back) =>
  moves.owe(tx, scope, { ...card, amount, asked: JSON.stringify({ amount, reference: scope.requestId }) })

const gone = () =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    'This took so long that the money went back to the gift card; send the request again',
    { headers: { 'retry-after': '1' } },
  )

type Wanted = { card: store.Placed; amount: number; slot: string }

async function holdDebit(
  means: ErrandMeans,
  scope: Scope,
  { card, amount, slot }: Wanted,
): Promise<Ending | undefined> {
  const { partner, found, key: requestKey } = means
  const at = { ...means, scope }
  const { id: giftCardId, partnerPlace, partnerCardId } = card
  const place = await placeOf(at, partnerPlace)
  const asked = JSON.stringify({ amount, reference: scope.requestId })
  const move = await partner.inTx((tx) =>
    moves.begin(tx, scope, {
      kind: 'DEBIT',
      giftCardId,
      partnerPlace,
      partnerCardId,
      amount,
      asked,
      requestKey,
      slot,
    }),
  )
  try {
    const parts = [partnerCardId, 'debit']
    const there = cardIn(
      await ask(at, place, { method: 'POST', parts, body: move.asked, key: move.id }),
      partnerCardId,
    )
    const { balance: balanceAfter, at: answeredAt } = there.known
    await partner.inTx((tx) => moves.hold(tx, scope, move.id, { partnerCardId, balanceAfter, answeredAt }))
    found.set(slot, { moveId: move.id, known: there.known })
    return () => giveBack(at, move)
  } catch (error) {
    await unmoved(means, scope, move.id, error)
    const { status, code } = error as ApiError
    if (status !== 422 && code !== 'CONFLICT') throw error
    const known = await look(means, scope, card)
    found.set(slot, refusedBy(known))
    return undefined
  }
}

const refusedBy = ({ status, balance }: Known): Refused =>
  status === 'VOIDED' ? { refused: 'voided' } : { refused: 'short', balance }

/** Clears away a movement that has not happened; what nobody knows about is left for the job. @throws the error then */
async function unmoved({ partner }: ErrandMeans, scope: Scope, id: string, error: unknown) {
  const isKnown = isRefusal(error) || isUnsent(error)
  await partner.inTx(async (tx) => (isKnown ? moves.remove(tx, scope, id) : moves.doubt(tx, scope, id)))
  if (!isRefusal(error)) throw error
}

/** What the partner says of a card now, kept as the last known. */
async function look(means: ErrandMeans, scope: Scope, card: store.Placed): Promise<Known> {
  const at = { ...means, scope }
  const place = await placeOf(at, card.partnerPlace)
  const { known } = cardIn(
    await ask(at, place, { method: 'GET', parts: [codeKeyOf(card.code)] }),
    card.partnerCardId,
  )
  await means.partner.inTx((tx) => statements.setKnown(tx, scope, card.id, known))
  return known
}

/** Has the balance of a card of the partner asked for, once in a request. */
export async function freshen(db: Db, scope: Scope, id: string): Promise<void> {
  const slot = `look ${id}`
  if (scope.found.has(slot)) return
  const card = await store.findPlaced(db, scope, id)
  if (!card) return
  throw new Errand(async (means) => {
    means.found.set(slot, await look(means, scope, card))
    return undefined
  })
}

async function voidThere(
  means: ErrandMeans,
  scope: Scope,
  { card, slot }: { card: store.Placed; slot: string },
): Promise<undefined> {
  const at = { ...means, scope }
  const place = await placeOf(at, card.partnerPlace)
  const parts = [card.partnerCardId, 'void']
  try {
    // A card is voided once, whoever asks: after a lost answer the next one gets it.
    const data = await ask(at, place, { method: 'POST', parts, key: `${card.id}-void` })
    means.found.set(slot, voidedIn(data, card.partnerCardId))
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'CONFLICT') throw error
    means.found.set(slot, { writtenOff: null, known: await look(means, scope, card) })
  }
}

/**
 * Looks for a code that nobody issued here at the partner, and takes the card into our books where it is known there. Once
 * in a request; undefined where the module is off or nobody knows it.
 */
/** Found in the place of what a partner would have answered that keeps no cards. */
const OURS = 'ours'

export async function adopted(db: Db, scope: Scope, code: string): Promise<store.Placed | undefined> {
  const slot = `code ${codeKeyOf(code)}`
  if (scope.found.has(slot)) return store.findPlacedByCode(db, scope, code)
  if (!(await isAtPartner(db, scope))) return undefined
  throw new Errand(async (means) => {
    await adopt(means, scope, code)
    means.found.set(slot, true)
    return undefined
  })
}

async function adopt(means: ErrandMeans, scope: Scope, code: string): Promise<void> {
  const at = { ...means, scope }
  const place = await placeNow(at)
  if (!place.client.keepsGiftCards) return
  const there = await ask(at, place, { method: 'GET', parts: [codeKeyOf(code)] }).then(
    (data) => cardIn(data),
    (error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null
      throw error
    },
  )
  if (!there || codeKeyOf(there.code) !== codeKeyOf(code)) return
  const { id: partnerCardId, known, kind, initialAmount } = there
  await means.partner.inTx(async (tx) => {
    const card = { code: there.code.toUpperCase(), kind, initialAmount, customerId: null, note: null }
    const placed = { partnerPlace: place.workspaceId, partnerCardId, known }
    const id = await store.insert(tx, scope, { ...card, sourceRefundId: null }, placed)
    if (id === undefined) return
    const { balance } = known
    await store.insertEntry(tx, scope, {
      giftCardId: id,
      type: 'ISSUE',
      amount: balance,
      balanceAfter: balance,
    })
  })
}

type Issue = Pick<GiftCard, 'kind' | 'initialAmount' | 'note'> & { code: string | null }
/** A card that the partner has issued and that is to be stored with what it was issued for. */
export type Issued = { code: string; at: store.AtPartner }

type Made = { moveId: string; place: string; there: CardThere }

/** Issues a card at the partner, before the transaction that stores it; null while the module is off. */
export async function issuedThere(tx: Tx, scope: Scope, input: Issue): Promise<Issued | null> {
  const { kind, initialAmount: amount, code, note } = input
  const slot = `issue ${kind} ${amount} ${code ?? ''}`
  const found = scope.found.get(slot) as typeof OURS | Made | undefined
  if (found === OURS) return null
  if (found) {
    if (!(await moves.take(tx, scope, found.moveId))) throw goneCard()
    const { id: partnerCardId, known, code: drawn } = found.there
    return { code: drawn.toUpperCase(), at: { partnerPlace: found.place, partnerCardId, known } }
  }
  if (!(await isAtPartner(tx, scope))) return null
  const asked = JSON.stringify({
    amount,
    kind,
    ...(code === null ? {} : { code }),
    ...(note === null ? {} : { note }),
  })
  throw new Errand((means) => holdIssue(means, scope, { amount, asked, slot }))
}

const goneCard = () =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    'This took so long that the new gift card was dropped; send the request again',
    {
      headers: { 'retry-after': '1' },
    },
  )

async function holdIssue(
  means: ErrandMeans,
  scope: Scope,
  { amount, asked, slot }: { amount: number; asked: string; slot: string },
): Promise<Ending | undefined> {
  const { partner, found, key: requestKey } = means
  const at = { ...means, scope }
  const place = await placeNow(at)
  if (!place.client.keepsGiftCards) {
    found.set(slot, OURS)
    return undefined
  }
  const begun = {
    giftCardId: null,
    partnerPlace: place.workspaceId,
    partnerCardId: null,
    amount,
    asked,
    requestKey,
    slot,
  }
  const move = await partner.inTx((tx) => moves.begin(tx, scope, { kind: 'ISSUE', ...begun }))
  try {
    const there = cardIn(await ask(at, place, { method: 'POST', parts: [], body: move.asked, key: move.id }))
    const { known, id: partnerCardId } = there
    const held = { partnerCardId, balanceAfter: known.balance, answeredAt: known.at }
    await partner.inTx((tx) => moves.hold(tx, scope, move.id, held))
    found.set(slot, { moveId: move.id, place: place.workspaceId, there })
    return () => giveBack(at, move)
  } catch (error) {
    await unmoved(means, scope, move.id, error)
    throw error
  }
}
