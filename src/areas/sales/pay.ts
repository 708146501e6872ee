import { conflict } from '../../core/errors.ts'
import type { Tx } from '../../platform/db/open.ts'
import { type EventRow, emitRows, eventRow } from '../../platform/outbox.ts'
import { type Scope, touchBoard } from '../../platform/scope.ts'
import { bookingShift } from '../shifts/index.ts'
import { type Bill, eventSale, paymentView, saleView, type Tender } from './bill.ts'
import { complete, takeCards } from './complete.ts'
import { newTender, requireRoomForPayments } from './draft.ts'
import { lockBill, showing } from './lookup.ts'
import { refuseWhenCovered, requireState } from './rules/state.ts'
import { applyTenders, settlementOf } from './rules/tenders.ts'
import type { SaleAnswer, TenderBody } from './schema.ts'
import { readContext } from './store-context.ts'
import { isPendingElsewhere, save } from './store-write.ts'

/** Adds one tender to a bill; the one that covers what remains completes the sale exactly once (spec 3.1, S2, S3). */
export async function addPayment(tx: Tx, scope: Scope, id: string, tender: TenderBody): Promise<SaleAnswer> {
  const bill = await lockBill(tx, scope, id)
  return showing(bill, async () => {
    requireState('pay', bill.status)
    const known =
      tender.providerRef == null
        ? undefined
        : bill.payments.find((row) => row.providerRef === tender.providerRef)
    if (known) return finishTender(tx, scope, bill, known, tender)
    refuseWhenCovered(bill)
    requireRoomForPayments(bill.payments.length + 1)
    if (tender.providerRef != null) await requireFreeReference(tx, scope, bill, tender)
    const { total, paidTotal } = bill
    const applied = applyTenders([tender], { total, paidTotal, allowPending: true, paramOf: () => '' })
    return store(tx, scope, bill, {
      payments: [...bill.payments, ...applied.applied.map((row) => rowOf(scope, bill, row))],
      paidTotal: applied.paidTotal,
      changeTotal: bill.changeTotal + applied.changeTotal,
    })
  })
}

const rowOf = (scope: Scope, bill: Bill, applied: Parameters<typeof newTender>[1]): Tender => ({
  ...newTender(scope, applied),
  saleId: bill.id,
})

async function requireFreeReference(tx: Tx, scope: Scope, bill: Bill, tender: TenderBody) {
  if (tender.status !== 'PENDING' || tender.providerRef == null) return
  if (await isPendingElsewhere(tx, scope, tender.providerRef, bill.id)) {
    throw conflict('Another sale is already waiting for a payment with this providerRef')
  }
}

/** The end of a PENDING tender: PAID or FAILED, both final, and only for the amount that was asked for (7.2, 26.12). */
async function finishTender(
  tx: Tx,
  scope: Scope,
  bill: Bill,
  known: Tender,
  sent: TenderBody,
): Promise<SaleAnswer> {
  const status = sent.status ?? 'PAID'
  if (known.status !== 'PENDING')
    throw conflict(`The payment with this providerRef is already ${known.status}`)
  if (status === 'PENDING') throw conflict('A payment with this providerRef is already pending')
  if (sent.amount !== known.amount || sent.method !== known.method) {
    throw conflict(
      `The pending payment is ${known.amount} by ${known.method}; send the same amount and method`,
    )
  }
  const paid = status === 'PAID'
  if (paid && known.amount > bill.total - bill.paidTotal) {
    throw conflict(
      `Only ${bill.total - bill.paidTotal} is left to pay; the pending payment of ${known.amount} no longer fits`,
    )
  }
  const finished = { ...known, status, applied: paid, paidAt: paid ? scope.now : null, updatedAt: scope.now }
  return store(tx, scope, bill, {
    payments: bill.payments.map((row) => (row.id === known.id ? finished : row)),
    paidTotal: bill.paidTotal + (paid ? known.amount : 0),
    changeTotal: bill.changeTotal,
  })
}

/** Settles a bill with tenders that cover what remains, or with none when nothing does (contract S2, 26.2). */
export async function settleSale(
  tx: Tx,
  scope: Scope,
  id: string,
  payments: TenderBody[],
): Promise<SaleAnswer> {
  const bill = await lockBill(tx, scope, id)
  return showing(bill, () => {
    requireState('settle', bill.status)
    const settled = settlementOf(payments, bill)
    requireRoomForPayments(bill.payments.length + payments.length)
    return store(tx, scope, bill, {
      payments: [...bill.payments, ...settled.applied.map((row) => rowOf(scope, bill, row))],
      paidTotal: settled.paidTotal,
      changeTotal: bill.changeTotal + settled.changeTotal,
      settling: true,
    })
  })
}

type Paid = Pick<Bill, 'payments' | 'paidTotal' | 'changeTotal'> & { settling?: boolean }

/** Stores the tenders, debits cards, completes when covered, books to the right shift, and tells what happened. */
async function store(tx: Tx, scope: Scope, before: Bill, paid: Paid): Promise<SaleAnswer> {
  const { settling = false, ...figures } = paid
  const added = before.payments.length
  const alone = !settling
  const carded = await takeCards(
    tx,
    scope,
    { ...before, ...figures, version: before.version + 1, updatedAt: scope.now },
    (index) => (alone ? 'reference' : `payments[${index - added}].reference`),
  )
  const covered = carded.paidTotal === carded.total
  const { bill, warnings } = covered ? await completeBill(tx, scope, carded) : { bill: carded, warnings: [] }
  const shiftId = await bookingShift(tx, scope, { outletId: bill.outletId, saleShiftId: bill.shiftId })
  const after = booked(before, bill, shiftId)
  await save(tx, scope, before, after)
  await emitRows(tx, scope, eventsOf(scope, before, after))
  if (after.tableId !== null) touchBoard(scope, 'floor', after.outletId)
  return { sale: saleView(after), stockWarnings: warnings }
}

async function completeBill(tx: Tx, scope: Scope, bill: Bill) {
  const variantIds = [...new Set(bill.items.filter((item) => item.isActive).map((item) => item.variantId))]
  const context = await readContext(tx, scope, { outletId: bill.outletId, variantIds, modifierIds: [] })
  return complete(tx, scope, bill, context)
}

/**
 * Newly PAID tenders belong to the shift that took the money. A bill completed after its own shift closed moves to the
 * shift its last tender is booked to, or to none (contract 11.2, S6).
 */
function booked(before: Bill, bill: Bill, shiftId: string | null): Bill {
  const wasPaid = new Set(
    before.payments.filter((tender) => tender.status === 'PAID').map((tender) => tender.id),
  )
  const payments = bill.payments.map((tender) =>
    tender.status === 'PAID' && !wasPaid.has(tender.id) ? { ...tender, shiftId } : tender,
  )
  return { ...bill, payments }
}

function eventsOf(scope: Scope, before: Bill, after: Bill): EventRow[] {
  const was = new Map(before.payments.map((tender) => [tender.id, tender.status]))
  const tenders = after.payments.flatMap((tender): EventRow[] => {
    if (was.get(tender.id) === tender.status || tender.status === 'PENDING') return []
    const type = tender.status === 'PAID' ? 'service.payment.received.v1' : 'service.payment.failed.v1'
    return [eventRow(scope, type, tender.id, { payment: paymentView(tender) })]
  })
  if (after.status !== 'COMPLETED') return tenders
  return [
    ...tenders,
    eventRow(scope, 'service.sale.completed.v1', after.id, { sale: eventSale(saleView(after)) }),
  ]
}
