import { assert } from '../../../../core/assert.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { debitGiftCard, lockGiftCards } from '../../gift-cards/index.ts'
import type { Payment, Sale } from '../sale/types.ts'

/** Debits the cards of new payments; on a bill too, in the transaction that stores the payment (B-complete-3). */
export async function chargeCards(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  paramOf: (index: number, field: string) => string,
): Promise<Sale> {
  const cards = sale.payments.filter(isNewCard)
  if (cards.length > 1)
    await lockGiftCards(
      tx,
      scope,
      cards.flatMap((payment) => payment.reference ?? []),
    )
  const payments: Payment[] = []
  for (const [index, payment] of sale.payments.entries()) {
    payments.push(
      isNewCard(payment)
        ? await debited(tx, scope, payment, { saleId: sale.id, param: paramOf(index, 'reference') })
        : payment,
    )
  }
  return { ...sale, payments }
}

const isNewCard = (payment: Payment) =>
  payment.method === 'GIFT_CARD' && payment.status === 'PAID' && payment.giftCardId === null

async function debited(
  tx: Tx,
  scope: Scope,
  payment: Payment,
  { saleId, param }: { saleId: string; param: string },
): Promise<Payment> {
  assert(payment.reference, 'a card payment names its code')
  const card = await debitGiftCard(tx, scope, {
    code: payment.reference,
    amount: payment.amount,
    saleId,
    paymentId: payment.id,
    param,
  })
  // The code is money: only its tail is kept with the sale.
  return { ...payment, giftCardId: card.giftCardId, reference: card.masked }
}
