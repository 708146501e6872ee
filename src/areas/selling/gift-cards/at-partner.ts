import { ApiError } from '../../../core/errors.ts'
import type { GiftCardVault } from '../../../core/ports.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { Errand, type ErrandEnd, type ErrandMeans } from '../../../platform/http/errands.ts'
import { isCircuitOpen } from '../../../platform/partners/client.ts'
import type { Scope } from '../../../platform/scope.ts'
import { modulesOf } from '../../workspace/modules/index.ts'
import type { Here } from './local.ts'
import { isFinal, reverseMove } from './moves.ts'
import { codeKeyOf, type PartnerCardState } from './rules.ts'
import type { GiftCard } from './schema.ts'
import * as store from './store.ts'
import * as moves from './store-moves.ts'
import { applyPartnerState, applyVoid } from './voiding.ts'
import {
  askForCard,
  askToVoid,
  type CardThere,
  findAccount,
  findCurrentAccount,
  isRefusal,
  isUnknownCard,
  type PartnerAccount,
} from './wire.ts'

/**
 * Returns true if new cards are issued at the partner, which is so while the payment module is on. A card stays where
 * it was issued (B-card-8).
 */
async function isAtPartner(db: Db, scope: Scope): Promise<boolean> {
  const { defaultTier } = scope
  return (await modulesOf({ db, config: { defaultTier } }, scope, scope.now)).has('payment')
}

type DebitRefusal = { refused: 'unknown' | 'voided' } | { refused: 'short'; balance: number }
type HeldMove = { moveId: string; known: PartnerCardState }
type VoidAnswer = { writtenOff: number; state: PartnerCardState }

/**
 * Gift cards at the payment partner. Their money moves there before the sale is stored, in an errand. `key` limits
 * each movement to one per request. If the sale is not stored, the money returns.
 */
export const partnerVault: Pick<GiftCardVault<Here & { card: store.PartnerCard }>, 'debit' | 'writeOff'> = {
  async debit({ tx, scope, card }, { amount, key }) {
    const slot = `debit ${key} ${card.id} ${amount}`
    const found = scope.errandResults.get(slot) as HeldMove | DebitRefusal | undefined
    if (found === undefined) throw new Errand((means) => holdDebit(means, scope, { card, amount, slot }))
    if ('refused' in found) {
      const { refused } = found
      return refused === 'short' ? { outcome: refused, balance: found.balance } : { outcome: refused }
    }
    await applyPartnerState(tx, scope, card.id, found.known)
    if (!(await moves.take(tx, scope, found.moveId))) throw debitExpiredError()
    return { outcome: 'paid', giftCardId: card.id, code: card.code, balance: found.known.balance }
  },

  async writeOff({ tx, scope, card }) {
    const slot = `void ${card.id}`
    const found = scope.errandResults.get(slot) as VoidAnswer | 'voided before' | undefined
    if (found === 'voided before' || (found === undefined && card.status === 'VOIDED')) return null
    if (found === undefined) throw new Errand((means) => voidThere(means, scope, { card, slot }))
    // The partner gives two concurrent voids the same answer; only the first one is recorded.
    return (await applyVoid(tx, scope, card.id, found)) ? found.writtenOff : null
  },
}

type Back = { giftCardId: string; partnerPlace: string; partnerCardId: string; amount: number }

/**
 * Records a debt to the card in this transaction. The job pays it to the partner later, so that a refund does not
 * wait for a partner that is down.
 */
export const owe = ({ tx, scope }: Here, { amount, ...card }: Back) =>
  moves.owe(tx, scope, { ...card, amount, asked: JSON.stringify({ amount, reference: scope.requestId }) })

const debitExpiredError = () =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    'The payment took too long, so the money was returned to the gift card. Send the request again',
    { headers: { 'retry-after': '1' } },
  )

type DebitRequest = { card: store.PartnerCard; amount: number; slot: string }

async function holdDebit(
  means: ErrandMeans,
  scope: Scope,
  { card, amount, slot }: DebitRequest,
): Promise<ErrandEnd | undefined> {
  const { partner, results, key: requestKey } = means
  const at = { ...means, scope }
  const { id: giftCardId, partnerPlace, partnerCardId } = card
  const place = await findAccount(at, partnerPlace)
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
  const answer = await askOnce(at, place, move, [partnerCardId, 'debit'])
  if (answer instanceof ApiError) {
    results.set(slot, await refusalIn(means, scope, card, answer))
    return undefined
  }
  const { balance: balanceAfter, at: answeredAt } = answer.known
  await partner.inTx((tx) => moves.hold(tx, scope, move.id, { partnerCardId, balanceAfter, answeredAt }))
  results.set(slot, { moveId: move.id, known: answer.known })
  return () => reverseMove(at, move)
}

/** Why the card cannot pay. Throws the answer of the partner if it is not about the card. */
async function refusalIn(
  means: ErrandMeans,
  scope: Scope,
  card: store.PartnerCard,
  answer: ApiError,
): Promise<DebitRefusal> {
  if (isUnknownCard(answer)) return { refused: 'unknown' }
  if (answer.status !== 422 && answer.code !== 'CONFLICT') throw answer
  const { status, balance } = await look(means, scope, card)
  return status === 'VOIDED' ? { refused: 'voided' } : { refused: 'short', balance }
}

/**
 * Requests a movement at the partner, or returns its rejection. Removes the movement only if it certainly had no
 * effect. After a failure in our own transaction, the retry or the job must still find the movement.
 */
