import type { Scope } from '../../../../platform/scope.ts'
import { derived } from '../sale/facts.ts'
import type { Payment, Refund, Sale } from '../sale/types.ts'
import { changeStored, type DecidedChange } from './change.ts'
import { reversalEvents } from './events.ts'

export type Reversal = {
  /** The sale with its goods returned. */
  taken: Sale
  /** The money that is returned; null if there is none. */
  refund: Refund | null
  reason: string | null
}

/** A void or a discard; `shiftId` is the shift that the money is taken from. */
export function decideReversal(
  scope: Scope,
  before: Sale,
  { taken, refund, reason, shiftId }: Reversal & { shiftId: string | null },
): DecidedChange {
  const reversed = new Set(refund?.tenders.map(({ paymentId }) => paymentId))
  const payments = taken.payments.map((payment): Payment => {
    if (reversed.has(payment.id)) return { ...payment, refundedAmount: payment.amount, updatedAt: scope.now }
    return payment.status === 'PENDING' ? { ...payment, status: 'FAILED', updatedAt: scope.now } : payment
  })
  const after = derived({
    ...taken,
    status: 'VOIDED',
    voidedAt: scope.now,
    voidReason: reason,
    version: before.version + 1,
    updatedAt: scope.now,
    payments,
    refunds: refund ? [...before.refunds, { ...refund, shiftId }] : before.refunds,
  })
  return changeStored(scope, { before, after }, (sale) => reversalEvents(scope, { before, after }, sale))
}
