import { conflict } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { type Scope, touchBoard } from '../../../../platform/scope.ts'
import { shareVariants } from '../../../catalogue/products/index.ts'
import type { AppliedTenders } from '../rules/tenders.ts'
import type { Bill, Tender } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { SaleAnswer, TenderBody } from '../schema.ts'
import { type Context, readContext } from '../store/context.ts'
import { save } from '../store/write.ts'
import { announcePayments } from './announce.ts'
import { bookPayments, onePendingReference } from './book-payments.ts'
import { chargeCards } from './charge-cards.ts'
import { requireRoomForPayments } from './check-body.ts'
import { completeSale } from './complete-sale.ts'
import { newTender } from './price-sale.ts'

/**
 * The PENDING tender of the bill that each sent tender ends, if any: PAID or FAILED, both final, and only for the amount
 * and method that were asked for (contract 7.2, 26.12). 409 otherwise.
 */
export function awaited(bill: Bill, sent: readonly TenderBody[]): (Tender | undefined)[] {
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

/** The bill with the tenders on it: those it waited for have ended, the others are new. Not yet booked or debited. */
export function taken(
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
  const carded = await chargeCards(tx, scope, paid, paramOf)
  const { bill, warnings } = context
    ? await completeSale(tx, scope, carded, context)
    : { bill: carded, warnings: [] }
  const paidBefore = before.payments.filter((tender) => tender.status === 'PAID')
  const after = await bookPayments(tx, scope, bill, new Set(paidBefore.map((tender) => tender.id)))
  await onePendingReference(save(tx, scope, before, after))
  const sale = saleView(after)
  await announcePayments(tx, scope, before, after, sale)
  if (after.tableId !== null) touchBoard(scope, 'floor', after.outletId)
  return { sale, stockWarnings: warnings }
}

/** What the bill sells, held and read: the lock order puts variants before gift cards and the customer. */
async function shareGoods(tx: Tx, scope: Scope, bill: Bill): Promise<Context> {
  const variantIds = [...new Set(bill.items.filter((item) => item.isActive).map((item) => item.variantId))]
  await shareVariants(tx, scope, variantIds)
  return readContext(tx, scope, { outletId: bill.outletId, variantIds, modifierIds: [] })
}
