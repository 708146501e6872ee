/**
 * Milliseconds that no session may exceed: no statement, lock or idle transaction can hold the till for long. A pooler that
 * shares connections has to set them by itself (docs/scaling.md).
 */
export const TIME_LIMITS = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
} as const
