/**
 * What completing a sale does, called directly and in visible order inside the sale's own transaction (contract S3).
 * Every path here takes its locks in the order of the house (ARCHITECTURE.md, "Locks are taken in one order").
 */
import { assert } from '../../../../core/assert.ts'
import { conflict } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { isUniqueViolation } from '../../../../platform/db/pg-errors.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { earnForSale } from '../../customers/index.ts'
import { debitGiftCard, lockGiftCards } from '../../gift-cards/index.ts'
import { shareOpenShifts } from '../../shifts/index.ts'
import { eligibleOf } from '../rules/totals.ts'
import type { Bill, Tender } from '../sale/bill.ts'
import type { StockWarning } from '../schema.ts'
import type { Context } from '../store/context.ts'
import { derived } from './price-sale.ts'
import { takeStock } from './take-stock.ts'

/** Debits the cards of new tenders; on a bill too, in the transaction that stores the tender (contract 26.16). */
export async function takeCards(
  tx: Tx,
  scope: Scope,
  bill: Bill,
  paramOf: (index: number) => string,
): Promise<Bill> {
  const cards = bill.payments.filter(isNewCard)
  if (cards.length > 1)
    await lockGiftCards(
      tx,
      scope,
      cards.flatMap((tender) => tender.reference ?? []),
    )
  const payments: Tender[] = []
  for (const [index, tender] of bill.payments.entries()) {
    payments.push(isNewCard(tender) ? await debited(tx, scope, bill, tender, paramOf(index)) : tender)
  }
  return { ...bill, payments }
}

const isNewCard = (tender: Tender) =>
  tender.method === 'GIFT_CARD' && tender.status === 'PAID' && tender.giftCardId === null

async function debited(tx: Tx, scope: Scope, bill: Bill, tender: Tender, param: string): Promise<Tender> {
  assert(tender.reference, 'a card tender names its code')
  const card = await debitGiftCard(tx, scope, {
    code: tender.reference,
    amount: tender.amount,
    saleId: bill.id,
    paymentId: tender.id,
    param,
  })
  // The code is money: only its tail is kept with the sale.
  return { ...tender, giftCardId: card.giftCardId, reference: card.masked }
}

/**
 * Completes a bill that is paid in full: its customer is credited, its goods are taken, its PENDING tenders have failed
 * (contract 7.6). The caller stores the bill it gets back.
 */
export async function complete(
  tx: Tx,
  scope: Scope,
  bill: Bill,
  context: Context,
): Promise<{ bill: Bill; warnings: StockWarning[] }> {
  assert(bill.paidTotal === bill.total, 'a completed sale is paid in full')
  const loyalty = bill.customerId === null ? {} : await credit(tx, scope, bill, bill.customerId)
  const { items, warnings } = await takeStock(tx, scope, bill, context)
  const byId = new Map(items.map((item) => [item.id, item]))
  const completed = derived({
    ...bill,
    ...loyalty,
    status: 'COMPLETED',
    completedAt: scope.now,
    items: bill.items.map((item) => byId.get(item.id) ?? item),
    payments: bill.payments.map((tender) =>
      tender.status === 'PENDING' ? { ...tender, status: 'FAILED' as const, updatedAt: scope.now } : tender,
    ),
  })
  return { bill: completed, warnings }
}

async function credit(tx: Tx, scope: Scope, bill: Bill, customerId: string) {
  const earned = await earnForSale(tx, scope, {
    customerId,
    saleId: bill.id,
    eligible: eligibleOf(bill),
    total: bill.total,
  })
  return { pointsEarned: earned.pointsEarned, loyaltyRupiahPerPoint: earned.rupiahPerPoint }
}

/**
 * Books newly PAID tenders (those not in `paidBefore`) to the shift that took the money (contract S6). A sale completed
 * after its own shift closed moves to the shift its last tender is booked to, or to none (contract 11.2).
 */
export async function bookPayments(
  tx: Tx,
  scope: Scope,
  bill: Bill,
  paidBefore: ReadonlySet<string>,
): Promise<Bill> {
  const { outletId, shiftId: saleShiftId } = bill
  const isPaid = (tender: Tender) => tender.status === 'PAID' && tender.applied
  const lastTenderShiftId = bill.payments.findLast(isPaid)?.shiftId ?? null
  const { booking, open } = await shareOpenShifts(tx, scope, { outletId, saleShiftId, lastTenderShiftId })
  const payments = bill.payments.map((tender) =>
    isPaid(tender) && !paidBefore.has(tender.id) ? { ...tender, shiftId: booking } : tender,
  )
  const outlived = bill.status === 'COMPLETED' && saleShiftId !== null && !open.has(saleShiftId)
  if (!outlived) return { ...bill, payments }
  const last = payments.findLast(isPaid)?.shiftId ?? null
  return { ...bill, payments, shiftId: last !== null && open.has(last) ? last : null }
}

/** Two sales must not wait for one payment; the loser of a race learns it from the index (contract 7.4). */
export async function onePendingReference<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict('A payment with this providerRef is already pending')
  }
}
