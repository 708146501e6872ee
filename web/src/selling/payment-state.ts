import type { Sale } from 'kasir-client'

export type PaymentState = Pick<Sale['payments'][number], 'status' | 'applied'>

/** Whether the payment was made and counts in its sale. */
export const isApplied = ({ status, applied }: PaymentState): boolean => status === 'PAID' && applied

/** Whether money arrived at the payment partner that the sale did not need: staff return it there. */
export const isUnapplied = ({ status, applied }: PaymentState): boolean => status === 'PAID' && !applied
