import { notFound } from '../../../../core/errors.ts'
import { spendApproval } from '../../../../platform/auth/approvals.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareOpenShifts } from '../../shifts/index.ts'
import { decideCorrection } from '../decide/correction.ts'
import { requireCorrectableState, requireManual, requireOpenBooking } from '../rules/correct-payment.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'
import type { PaymentCorrection, SaleView } from '../schema.ts'
import { writeLocked } from '../store/write.ts'

/**
 * Records that a payment was made by another method than the till entered (B-payment-12). The sale is locked before the
 * shift, so a void waits, and a close either counts the correction or refuses it.
 */
export async function correctPayment(
  tx: Tx,
  scope: Scope,
  { id, paymentId }: { id: string; paymentId: string },
  correction: PaymentCorrection,
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
    requireManual(payment, correction.method)
    const approvedBy = await spendApproval(tx, scope, 'correctTender', id)
    const { change, sale } = decideCorrection(scope, before, { ...correction, payment, approvedBy })
    await writeLocked(tx, [change])
    return { sale }
  })
}
