/** The reasons why stock moves (B-stock-1). The database has the same list. */
export const MOVEMENT_TYPES = [
  'PURCHASE',
  'SALE',
  'REFUND',
  'VOID',
  'ADJUSTMENT',
  'TRANSFER_OUT',
  'TRANSFER_IN',
] as const
export type MovementType = (typeof MOVEMENT_TYPES)[number]
