/** Every event of a sale is made here. */
import { shortened } from '../../../../core/events.ts'
import { type EventRow, eventFrame, eventRow } from '../../../../platform/events/outbox.ts'
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
import type { Payment, Refund, Sale, SaleTransition } from '../sale/types.ts'
import { paymentView, refundView } from '../sale/view.ts'
import type { SaleView } from '../schema.ts'
import type { SaleEvent } from '../store/change.ts'

/** The sale as an event contains it. */
const inEvent = (sale: SaleView) => shortened(sale, 'items', 'refunds')

export function openingEvents(scope: Scope, sale: Sale, view: SaleView): SaleEvent[] {
  const type = sale.status === 'COMPLETED' ? saleCompleted : saleParked
  const short = inEvent(view)
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

/** The payments that ended between two states of a sale, and the sale itself if they completed it. */
export function endingEvents(scope: Scope, change: SaleTransition, view: SaleView): EventRow[] {
  const completes = change.before.status !== 'COMPLETED' && change.after.status === 'COMPLETED'
  return [
    ...paymentEvents(scope, change),
    ...(completes ? [eventRow(scope, saleCompleted, view.id, { sale: inEvent(view) })] : []),
  ]
}

/**
 * One event for every payment that ended between two states of a sale, and for money that the partner confirms after
 * a void. The partner returns that money in either order (B-void-4).
 */
function paymentEvents(scope: Scope, { before, after }: SaleTransition): EventRow[] {
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

/** A void or a discard: first the payments that it ended, then the sale. */
export function reversalEvents(scope: Scope, change: SaleTransition, sale: SaleView): EventRow[] {
  const type = change.before.status === 'PARKED' ? saleDiscarded : saleVoided
  return [...reversedPayments(scope, change), eventRow(scope, type, sale.id, { sale: inEvent(sale) })]
}

/** PENDING payments have failed; money that the partner had confirmed is for the partner to give back (B-void-4). */
function reversedPayments(scope: Scope, { before, after }: SaleTransition): EventRow[] {
  const was = new Map(before.payments.map((payment) => [payment.id, payment]))
  return after.payments.flatMap((payment): EventRow[] => {
    const data = { payment: paymentView(payment) }
    const earlier = was.get(payment.id)
    if (earlier?.status === 'PENDING') return [eventRow(scope, paymentFailed, payment.id, data)]
    const returned = payment.verified && payment.refundedAmount !== earlier?.refundedAmount
    return returned ? [eventRow(scope, paymentUnapplied, payment.id, data)] : []
  })
}

export const updateEvent = (scope: Scope, sale: SaleView) =>
  eventRow(scope, saleUpdated, sale.id, { sale: inEvent(sale) })

/** A merge: the bill that received the items, and the bill that was closed. */
export const mergeEvents = (scope: Scope, sale: SaleView, merged: SaleView) => [
  updateEvent(scope, sale),
  eventRow(scope, saleDiscarded, merged.id, { sale: inEvent(merged) }),
]

export const refundEvent = (scope: Scope, sale: SaleView, refund: Refund) =>
  eventRow(scope, saleRefunded, sale.id, { sale: inEvent(sale), refund: refundView(refund) })

export const correctionEvent = (scope: Scope, sale: SaleView, payment: Payment) =>
  eventRow(scope, paymentCorrected, sale.id, { sale: inEvent(sale), payment: paymentView(payment) })
