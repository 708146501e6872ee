import type { Expires } from '../../../platform/jobs/sweep.ts'

export const receiptLinkExpires: readonly Expires[] = [
  { table: 'receiptLinks', key: ['account_id', 'id'], column: 'expires_at', before: (now) => now },
]
