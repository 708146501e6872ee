import { emptyToNull } from '../../../../core/text.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { type StoredCorrection, withMethod } from '../rules/correct-payment.ts'
import type { Payment, Sale } from '../sale/types.ts'
import type { PaymentCorrection } from '../schema.ts'
import { changeStored, type DecidedChange } from './change.ts'
import { correctionEvent } from './events.ts'

/** A payment of the sale that was made by another method. */
export function decideCorrection(
  scope: Scope,
  before: Sale,
  {
    payment,
    method,
    reference,
    approvedBy,
  }: PaymentCorrection & { payment: Payment; approvedBy: string | null },
): DecidedChange {
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
  return changeStored(scope, { before, after }, (sale) => [correctionEvent(scope, sale, corrected)])
}
