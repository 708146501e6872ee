import { notFound } from '../../../../core/errors.ts'
import { emptyToNull } from '../../../../core/text.ts'
import { spendApproval } from '../../../../platform/auth/approvals.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareOpenShifts } from '../../shifts/index.ts'
import {
  requireCorrectableState,
  requireManual,
  requireOpenBooking,
  type StoredCorrection,
  withMethod,
} from '../rules/correct-payment.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'
import type { Payment, Sale } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { PaymentCorrection, SaleView } from '../schema.ts'
import { announceCorrection } from '../steps/announce.ts'
import { save } from '../store/write.ts'

/**
 * Records that a payment was made by another method than the till entered (B-payment-12). The sale is locked before the
 * shift, so a void waits, and a close either counts the correction or refuses it.
 */
export async function correctPayment(
  tx: Tx,
  scope: Scope,
  { id, paymentId }: { id: string; paymentId: string },
  { method, reference }: PaymentCorrection,
): Promise<{ sale: SaleView }> {
  const before = await lockSale(tx, scope, id)
  const payment = before.payments.find((one) => one.id === paymentId)
  if (!payment) throw notFound('payment')
  return withSaleOnConflict(before, async () => {
    requireCorrectableState(before.status, payment)
    const { open } = await shareOpenShifts(tx, scope, {
      outletId: before.outletId,
      saleShiftId: payment.shiftId,
    })
    requireOpenBooking(payment, { open, now: scope.now })
    requireManual(payment, method)
    const approvedBy = await spendApproval(tx, scope, 'correctTender', id)
    const correction: StoredCorrection = {
      at: scope.now,
      by: scope.actor.id,
      from: payment.method,
      to: method,
      rounding: payment.rounding,
      completed: before.status === 'COMPLETED',
    }
    const corrected: Payment = {
      ...payment,
      ...withMethod(payment, method, emptyToNull(reference)),
      corrections: [...(payment.corrections ?? []), correction],
      updatedAt: scope.now,
    }
    const after: Sale = {
      ...before,
      payments: before.payments.map((one) => (one === payment ? corrected : one)),
      changeTotal: before.changeTotal - payment.change,
      roundingTotal: before.roundingTotal - payment.rounding,
      version: before.version + 1,
      updatedAt: scope.now,
      approvedBy: approvedBy ?? before.approvedBy,
    }
    await save(tx, scope, { before, after })
    const sale = saleView(after)
    await announceCorrection(tx, scope, sale, corrected)
    return { sale }
  })
}
