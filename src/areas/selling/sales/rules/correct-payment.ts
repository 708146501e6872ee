import { conflict, invalid } from '../../../../core/errors.ts'
import { addMs } from '../../../../core/time.ts'
import type { PaymentMethod, PaymentStatus } from './payments.ts'
import type { SaleStatus } from './state.ts'

/** Methods that a till enters by hand; a payment may change from any of them to any other (B-payment-12). */
export const MANUAL_METHODS = ['CASH', 'CARD', 'TRANSFER', 'QRIS', 'OTHER'] as const
export type ManualMethod = (typeof MANUAL_METHODS)[number]

/**
 * One correction as it is stored. `completed`: the sale was completed at that time, so reports had counted the payment
 * under `from`. `rounding` is the cash rounding that the payment had before, in rupiah.
 */
export type StoredCorrection = {
  at: string
  by: string
  from: PaymentMethod
  to: PaymentMethod
  rounding: number
  completed: boolean
}

/** Corrections that one payment can have. */
export const MOST_CORRECTIONS = 20
/** How long a payment that is booked in no shift can be corrected. */
const WITHOUT_SHIFT_MS = 24 * 3_600_000

export type CorrectablePayment = {
  method: PaymentMethod
  amount: number
  tendered: number | null
  change: number
  reference: string | null
  providerRef: string | null
  status: PaymentStatus
  verified: boolean
  applied: boolean
  giftCardId: string | null
  sessionId: string | null
  shiftId: string | null
  paidAt: string | null
  corrections: readonly StoredCorrection[] | null
}

/** 409 unless the sale stands and its payment was paid. */
export function requireCorrectableState(saleStatus: SaleStatus, payment: CorrectablePayment): void {
  if (saleStatus === 'VOIDED') {
    throw conflict('The sale is voided: its payments were already given back')
  }
  if (payment.status !== 'PAID' || !payment.applied) {
    throw conflict('Only a paid payment can be corrected: this one does not count towards the sale')
  }
  if ((payment.corrections ?? []).length >= MOST_CORRECTIONS) {
    throw conflict(`This payment was corrected ${MOST_CORRECTIONS} times: it cannot be corrected again`)
  }
}

/** 409 unless the shift of the payment is open or, without one, the payment is less than 24 hours old. */
export function requireOpenBooking(
  { shiftId, paidAt }: CorrectablePayment,
  { open, now }: { open: ReadonlySet<string>; now: string },
): void {
  if (shiftId !== null) {
    if (open.has(shiftId)) return
    throw conflict('The shift of this payment is closed: its figures are final, so refund and sell again')
  }
  if (paidAt !== null && paidAt > addMs(now, -WITHOUT_SHIFT_MS)) return
  throw conflict('This payment is older than 24 hours: it can no longer be corrected')
}

/** 422 for money that a partner or a gift card answers for, and for a correction that changes nothing. */
export function requireManual(payment: CorrectablePayment, method: ManualMethod): void {
  const { verified, sessionId, providerRef, giftCardId } = payment
  if (verified || sessionId !== null || providerRef !== null) {
    throw invalid('paymentId', 'The payment partner keeps this payment: its method cannot be corrected')
  }
  if (giftCardId !== null || payment.method === 'GIFT_CARD') {
    throw invalid('paymentId', 'This was paid with a gift card: void or refund the sale instead')
  }
  if (payment.method === 'CREDIT') {
    throw invalid('paymentId', 'This was sold on credit: void or refund the sale instead')
  }
  if (!(MANUAL_METHODS as readonly string[]).includes(payment.method)) {
    throw invalid('paymentId', `A ${payment.method} payment was not entered by hand: it cannot be corrected`)
  }
  if (payment.method === method) {
    throw invalid('method', `The payment is already ${method}: choose the method that was really used`)
  }
}

/**
 * The fields of a payment that depend on its method. Only cash has change, and its amount counts as handed over. A
 * reference belongs to its method. Leaving CASH takes the rounding back, entering CASH does not round (B-payment-12).
 */
export const withMethod = (
  { amount }: Pick<CorrectablePayment, 'amount'>,
  method: ManualMethod,
  reference: string | null,
) => ({
  method,
  reference,
  tendered: method === 'CASH' ? amount : null,
  change: 0,
  rounding: 0,
})
