/** The notices that the partner sends to the service. */
export const NOTICE_TYPES = [
  'checkout_session.completed',
  'checkout_session.expired',
  'checkout_session.failed',
  'payout.paid',
  'payout.failed',
] as const
export type NoticeType = (typeof NOTICE_TYPES)[number]
