import { conflict } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { type Scope, touchBoard } from '../../../../platform/scope.ts'
import { shareVariants } from '../../../catalogue/products/index.ts'
import { endPromotion, redemptionOf } from '../../promotions/index.ts'
import type { AppliedPayments } from '../rules/payments.ts'
import { activeItems } from '../sale/facts.ts'
import type { Payment, Sale, SaleChange } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { PaymentIn, SaleAnswer } from '../schema.ts'
import { type Context, readContext } from '../store/context.ts'
import { save } from '../store/write.ts'
import { announcePayments } from './announce.ts'
import { bookPayments, onePendingReference } from './book-payments.ts'
import { chargeCards } from './charge-cards.ts'
import { chargeCredits } from './charge-credit.ts'
import { requireRoomForPayments } from './check-body.ts'
import { completeSale } from './complete-sale.ts'
import { newPayment } from './price-sale.ts'

/**
 * The PENDING payment of the bill that each sent payment ends, if any: PAID or FAILED, both final, and only for the
 * amount and method that were asked for (B-payment-6). 409 otherwise.
 */
export function awaited(bill: Sale, sent: readonly PaymentIn[]): (Payment | undefined)[] {
  const ended = new Set<Payment>()
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

/**
 * The bill with its payments: the PENDING ones have ended, the others are new. The payments are not booked or debited
 * yet.
 */
export function taken(
  scope: Scope,
  bill: Sale,
  known: readonly (Payment | undefined)[],
  applied: AppliedPayments,
): Sale {
  const ended = new Map<string, Payment>()
  const added: Payment[] = []
  applied.applied.forEach((row, index) => {
    const awaiting = known[index]
    if (!awaiting) {
      added.push(newPayment(scope, bill.id, row))
      return
    }
    const isPaid = row.status === 'PAID'
    const end = { status: row.status, applied: isPaid, paidAt: isPaid ? scope.now : null }
    ended.set(awaiting.id, { ...awaiting, ...end, updatedAt: scope.now })
  })
  requireRoomForPayments(bill.payments, added)
  return {
    ...bill,
    payments: [...bill.payments.map((payment) => ended.get(payment.id) ?? payment), ...added],
    paidTotal: applied.paidTotal,
    changeTotal: bill.changeTotal + applied.changeTotal,
    roundingTotal: bill.roundingTotal + applied.roundingTotal,
    version: bill.version + 1,
    updatedAt: scope.now,
  }
}

/**
 * Debits cards, completes a covered sale, books the payments to their shift, stores the sale and announces the
 * changes.
 */
export async function payBill(
  tx: Tx,
  scope: Scope,
  { before, after: paid }: SaleChange,
  {
    completes,
    isPaidFor = false,
    paramOf,
  }: { completes: boolean; isPaidFor?: boolean; paramOf: (index: number, field: string) => string },
): Promise<SaleAnswer> {
  const context = completes ? await shareGoods(tx, scope, paid) : null
  const paidBefore = new Set(before.payments.flatMap(({ id, status }) => (status === 'PAID' ? [id] : [])))
  const debited = await chargeCards(tx, scope, paid, paramOf)
  const carded = await chargeCredits(tx, scope, debited, { paidBefore, subjectId: before.id, paramOf })
  const { sale: paidFor, warnings } = context
    ? await completeSale(tx, scope, carded, {
        context,
        redemption: await redemptionOf(tx, scope, carded),
        isPaidFor,
      })
    : { sale: carded, warnings: [] }
  const after = await bookPayments(tx, scope, paidFor, paidBefore)
  await onePendingReference(save(tx, scope, { before, after }))
  if (completes) await endPromotion(tx, scope, after, 'redeemed')
  const sale = saleView(after)
  await announcePayments(tx, scope, { before, after }, sale)
  if (after.tableId !== null) touchBoard(scope, 'floor', after.outletId)
  return { sale, stockWarnings: warnings }
}

/** Locks and reads the variants of the bill: the lock order puts them before gift cards and the customer. */
async function shareGoods(tx: Tx, scope: Scope, bill: Sale): Promise<Context> {
  const variantIds = [...new Set(activeItems(bill).flatMap(({ variantId }) => variantId ?? []))]
  await shareVariants(tx, scope, variantIds)
  return readContext(tx, scope, { outletId: bill.outletId, variantIds, modifierIds: [] })
}
