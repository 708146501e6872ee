/** Every event of a sale is written here. */
import { shortened } from '../../../../core/events.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { type EventRow, emit, emitRows, eventFrame, eventRow } from '../../../../platform/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Bill, RefundRecord, Tender } from '../sale/types.ts'
import { paymentView, refundView } from '../sale/view.ts'
import type { Sale } from '../schema.ts'
import type { SaleEvent } from '../store/create.ts'

export function openingEvents(scope: Scope, bill: Bill, sale: Sale): SaleEvent[] {
  const type = bill.status === 'COMPLETED' ? 'service.sale.completed.v1' : 'service.sale.parked.v1'
  const short = shortened(sale)
  const main: SaleEvent = {
    ...eventFrame(scope, type, 'sale'),
    refId: bill.id,
    ...(short === sale ? {} : { sale: JSON.stringify(short) }),
  }
  const tenders = bill.payments
    .filter((tender) => tender.status !== 'PENDING')
    .map((tender): SaleEvent => {
      const name = tender.status === 'PAID' ? 'service.payment.received.v1' : 'service.payment.failed.v1'
      return eventRow(scope, name, tender.id, { payment: paymentView(tender) })
    })
  return [...tenders, main]
}

/** Announces what ended between two states of a bill: its tenders, and the bill itself when they completed it. */
export async function announcePayments(tx: Tx, scope: Scope, before: Bill, after: Bill, sale: Sale) {
  const completes = before.status !== 'COMPLETED' && after.status === 'COMPLETED'
  await emitRows(tx, scope, [
    ...tenderEvents(scope, before, after),
    ...(completes ? [eventRow(scope, 'service.sale.completed.v1', sale.id, { sale: shortened(sale) })] : []),
  ])
}

/** One announcement for every tender that ended between the two states of a bill. */
function tenderEvents(scope: Scope, before: Bill, after: Bill): EventRow[] {
  const was = new Map(before.payments.map((tender) => [tender.id, tender.status]))
  return after.payments
    .filter((tender) => was.get(tender.id) !== tender.status && tender.status !== 'PENDING')
    .map((tender) => eventRow(scope, announcementOf(tender), tender.id, { payment: paymentView(tender) }))
}

function announcementOf({ status, applied }: Tender) {
  if (status !== 'PAID') return 'service.payment.failed.v1'
  return applied ? 'service.payment.received.v1' : 'service.payment.unapplied.v1'
}

/** Announces a void or a discard: what became of the tenders, then the sale. */
export async function announceReversal(tx: Tx, scope: Scope, before: Bill, after: Bill, sale: Sale) {
  const type = before.status === 'PARKED' ? 'service.sale.discarded.v1' : 'service.sale.voided.v1'
  await emitRows(tx, scope, [
    ...reversalEvents(scope, before, after),
    eventRow(scope, type, sale.id, { sale: shortened(sale) }),
  ])
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

export const announceUpdate = (tx: Tx, scope: Scope, sale: Sale) =>
  emit(tx, scope, 'service.sale.updated.v1', sale.id, { sale: shortened(sale) })

/** Announces a merge: the bill that has grown, and the one that is gone. */
export const announceMerge = (tx: Tx, scope: Scope, sale: Sale, merged: Sale) =>
  emitRows(tx, scope, [
    eventRow(scope, 'service.sale.updated.v1', sale.id, { sale: shortened(sale) }),
    eventRow(scope, 'service.sale.discarded.v1', merged.id, { sale: shortened(merged) }),
  ])

export const announceRefund = (tx: Tx, scope: Scope, sale: Sale, refund: RefundRecord) =>
  emit(tx, scope, 'service.sale.refunded.v1', sale.id, {
    sale: shortened(sale),
    refund: refundView(refund),
  })
