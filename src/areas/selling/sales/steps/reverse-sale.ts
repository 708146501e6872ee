import { newId } from '../../../../core/ids.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { creditGiftCard } from '../../gift-cards/index.ts'
import { shareBookingShift } from '../../shifts/index.ts'
import { touchBoards } from '../sale/boards.ts'
import { derived } from '../sale/facts.ts'
import type { Bill, RefundRecord, Tender } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import { save } from '../store/write.ts'
import { announceReversal } from './announce.ts'

/** What goes back of each tender, by its own method; a card that was voided meanwhile pays out as cash (13.5). */
export async function reverseTenders(
  tx: Tx,
  scope: Scope,
  bill: Bill,
  kind: 'VOID' | 'DISCARD',
  reason: string | null,
): Promise<RefundRecord | null> {
  const id = newId('refund')
  const paid = bill.payments.filter(
    (tender) => tender.status === 'PAID' && tender.applied && tender.amount > tender.refundedAmount,
  )
  if (paid.length === 0) return null
  const tenders: RefundRecord['tenders'] = []
  for (const tender of paid.toSorted(byCard)) {
    const amount = tender.amount - tender.refundedAmount
    const credited =
      tender.giftCardId !== null &&
      (await creditGiftCard(tx, scope, {
        giftCardId: tender.giftCardId,
        amount,
        saleId: bill.id,
        refundId: id,
      }))
    const method = tender.giftCardId !== null && !credited ? 'CASH' : tender.method
    tenders.push({
      refundId: id,
      position: tenders.length,
      method,
      amount,
      paymentId: tender.id,
      giftCardId: credited ? tender.giftCardId : null,
    })
  }
  return {
    id,
    saleId: bill.id,
    kind,
    amount: tenders.reduce((total, tender) => total + tender.amount, 0),
    goods: 0,
    tax: 0,
    deliveryFee: 0,
    method: null,
    restock: kind === 'VOID',
    giftCardId: null,
    reason,
    shiftId: null,
    actorId: scope.actor.id,
    createdAt: scope.now,
    updatedAt: scope.now,
    lines: [],
    tenders,
  }
}

/** Cards are locked in order of id (lock order of the house). */
const byCard = (a: Tender, b: Tender) => ((a.giftCardId ?? '') < (b.giftCardId ?? '') ? -1 : 1)

export async function finish(
  tx: Tx,
  scope: Scope,
  before: Bill,
  taken: Bill,
  reversal: RefundRecord | null,
  reason: string | null,
) {
  const shiftId =
    reversal &&
    (await shareBookingShift(tx, scope, { outletId: before.outletId, saleShiftId: before.shiftId }))
  const reversed = new Set(reversal?.tenders.map((tender) => tender.paymentId))
  const payments = taken.payments.map((tender): Tender => {
    if (reversed.has(tender.id)) return { ...tender, refundedAmount: tender.amount, updatedAt: scope.now }
    return tender.status === 'PENDING' ? { ...tender, status: 'FAILED', updatedAt: scope.now } : tender
  })
  const after = derived({
    ...taken,
    status: 'VOIDED',
    voidedAt: scope.now,
    voidReason: reason,
    version: before.version + 1,
    updatedAt: scope.now,
    payments,
    refunds: reversal ? [...before.refunds, { ...reversal, shiftId }] : before.refunds,
  })
  await save(tx, scope, before, after)
  const sale = saleView(after)
  await announceReversal(tx, scope, before, after, sale)
  touchBoards(scope, after)
  return { sale }
}
