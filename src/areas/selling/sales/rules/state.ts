import { conflict } from '../../../../core/errors.ts'

export const SALE_STATUSES = ['PARKED', 'COMPLETED', 'VOIDED'] as const
export const REFUND_STATUSES = ['NONE', 'PARTIAL', 'FULL'] as const
export type SaleStatus = (typeof SALE_STATUSES)[number]
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** The actions on a sale; `charge` creates a QRIS or VA session, `dispatch` gives a delivery to a courier. */
export type SaleAction =
  | 'edit'
  | 'pay'
  | 'settle'
  | 'charge'
  | 'split'
  | 'discard'
  | 'void'
  | 'refund'
  | 'dispatch'

// An action that is not listed here is allowed (B-sale-1).
const REFUSALS: Record<SaleAction, Partial<Record<SaleStatus, string>>> = {
  edit: {
    COMPLETED: 'The sale is completed, its items are final: refund it or ring up a new sale',
    VOIDED: 'The sale is voided: ring up a new one',
  },
  pay: {
    COMPLETED: 'The sale is already completed: no further payment is due',
    VOIDED: 'The sale is voided: do not take a payment for it',
  },
  settle: {
    COMPLETED: 'The sale is already completed: no further payment is due',
    VOIDED: 'The sale is voided: do not take a payment for it',
  },
  charge: {
    COMPLETED: 'The sale is already completed: no further payment is due',
    VOIDED: 'The sale is voided: do not take a payment for it',
  },
  split: {
    COMPLETED: 'The sale is completed: only an open bill can be split',
    VOIDED: 'The sale is voided: only an open bill can be split',
  },
  discard: {
    COMPLETED: 'The sale is completed: void or refund it instead of discarding it',
    VOIDED: 'The sale is already voided',
  },
  void: {
    PARKED: 'The bill is still open: discard it instead of voiding it',
    VOIDED: 'The sale is already voided',
  },
  refund: {
    PARKED: 'The bill is still open: edit or discard it, there is nothing to refund',
    VOIDED: 'The sale is voided: its payments were already given back',
  },
  dispatch: { VOIDED: 'The sale is voided: it cannot be sent out' },
}

/** Refuses an action that the state of the sale does not allow: 409 with what to do instead (B-sale-1). */
export function requireState(action: SaleAction, status: SaleStatus): void {
  const refusal = REFUSALS[action][status]
  if (refusal !== undefined) throw conflict(refusal)
}

/** 409 for a further payment once nothing remains to pay: such a bill is settled without one (B-payment-8). */
export function requireAmountDue(bill: { total: number; paidTotal: number }): void {
  if (bill.paidTotal >= bill.total) {
    throw conflict('Nothing is left to pay on this bill: settle it without payments')
  }
}

/** 409 unless the sale is COMPLETED and untouched by refunds: a void would give the money back twice (B-void-2). */
export function requireVoidable(sale: { status: SaleStatus; refundStatus: RefundStatus }): void {
  requireState('void', sale.status)
  if (sale.refundStatus !== 'NONE') {
    throw conflict('Part of this sale was refunded: refund the rest instead of voiding it')
  }
}

/** 409 unless the sale is COMPLETED and a part of its total is not refunded yet (B-refund-1). */
export function requireRefundable(sale: { status: SaleStatus; total: number; refundedTotal: number }): void {
  requireState('refund', sale.status)
  if (sale.total === 0) throw conflict('The sale cost nothing: void it, there is nothing to refund')
  if (sale.refundedTotal >= sale.total) throw conflict('The sale is already fully refunded')
}

/** 409 unless the bill is open and holds no money confirmed by the payment partner (B-void-3). */
export function requireDiscardable(sale: {
  status: SaleStatus
  payments: readonly { status: string; verified: boolean }[]
}): void {
  requireState('discard', sale.status)
  if (sale.payments.some((payment) => payment.status === 'PAID' && payment.verified)) {
    throw conflict('A payment on this bill was confirmed by the payment partner: refund it there first')
  }
}

/** 409 when an edit brings the total under what was already paid (B-edit-1); rupiah. */
export function requirePaidWithin(bill: { total: number; paidTotal: number }): void {
  if (bill.paidTotal > bill.total) {
    throw conflict(
      `The bill would come to ${bill.total}, but ${bill.paidTotal} has already been paid: keep more items on it`,
    )
  }
}
