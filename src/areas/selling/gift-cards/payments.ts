import { invalid } from '../../../core/errors.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { giftCardRedeemed } from './events.ts'
import { requireFewGuesses, unknownCode } from './guesses.ts'
import { masked, maskOf } from './rules.ts'
import { issue } from './service.ts'
import * as store from './store.ts'
import { vault } from './vault.ts'

/**
 * Pays `amount` rupiah of a sale with a card, by one conditional debit in the sale's transaction. Throws 422 with
 * `param` for an unknown or voided card and for a low balance, and 429 after too many unknown codes (B-card-3,
 * B-card-4). A request that debits several cards first calls `lockGiftCards`. `masked` is the form of the code that
 * can be stored and shown. A partner's card needs an errand (B-card-8).
 */
export async function debitGiftCard(
  tx: Tx,
  scope: Scope,
  payment: { code: string; amount: number; saleId: string; paymentId: string; param: string },
): Promise<{ giftCardId: string; masked: string }> {
  const { code, amount, saleId, paymentId, param } = payment
  await requireFewGuesses(tx, scope)
  const debit = await vault.debit({ tx, scope }, { code, amount, key: param })
  if (debit.outcome === 'unknown') throw unknownCode(scope, param)
  if (debit.outcome === 'voided') throw invalid(param, 'This gift card was cancelled; pay another way')
  if (debit.outcome === 'short') {
    throw invalid(param, `This gift card has a balance of ${debit.balance}; pay at most that much with it`)
  }
  const { giftCardId, balance } = debit
  await store.insertEntry(tx, scope, {
    giftCardId,
    type: 'REDEEM',
    amount: -amount,
    balanceAfter: balance,
    transactionId: saleId,
    paymentId,
  })
  const giftCard = masked(await store.find(tx, scope, giftCardId))
  await emit(tx, scope, giftCardRedeemed, giftCardId, { giftCard })
  return { giftCardId, masked: maskOf(debit.code) }
}

/**
 * Returns `amount` rupiah to the card that paid them. Returns false if the card is voided; the money is then paid in
 * cash (B-card-5). `refundId` is the refund, void or discard that returns it.
 */
export async function creditGiftCard(
  tx: Tx,
  scope: Scope,
  back: { giftCardId: string; amount: number; saleId: string; refundId: string | null },
): Promise<boolean> {
  const { giftCardId, amount, saleId, refundId } = back
  const key = `${refundId ?? saleId} ${giftCardId}`
  const balanceAfter = await vault.credit({ tx, scope }, { giftCardId, amount, key })
  if (balanceAfter === null) return false
  const entry = { giftCardId, type: 'REFUND', amount, balanceAfter, transactionId: saleId, refundId } as const
  await store.insertEntry(tx, scope, entry)
  return true
}

/**
 * Pays a refund as a new card, in rupiah. The card belongs to the customer, or to the holder of its code
 * (B-refund-8).
 */
export async function issueStoreCredit(
  tx: Tx,
  scope: Scope,
  refund: { amount: number; customerId: string | null; refundId: string },
): Promise<{ id: string; code: string; balance: number }> {
  const { amount, customerId, refundId } = refund
  const { id, code, balance } = await issue(tx, scope, {
    kind: 'STORE_CREDIT',
    code: null,
    initialAmount: amount,
    customerId,
    note: null,
    sourceRefundId: refundId,
  })
  return { id, code, balance }
}

/** Locks all cards that a request will change, in order of id, so that two requests never deadlock. */
export const lockGiftCards = async (tx: Tx, scope: Scope, codes: readonly string[]): Promise<void> => {
  await store.lock(tx, scope, codes)
}
