import { assert } from '../../../../core/assert.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { debitGiftCard, lockGiftCards } from '../../gift-cards/index.ts'
import type { Bill, Tender } from '../sale/types.ts'

/** Debits the cards of new tenders; on a bill too, in the transaction that stores the tender (contract 26.16). */
export async function chargeCards(
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
