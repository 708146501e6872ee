/** The colour and the word for each state of an order. */
export const ORDER_LOOKS = {
  DRAFT: 'muted',
  ORDERED: 'warn',
  PARTIALLY_RECEIVED: 'warn',
  RECEIVED: 'good',
  CANCELLED: 'danger',
} as const
