/** A business and its tax, for the sign-up and the back office, in Indonesian. */
export const businessId = {
  'business.name': 'Nama usaha',
  'business.type': 'Jenis usaha',
  'type.FNB': 'Kafe atau restoran',
  'type.RETAIL': 'Toko',
  'type.PHARMACY': 'Apotek',
  'type.GENERAL': 'Lainnya',
  'tax.NONE': 'Tanpa pajak',
  'tax.inclusive': 'Harga sudah termasuk pajak',
} as const
