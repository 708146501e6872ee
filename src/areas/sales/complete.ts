/**
 * What completing a sale does, called directly and in visible order inside the sale's own transaction (contract S3).
 *
 * Lock order of the whole service: idempotency row → sale → gift cards by id → customer → stock levels by variant id and
 * their batches → shift → receipt counter. Every path here takes a part of that list in that order.
 */
import { assert } from '../../core/assert.ts'
import type { Tx } from '../../platform/db/open.ts'
import type { Scope } from '../../platform/scope.ts'
import { earnForSale } from '../customers/index.ts'
import { debitGiftCard } from '../gift-cards/index.ts'
import type { Bill, Tender } from './bill.ts'
import { derived, eligibleOf } from './draft.ts'
import type { StockWarning } from './schema.ts'
import { takeStock } from './stock.ts'
import type { Context } from './store-context.ts'

/** Debits the cards of new tenders; on a bill too, in the transaction that stores the tender (contract 26.16). */
export async function takeCards(
  tx: Tx,
  scope: Scope,
  bill: Bill,
  paramOf: (index: number) => string = (index) => `payments[${index}].reference`,
): Promise<Bill> {
  const cards = bill.payments
    .map((tender, index) => ({ tender, index }))
    .filter(({ tender }) => isNewCard(tender))
    .toSorted((a, b) => ((a.tender.reference ?? '') < (b.tender.reference ?? '') ? -1 : 1))
  const paid = new Map<string, Tender>()
  for (const { tender, index } of cards)
    paid.set(tender.id, await debited(tx, scope, bill, tender, paramOf(index)))
  return { ...bill, payments: bill.payments.map((tender) => paid.get(tender.id) ?? tender) }
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
