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
/** Why a person adjusted stock (B-stock-11). The database has the same list. */
export const REASON_CODES = ['COUNT', 'WASTE', 'DAMAGE', 'OWN_USE', 'OTHER'] as const
export type ReasonCode = (typeof REASON_CODES)[number]
export type MovementType = (typeof MOVEMENT_TYPES)[number]
