/** Voucher codes at the register in Indonesian. */
export const voucherId = {
  code: 'Kode voucher',
  use: 'Pakai',
  remove: 'Lepas kode {code}',
  offline: 'Kode voucher butuh sambungan.',
  nothing: 'Kode ini belum memberi potongan: syaratnya belum terpenuhi. Kode tetap di tagihan.',
} as const