async function askOnce(
  at: ErrandMeans & { scope: Scope },
  place: PartnerAccount,
  move: moves.CardMove,
  parts: readonly string[],
): Promise<CardThere | ApiError> {
  const { deps, partner, scope } = at
  try {
    const lookAt = move.partnerCardId === null ? 'the gift cards' : 'the gift card'
    const asked = { method: 'POST', parts, body: move.asked, key: move.id, lookAt } as const
    return await askForCard(at, place, asked, move.partnerCardId ?? undefined)
  } catch (error) {
    const hadNoEffect = isFinal(error) || (move.tries === 0 && (isRefusal(error) || isCircuitOpen(error)))
    await partner.inTx(async (tx) =>
      hadNoEffect
        ? moves.withdraw(tx, scope, move)
        : moves.doubt(tx, scope, { id: move.id, now: deps.clock.now() }),
    )
    if (!isRefusal(error)) throw error
    return error
  }
}

/** Reads the state of a card at the partner and stores it. */
async function look(means: ErrandMeans, scope: Scope, card: store.PartnerCard): Promise<PartnerCardState> {
  const at = { ...means, scope }
  const place = await findAccount(at, card.partnerPlace)
  const asked = { method: 'GET', parts: [codeKeyOf(card.code)] } as const
  const { known } = await askForCard(at, place, asked, card.partnerCardId)
  await means.partner.inTx((tx) => applyPartnerState(tx, scope, card.id, known))
  return known
}

/** Refreshes the balance of a partner's card, once per request. */
export async function freshen(db: Db, scope: Scope, id: string): Promise<void> {
  const slot = `look ${id}`
  if (scope.errandResults.has(slot)) return
  const card = await store.findPlaced(db, scope, id)
  if (!card) return
  throw new Errand(async (means) => {
    means.results.set(slot, await look(means, scope, card))
    return undefined
  })
}

async function voidThere(
  means: ErrandMeans,
  scope: Scope,
  { card, slot }: { card: store.PartnerCard; slot: string },
): Promise<undefined> {
  const at = { ...means, scope }
  const place = await findAccount(at, card.partnerPlace)
  try {
    const voided = { id: card.partnerCardId, key: `${card.id}-void` }
    const { writtenOff, known: state } = await askToVoid(at, place, voided)
    means.results.set(slot, { writtenOff, state } satisfies VoidAnswer)
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'CONFLICT') throw error
    await look(means, scope, card)
    means.results.set(slot, 'voided before')
  }
}

/** The stored result of an errand if the card is kept here and not at a partner. */
const OURS = 'ours'

/**
 * Looks up a code that was not issued here at the partner, and stores the card if the partner knows it. Runs at most
 * once per request. Returns undefined if the module is off or the code is unknown.
 */
export async function adopted(db: Db, scope: Scope, code: string): Promise<store.PartnerCard | undefined> {
  const slot = `code ${codeKeyOf(code)}`
  if (scope.errandResults.has(slot)) return store.findPlacedByCode(db, scope, code)
  if (!(await isAtPartner(db, scope))) return undefined
  throw new Errand(async (means) => {
    await adopt(means, scope, code)
    means.results.set(slot, true)
    return undefined
  })
}

async function adopt(means: ErrandMeans, scope: Scope, code: string): Promise<void> {
  const at = { ...means, scope }
  const place = await findCurrentAccount(at)
  if (!place.client.keepsGiftCards) return
  const asked = { method: 'GET', parts: [codeKeyOf(code)] } as const
  const there = await askForCard(at, place, asked).catch((error: unknown) => {
    if (isUnknownCard(error)) return null
    throw error
  })
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
/** A card that the partner has issued and that is not stored here yet. */
export type NewPartnerCard = { code: string; at: store.AtPartner }

type IssuedCard = { moveId: string; place: string; there: CardThere }

/** Issues a card at the partner before the transaction that stores it. Returns null while the module is off. */
export async function issuedThere(tx: Tx, scope: Scope, input: Issue): Promise<NewPartnerCard | null> {
  const { kind, initialAmount: amount, code, note } = input
  const slot = `issue ${kind} ${amount} ${code ?? ''}`
  const found = scope.errandResults.get(slot) as typeof OURS | IssuedCard | undefined
  if (found === OURS) return null
  if (found) {
    if (!(await moves.take(tx, scope, found.moveId))) throw issueExpiredError()
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

const issueExpiredError = () =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    'Issuing the gift card took too long, so the card was cancelled. Send the request again',
    {
      headers: { 'retry-after': '1' },
    },
  )

async function holdIssue(
  means: ErrandMeans,
  scope: Scope,
  { amount, asked, slot }: { amount: number; asked: string; slot: string },
): Promise<ErrandEnd | undefined> {
  const { partner, results, key: requestKey } = means
  const at = { ...means, scope }
  const place = await findCurrentAccount(at)
  if (!place.client.keepsGiftCards) {
    results.set(slot, OURS)
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
  const there = await askOnce(at, place, move, [])
  if (there instanceof ApiError) throw there
  const { known, id: partnerCardId } = there
  const held = { partnerCardId, balanceAfter: known.balance, answeredAt: known.at }
  await partner.inTx((tx) => moves.hold(tx, scope, move.id, held))
  results.set(slot, { moveId: move.id, place: place.workspaceId, there })
  return () => reverseMove(at, move)
}
