import type { PaymentSession } from 'kasir-client'

/** A QR code of the payment module, kept by the register until it has ended. */
export type PaymentCode = PaymentSession & {
  /** The bill that the code pays. */
  transactionId: string
  /** The Idempotency-Key of its cancellation. */
  cancelKey: string
  /** The cashier has cancelled it. Money may have arrived before: the partner's answer ends the code. */
  isCancelled: boolean
}

/** How a code ended whose bill is still open. */
export type CodeEnd = Exclude<PaymentSession['status'], 'pending'>
