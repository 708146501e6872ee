import type { voucherId } from './id.ts'

/** Voucher codes at the register in English. */
export const voucherEn: Readonly<Record<keyof typeof voucherId, string>> = {
  code: 'Voucher code',
  use: 'Use',
  remove: 'Remove code {code}',
  offline: 'Voucher codes need the connection.',
  nothing: 'This code gives nothing yet: its conditions are not met. It stays on the bill.',
}
