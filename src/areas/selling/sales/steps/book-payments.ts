import { conflict } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { isUniqueViolation } from '../../../../platform/db/pg-errors.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareOpenShifts } from '../../shifts/index.ts'
import { isPaid, type OpenShifts } from '../decide/payment.ts'
import type { Sale } from '../sale/types.ts'

/**
 * Shares the open shifts of a sale: `booking` is the one that takes its new payments (B-shift-3), `open` are those that
 * are still open.
 */
export function shareShifts(tx: Tx, scope: Scope, sale: Sale): Promise<OpenShifts> {
  const { outletId, shiftId: saleShiftId } = sale
  const lastPaymentShiftId = sale.payments.findLast(isPaid)?.shiftId ?? null
  return shareOpenShifts(tx, scope, { outletId, saleShiftId, lastPaymentShiftId })
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
