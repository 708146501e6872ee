import { conflict } from '../../../../core/errors.ts'
import { shortened } from '../../../../core/events.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { type EventRow, emitRows, eventRow } from '../../../../platform/outbox.ts'
import { type Scope, touchBoard } from '../../../../platform/scope.ts'
import { shareVariants } from '../../../catalogue/products/index.ts'
import { requireAmountDue, requireState } from '../rules/state.ts'
import { type AppliedTenders, applyTenders, settlementOf } from '../rules/tenders.ts'
import { type Bill, paymentView, saleView, type Tender } from '../sale/bill.ts'
import { lockBill, withSaleOnConflict } from '../sale/load.ts'
import type { SaleAnswer, TenderBody } from '../schema.ts'
import { bookPayments, complete, onePendingReference, takeCards } from '../steps/complete-sale.ts'
import { newTender, requireRoomForPayments } from '../steps/price-sale.ts'
import { type Context, readContext } from '../store/context.ts'
import { isPendingElsewhere, save } from '../store/write.ts'

/** Adds one tender to a bill; the one that covers what remains completes the sale exactly once (spec 3.1, S2, S3). */
export async function addPayment(tx: Tx, scope: Scope, id: string, tender: TenderBody): Promise<SaleAnswer> {
  const bill = await lockBill(tx, scope, id)
  return withSaleOnConflict(bill, async () => {
    requireState('pay', bill.status)
    const known = awaited(bill, [tender])
    // A session that failed may be told at any time; everything else needs something left to pay.
    if (known[0] === undefined || tender.status !== 'FAILED') requireAmountDue(bill)
    await requireFreeReference(tx, scope, bill, tender)
    const { total, paidTotal } = bill
    const applied = applyTenders([tender], { total, paidTotal, allowPending: true, paramOf: () => '' })
    const completes = applied.paidTotal === total && applied.paidTotal > paidTotal
    const paramOf = () => 'reference'
    return storeTenders(tx, scope, bill, taken(scope, bill, known, applied), { completes, paramOf })
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
  return withSaleOnConflict(bill, () => {
    requireState('settle', bill.status)
    const known = awaited(bill, payments)
    const after = taken(scope, bill, known, settlementOf(payments, bill))
    const sentAt = payments.flatMap((_, index) => (known[index] === undefined ? [index] : []))
    const paramOf = (index: number) => `payments[${sentAt[index - bill.payments.length]}].reference`
    return storeTenders(tx, scope, bill, after, { completes: true, paramOf })
  })
}

/**
 * The PENDING tender of the bill that each sent tender ends, if any: PAID or FAILED, both final, and only for the amount
 * and method that were asked for (contract 7.2, 26.12). 409 otherwise.
 */
function awaited(bill: Bill, sent: readonly TenderBody[]): (Tender | undefined)[] {
  const ended = new Set<Tender>()
  return sent.map(({ providerRef, status = 'PAID', amount, method }) => {
    const known = providerRef ? bill.payments.find((row) => row.providerRef === providerRef) : undefined
    if (!known) return undefined
    const now = ended.has(known) ? 'PAID' : known.status
    if (now !== 'PENDING') throw conflict(`The payment with this providerRef is already ${now}`)
    if (status === 'PENDING') throw conflict('A payment with this providerRef is already pending')
    if (amount !== known.amount || method !== known.method) {
      throw conflict(
        `The pending payment is ${known.amount} by ${known.method}; send the same amount and method`,
      )
    }
    ended.add(known)
    return known
  })
}

async function requireFreeReference(tx: Tx, scope: Scope, bill: Bill, tender: TenderBody) {
  if (tender.status !== 'PENDING' || !tender.providerRef) return
  if (await isPendingElsewhere(tx, scope, tender.providerRef, bill.id)) {
    throw conflict('Another sale is already waiting for a payment with this providerRef')
  }
}

/** The bill with the tenders on it: those it waited for have ended, the others are new. Not yet booked or debited. */
function taken(
  scope: Scope,
  bill: Bill,
  known: readonly (Tender | undefined)[],
  applied: AppliedTenders,
): Bill {
  const ended = new Map<string, Tender>()
  const added: Tender[] = []
  applied.applied.forEach((row, index) => {
    const awaiting = known[index]
    if (!awaiting) {
      added.push(newTender(scope, bill.id, row))
      return
    }
    const isPaid = row.status === 'PAID'
    const end = { status: row.status, applied: isPaid, paidAt: isPaid ? scope.now : null }
    ended.set(awaiting.id, { ...awaiting, ...end, updatedAt: scope.now })
  })
  requireRoomForPayments(bill.payments, added)
  return {
    ...bill,
    payments: [...bill.payments.map((tender) => ended.get(tender.id) ?? tender), ...added],
    paidTotal: applied.paidTotal,
    changeTotal: bill.changeTotal + applied.changeTotal,
    version: bill.version + 1,
    updatedAt: scope.now,
  }
}

/** Debits cards, completes the sale when it is time, books to the right shift, stores, and tells what happened. */
export async function storeTenders(
  tx: Tx,
  scope: Scope,
  before: Bill,
  paid: Bill,
  { completes, paramOf }: { completes: boolean; paramOf: (index: number) => string },
): Promise<SaleAnswer> {
  const context = completes ? await shareGoods(tx, scope, paid) : null
  const carded = await takeCards(tx, scope, paid, paramOf)
  const { bill, warnings } = context
    ? await complete(tx, scope, carded, context)
    : { bill: carded, warnings: [] }
  const paidBefore = before.payments.filter((tender) => tender.status === 'PAID')
  const after = await bookPayments(tx, scope, bill, new Set(paidBefore.map((tender) => tender.id)))
  await onePendingReference(save(tx, scope, before, after))
  await emitRows(tx, scope, eventsOf(scope, before, after))
  if (after.tableId !== null) touchBoard(scope, 'floor', after.outletId)
  return { sale: saleView(after), stockWarnings: warnings }
}

/** What the bill sells, held and read: the lock order puts variants before gift cards and the customer. */
async function shareGoods(tx: Tx, scope: Scope, bill: Bill): Promise<Context> {
  const variantIds = [...new Set(bill.items.filter((item) => item.isActive).map((item) => item.variantId))]
  await shareVariants(tx, scope, variantIds)
  return readContext(tx, scope, { outletId: bill.outletId, variantIds, modifierIds: [] })
}

function eventsOf(scope: Scope, before: Bill, after: Bill): EventRow[] {
  const tenders = tenderEvents(scope, before, after)
  if (after.status !== 'COMPLETED') return tenders
  const completed = { sale: shortened(saleView(after)) }
  return [...tenders, eventRow(scope, 'service.sale.completed.v1', after.id, completed)]
}

/** One announcement for every tender that ended between the two states of a bill. */
export function tenderEvents(scope: Scope, before: Bill, after: Bill): EventRow[] {
  const was = new Map(before.payments.map((tender) => [tender.id, tender.status]))
  return after.payments
    .filter((tender) => was.get(tender.id) !== tender.status && tender.status !== 'PENDING')
    .map((tender) => eventRow(scope, announcementOf(tender), tender.id, { payment: paymentView(tender) }))
}

function announcementOf({ status, applied }: Tender) {
  if (status !== 'PAID') return 'service.payment.failed.v1'
  return applied ? 'service.payment.received.v1' : 'service.payment.unapplied.v1'
}
