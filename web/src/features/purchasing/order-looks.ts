/** How the state of an order is marked. */
export const ORDER_LOOKS = {
  DRAFT: 'muted',
  ORDERED: 'warn',
  PARTIALLY_RECEIVED: 'warn',
  RECEIVED: 'good',
  CANCELLED: 'danger',
} as const
