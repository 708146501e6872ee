/** Every event of a sale is written here. */
import { shortened } from '../../../../core/events.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { type EventRow, emit, emitRows, eventFrame, eventRow } from '../../../../platform/events/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import {
  paymentCorrected,
  paymentFailed,
  paymentReceived,
  paymentUnapplied,
  saleCompleted,
  saleDiscarded,
  saleParked,
  saleRefunded,
  saleUpdated,
  saleVoided,
} from '../events.ts'
import type { Payment, Refund, Sale, SaleChange } from '../sale/types.ts'
import { paymentView, refundView } from '../sale/view.ts'
import type { SaleView } from '../schema.ts'
import type { SaleEvent } from '../store/fresh.ts'

export function openingEvents(scope: Scope, sale: Sale, view: SaleView): SaleEvent[] {
  const type = sale.status === 'COMPLETED' ? saleCompleted : saleParked
  const short = shortened(view)
  const main: SaleEvent = {
    ...eventFrame(scope, type, 'sale'),
    refId: sale.id,
    ...(short === view ? {} : { sale: JSON.stringify(short) }),
  }
  const payments = sale.payments
    .filter((payment) => payment.status !== 'PENDING')
    .map((payment): SaleEvent => {
      const name = payment.status === 'PAID' ? paymentReceived : paymentFailed
      return eventRow(scope, name, payment.id, { payment: paymentView(payment) })
    })
  return [...payments, main]
}

/** Announces the payments that ended between two states of a sale, and the sale itself if they completed it. */
export const announcePayments = (tx: Tx, scope: Scope, change: SaleChange, view: SaleView) =>
  emitRows(tx, scope, endingEvents(scope, change, view))

export function endingEvents(scope: Scope, change: SaleChange, view: SaleView): EventRow[] {
  const completes = change.before.status !== 'COMPLETED' && change.after.status === 'COMPLETED'
  return [
    ...paymentEvents(scope, change),
    ...(completes ? [eventRow(scope, saleCompleted, view.id, { sale: shortened(view) })] : []),
  ]
}

/**
 * One event for every payment that ended between two states of a sale, and for money that the partner confirms after
 * a void. The partner returns that money in either order (B-void-4).
 */
function paymentEvents(scope: Scope, { before, after }: SaleChange): EventRow[] {
  const was = new Map(before.payments.map((payment) => [payment.id, payment]))
  return after.payments.flatMap((payment): EventRow[] => {
    const earlier = was.get(payment.id)
    const hasEnded = earlier?.status !== payment.status && payment.status !== 'PENDING'
    const isLate = after.status === 'VOIDED' && payment.verified && earlier?.verified === false
    if (!hasEnded && !isLate) return []
    const type = hasEnded ? announcementOf(payment) : paymentUnapplied
    return [eventRow(scope, type, payment.id, { payment: paymentView(payment) })]
  })
}

function announcementOf({ status, applied }: Payment) {
  if (status !== 'PAID') return paymentFailed
  return applied ? paymentReceived : paymentUnapplied
}

/** Announces a void or a discard: first the payments that it ended, then the sale. */
export async function announceReversal(tx: Tx, scope: Scope, change: SaleChange, view: SaleView) {
  const type = change.before.status === 'PARKED' ? saleDiscarded : saleVoided
  await emitRows(tx, scope, [
    ...reversalEvents(scope, change),
    eventRow(scope, type, view.id, { sale: shortened(view) }),
  ])
}

/** PENDING payments have failed; money that the partner had confirmed is for the partner to give back (B-void-4). */
function reversalEvents(scope: Scope, { before, after }: SaleChange): EventRow[] {
  const was = new Map(before.payments.map((payment) => [payment.id, payment]))
  return after.payments.flatMap((payment): EventRow[] => {
    const data = { payment: paymentView(payment) }
    const earlier = was.get(payment.id)
    if (earlier?.status === 'PENDING') return [eventRow(scope, paymentFailed, payment.id, data)]
    const returned = payment.verified && payment.refundedAmount !== earlier?.refundedAmount
    return returned ? [eventRow(scope, paymentUnapplied, payment.id, data)] : []
  })
}

export const announceUpdate = (tx: Tx, scope: Scope, sale: SaleView) =>
  emit(tx, scope, saleUpdated, sale.id, { sale: shortened(sale) })

/** Announces a merge: the bill that received the items, and the bill that was closed. */
export const announceMerge = (tx: Tx, scope: Scope, sale: SaleView, merged: SaleView) =>
  emitRows(tx, scope, [
    eventRow(scope, saleUpdated, sale.id, { sale: shortened(sale) }),
    eventRow(scope, saleDiscarded, merged.id, { sale: shortened(merged) }),
  ])

export const announceRefund = (tx: Tx, scope: Scope, sale: SaleView, refund: Refund) =>
  emit(tx, scope, saleRefunded, sale.id, {
    sale: shortened(sale),
    refund: refundView(refund),
  })

export const announceCorrection = (tx: Tx, scope: Scope, sale: SaleView, payment: Payment) =>
  emit(tx, scope, paymentCorrected, sale.id, { sale: shortened(sale), payment: paymentView(payment) })
