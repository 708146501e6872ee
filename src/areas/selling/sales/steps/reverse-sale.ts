import { newId } from '../../../../core/ids.ts'
import { sum } from '../../../../core/money.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { type OpenCharge, reverseCredit, shareOverCharges } from '../../customer-credit/index.ts'
import { creditGiftCard } from '../../gift-cards/index.ts'
import { endPromotion } from '../../promotions/index.ts'
import { shareBookingShift } from '../../shifts/index.ts'
import { decideReversal, type Reversal } from '../decide/reversal.ts'
import { touchBoards } from '../sale/boards.ts'
import type { Payment, Refund, Sale } from '../sale/types.ts'
import { writeLocked } from '../store/write.ts'

/** The amount that each payment returns, by its own method; a voided card pays out as cash (B-card-5). */
export async function reversePayments(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  {
    kind,
    reason,
    credit,
  }: { kind: 'VOID' | 'DISCARD'; reason: string | null; credit: readonly OpenCharge[] },
): Promise<Refund | null> {
  const id = newId('refund')
  const paid = sale.payments.filter(
    (payment) => payment.status === 'PAID' && payment.applied && payment.amount > payment.refundedAmount,
  )
  if (paid.length === 0) return null
  const tenders: Refund['tenders'] = []
  const give = (tender: Pick<Refund['tenders'][number], 'method' | 'amount' | 'paymentId' | 'giftCardId'>) =>
    tender.amount > 0 && tenders.push({ refundId: id, position: tenders.length, ...tender })
  for (const payment of paid.toSorted(byCard)) {
    const amount = payment.amount - payment.refundedAmount
    if (payment.method === 'CREDIT') {
      // Credit that the customer has paid meanwhile returns as money.
      const owed = sum(credit.flatMap(({ paymentId, open }) => (paymentId === payment.id ? [open] : [])))
      give({ method: 'CREDIT', amount: owed, paymentId: payment.id, giftCardId: null })
      give({ method: 'CASH', amount: amount - owed, paymentId: payment.id, giftCardId: null })
      continue
    }
    const credited =
      payment.giftCardId !== null &&
      (await creditGiftCard(tx, scope, {
        giftCardId: payment.giftCardId,
        amount,
        saleId: sale.id,
        refundId: id,
      }))
    const method = payment.giftCardId !== null && !credited ? 'CASH' : payment.method
    give({ method, amount, paymentId: payment.id, giftCardId: credited ? payment.giftCardId : null })
  }
  const back = { saleId: sale.id, refundId: id, outletId: sale.outletId }
  await reverseCredit(tx, scope, shareOverCharges(credit, sum(credit.map(({ open }) => open))), back)
  return {
    id,
    saleId: sale.id,
    kind,
    amount: tenders.reduce((total, { amount }) => total + amount, 0),
    goods: 0,
    tax: 0,
    service: 0,
    deliveryFee: 0,
    rounding: roundingBack(paid, tenders),
    taxes: null,
    method: null,
    restock: kind === 'VOID',
    giftCardId: null,
    reason,
    shiftId: null,
    actorId: scope.actor.id,
    approvedBy: null,
    createdAt: scope.now,
    updatedAt: scope.now,
    lines: [],
    tenders,
  }
}

/** Cash goes back as it came: with the rounding of the payment (B-rounding-4). */
function roundingBack(paid: readonly Payment[], tenders: Refund['tenders']): number {
  const inCash = new Set(tenders.flatMap(({ method, paymentId }) => (method === 'CASH' ? [paymentId] : [])))
  return sum(paid.flatMap(({ id, rounding }) => (inCash.has(id) ? [rounding] : [])))
}

/** Cards are locked in order of id (ARCHITECTURE.md). */
const byCard = (a: Payment, b: Payment) => ((a.giftCardId ?? '') < (b.giftCardId ?? '') ? -1 : 1)

/** Writes a void or a discard with its events. */
export async function storeReversal(tx: Tx, scope: Scope, before: Sale, reversal: Reversal) {
  const shiftId =
    reversal.refund &&
    (await shareBookingShift(tx, scope, { outletId: before.outletId, saleShiftId: before.shiftId }))
  const { change, sale } = decideReversal(scope, before, { ...reversal, shiftId })
  const { after } = change
  await writeLocked(tx, [change])
  await endPromotion(tx, scope, after, 'released')
  touchBoards(scope, after)
  return { sale, after }
}
