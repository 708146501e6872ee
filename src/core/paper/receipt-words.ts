/** The languages of a paper. */
export const LANGUAGES = ['id', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

type Words = {
  number: string
  time: string
  cashier: string
  table: string
  customer: string
  orderType: Record<'DINE_IN' | 'TAKEAWAY' | 'DELIVERY', string>
  bill: string
  /** Below the banner of a bill that is asked for before it is paid. */
  notReceipt: string
  /** On a receipt that a till prints offline: the final number follows. */
  provisional: string
  voided: string
  refunded: string
  voidedAt: string
  discount: string
  promo: string
  subtotal: string
  tax: string
  service: string
  rounding: string
  including: string
  deliveryFee: string
  total: string
  method: Record<string, string>
  change: string
  remaining: string
  refund: string
  afterRefunds: string
  points: string
  thanks: string
  /** Below the QR code of the public page. */
  online: string
  /** Counts the things that the list leaves out. */
  more: (count: number) => string
  decimal: string
}

/** The words that a receipt prints beside its figures, in each language. */
export const WORDS: Record<Language, Words> = {
  id: {
    number: 'No.',
    time: 'Waktu',
    cashier: 'Kasir',
    table: 'Meja',
    customer: 'Pelanggan',
    orderType: { DINE_IN: 'Makan di tempat', TAKEAWAY: 'Bawa pulang', DELIVERY: 'Pesan antar' },
    bill: 'TAGIHAN',
    notReceipt: 'Bukan bukti pembayaran',
    provisional: 'Nomor struk menyusul',
    voided: 'BATAL',
    refunded: 'DIKEMBALIKAN',
    voidedAt: 'Dibatalkan',
    discount: 'Diskon',
    promo: 'Promo',
    subtotal: 'Subtotal',
    tax: 'Pajak',
    service: 'Biaya layanan',
    rounding: 'Pembulatan',
    including: 'Termasuk',
    deliveryFee: 'Ongkos kirim',
    total: 'TOTAL',
    method: {
      CASH: 'Tunai',
      QRIS: 'QRIS',
      VA: 'Virtual account',
      CARD: 'Kartu',
      TRANSFER: 'Transfer',
      GIFT_CARD: 'Kartu hadiah',
      CREDIT: 'Kasbon',
      OTHER: 'Lainnya',
      STORE_CREDIT: 'Saldo toko',
    },
    change: 'Kembali',
    remaining: 'Sisa tagihan',
    refund: 'Pengembalian',
    afterRefunds: 'Setelah pengembalian',
    points: 'Poin didapat',
    thanks: 'Terima kasih',
    online: 'Struk ini di ponsel Anda',
    more: (count) => `${count} lainnya`,
    decimal: ',',
  },
  en: {
    number: 'No.',
    time: 'Time',
    cashier: 'Cashier',
    table: 'Table',
    customer: 'Customer',
    orderType: { DINE_IN: 'Dine in', TAKEAWAY: 'Takeaway', DELIVERY: 'Delivery' },
    bill: 'BILL',
    notReceipt: 'Not a receipt',
    provisional: 'The receipt number follows',
    voided: 'VOID',
    refunded: 'REFUNDED',
    voidedAt: 'Voided',
    discount: 'Discount',
    promo: 'Promotion',
    subtotal: 'Subtotal',
    tax: 'Tax',
    service: 'Service charge',
    rounding: 'Rounding',
    including: 'Includes',
    deliveryFee: 'Delivery fee',
    total: 'TOTAL',
    method: {
      CASH: 'Cash',
      QRIS: 'QRIS',
      VA: 'Virtual account',
      CARD: 'Card',
      TRANSFER: 'Transfer',
      GIFT_CARD: 'Gift card',
      CREDIT: 'Credit',
      OTHER: 'Other',
      STORE_CREDIT: 'Store credit',
    },
    change: 'Change',
    remaining: 'Left to pay',
    refund: 'Refund',
    afterRefunds: 'After refunds',
    points: 'Points earned',
    thanks: 'Thank you',
    online: 'This receipt on your phone',
    more: (count) => `${count} more`,
    decimal: '.',
  },
}

/** Ways to pay, as they are printed. */
export const METHOD_WORDS: Record<Language, Record<string, string>> = {
  id: WORDS.id.method,
  en: WORDS.en.method,
}
