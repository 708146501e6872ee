import { conflict } from '../../../../core/errors.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { AppliedPayments } from '../rules/payments.ts'
import { derived } from '../sale/facts.ts'
import type { Item, Payment, Sale, SaleTransition } from '../sale/types.ts'
import { MAX_PAYMENTS, type PaymentIn } from '../schema.ts'
import { changeStored, type DecidedChange } from './change.ts'
import { endingEvents } from './events.ts'
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

const alike = (rows: readonly Payment[], failed: boolean) =>
  rows.filter((payment) => (payment.status === 'FAILED') === failed).length

export function requireRoom(held: readonly Payment[], failed: boolean, coming: number) {
  if (coming === 0 || alike(held, failed) + coming <= MAX_PAYMENTS) return
  throw conflict(`A sale can have at most ${MAX_PAYMENTS} ${failed ? 'failed payments' : 'payments'}`)
}

export function requireRoomForPayments(before: readonly Payment[], added: readonly Payment[]) {
  for (const failed of [true, false]) requireRoom(before, failed, alike(added, failed))
}

export const isPaid = (payment: Payment) => payment.status === 'PAID' && payment.applied

export type OpenShifts = { booking: string | null; open: ReadonlySet<string> }

/**
 * The sale with its newly PAID payments, those not in `paidBefore`, booked to the shift that took the money (B-shift-3).
 * A sale completed after its own shift closed moves to the shift of its last payment, or to none (B-shift-4).
 */
export function booked(
  sale: Sale,
  { booking, open }: OpenShifts,
  paidBefore: ReadonlySet<string> = new Set(),
): Sale {
  const { shiftId: saleShiftId } = sale
  const payments = sale.payments.map((payment) =>
    isPaid(payment) && !paidBefore.has(payment.id) ? { ...payment, shiftId: booking } : payment,
  )
  const outlived = sale.status === 'COMPLETED' && saleShiftId !== null && !open.has(saleShiftId)
  if (!outlived) return { ...sale, payments }
  const last = payments.findLast(isPaid)?.shiftId ?? null
  return { ...sale, payments, shiftId: last !== null && open.has(last) ? last : null }
}

/** The payments of a bill that count as paid already. */
export const paidIds = ({ payments }: Sale): ReadonlySet<string> =>
  new Set(payments.flatMap(({ id, status }) => (status === 'PAID' ? [id] : [])))

/** The completed bill; `items` are the items that the completion changed. */
export function completed(scope: Scope, sale: Sale, items: readonly Item[]): Sale {
  const byId = new Map(items.map((item) => [item.id, item]))
  return derived({
    ...sale,
    status: 'COMPLETED',
    completedAt: scope.now,
    items: sale.items.map((item) => byId.get(item.id) ?? item),
    payments: sale.payments.map((payment) =>
      payment.status === 'PENDING'
        ? { ...payment, status: 'FAILED' as const, updatedAt: scope.now }
        : payment,
    ),
  })
}

/** A bill with new payments, booked to their shift. */
export const decidePayment = (
  scope: Scope,
  { before, after }: SaleTransition,
  shifts: OpenShifts,
): DecidedChange => decidePayments(scope, { before, after: booked(after, shifts, paidIds(before)) })

/** A sale whose payments have changed, with the events of those that ended. */
export const decidePayments = (scope: Scope, change: SaleTransition): DecidedChange =>
  changeStored(scope, change, (sale) => endingEvents(scope, change, sale))
