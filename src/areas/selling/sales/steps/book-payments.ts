import { conflict } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { isUniqueViolation } from '../../../../platform/db/pg-errors.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareOpenShifts } from '../../shifts/index.ts'
import type { Payment, Sale } from '../sale/types.ts'

/**
 * Books newly PAID payments (those not in `paidBefore`) to the shift that took the money (B-shift-3). A sale completed
 * after its own shift closed moves to the shift its last payment is booked to, or to none (B-shift-4).
 */
export async function bookPayments(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  paidBefore: ReadonlySet<string>,
): Promise<Sale> {
  const { outletId, shiftId: saleShiftId } = sale
  const lastPaymentShiftId = sale.payments.findLast(isPaid)?.shiftId ?? null
  const shifts = await shareOpenShifts(tx, scope, { outletId, saleShiftId, lastPaymentShiftId })
  return booked(sale, paidBefore, shifts)
}

const isPaid = (payment: Payment) => payment.status === 'PAID' && payment.applied

/** The sale with its newly PAID payments booked to `booking`; `open` lists the open shifts of the sale. */
export function booked(
  sale: Sale,
  paidBefore: ReadonlySet<string>,
  { booking, open }: { booking: string | null; open: ReadonlySet<string> },
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

/** Two sales must not wait for one payment; the loser of a race learns it from the index (B-payment-7). */
export async function onePendingReference<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict('A payment with this providerRef is already pending')
  }
}
