import { shortened } from '../../../../core/events.ts'
import { newId } from '../../../../core/ids.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { type EventRow, emitRows, eventRow } from '../../../../platform/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { reverseForSale } from '../../customers/index.ts'
import { creditGiftCard } from '../../gift-cards/index.ts'
import { shareBookingShift } from '../../shifts/index.ts'
import { requireDiscardable, requireVoidable } from '../rules/state.ts'
import {
  type Bill,
  paymentView,
  type RefundRecord,
  refundStatusOf,
  saleView,
  type Tender,
} from '../sale/bill.ts'
import { touchBoards } from '../sale/boards.ts'
import { lockBill, withSaleOnConflict } from '../sale/load.ts'
import type { SaleAnswer } from '../schema.ts'
import { derived } from '../steps/price-sale.ts'
import { returnStock, shareReturning } from '../steps/take-stock.ts'
import { save } from '../store/write.ts'

/** Takes a completed sale back whole: money by its own methods, goods to stock, points reversed (contract S4). */
export async function voidSale(tx: Tx, scope: Scope, id: string, reason: string | null): Promise<SaleAnswer> {
  const before = await lockBill(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    requireVoidable({ status: before.status, refundStatus: refundStatusOf(before) })
    const lines = before.items
      .filter((item) => item.isActive)
      .map((item) => ({ item, qty: item.quantity - item.restockedQty }))
    const returning = await shareReturning(tx, scope, before, { lines, type: 'VOID', refundId: null })
    const reversal = await reverseTenders(tx, scope, before, 'VOID', reason)
    if (before.customerId !== null) {
      const { customerId, pointsEarned: points, total: spent } = before
      await reverseForSale(tx, scope, { customerId, saleId: id, refundId: null, points, spent, visits: 1 })
    }
    const { items, warnings } = await returnStock(tx, scope, before, returning)
    const { sale } = await finish(tx, scope, before, { ...before, items }, reversal, reason)
    return { sale, stockWarnings: warnings }
  })
}

/** Drops an open bill; money already taken for it goes back the same way (contract S4). No stock moves. */
export async function discardSale(
  tx: Tx,
  scope: Scope,
  id: string,
  reason: string | null,
): Promise<SaleAnswer> {
  const before = await lockBill(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    requireDiscardable({ status: before.status, tenders: before.payments })
    const reversal = await reverseTenders(tx, scope, before, 'DISCARD', reason)
    const { sale } = await finish(tx, scope, before, before, reversal, reason)
    return { sale, stockWarnings: [] }
  })
}

/** What goes back of each tender, by its own method; a card that was voided meanwhile pays out as cash (13.5). */
async function reverseTenders(
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

async function finish(
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
  const type = before.status === 'PARKED' ? 'service.sale.discarded.v1' : 'service.sale.voided.v1'
  await emitRows(tx, scope, [
    ...reversalEvents(scope, before, after),
    eventRow(scope, type, after.id, { sale: shortened(sale) }),
  ])
  touchBoards(scope, after)
  return { sale }
}

/** PENDING tenders have failed; money that the partner had confirmed is for the partner to give back (contract S4). */
function reversalEvents(scope: Scope, before: Bill, after: Bill): EventRow[] {
  const was = new Map(before.payments.map((tender) => [tender.id, tender]))
  return after.payments.flatMap((tender): EventRow[] => {
    const data = { payment: paymentView(tender) }
    const earlier = was.get(tender.id)
    if (earlier?.status === 'PENDING') return [eventRow(scope, 'service.payment.failed.v1', tender.id, data)]
    const returned = tender.verified && tender.refundedAmount !== earlier?.refundedAmount
    return returned ? [eventRow(scope, 'service.payment.unapplied.v1', tender.id, data)] : []
  })
}
