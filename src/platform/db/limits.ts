/**
 * Time limits of every session, in milliseconds: no statement, lock or idle transaction can block the till for long. A
 * pooler that shares connections must set them itself (docs/scaling.md).
 */
export const TIME_LIMITS = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
} as const
