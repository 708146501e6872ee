import type { OrderType } from '../schema.ts'

export const LANGUAGES = ['id', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

type Words = {
  number: string
  time: string
  cashier: string
  table: string
  customer: string
  orderType: Record<OrderType, string>
  bill: string
  voided: string
  voidedAt: string
  discount: string
  promo: string
  subtotal: string
  tax: string
  taxIncluded: string
  deliveryFee: string
  total: string
  method: Record<string, string>
  change: string
  remaining: string
  refund: string
  afterRefunds: string
  points: string
  /** Things beyond what is listed one by one. */
  more: (count: number) => string
  decimal: string
}

/** What is printed beside the figures, in the languages of the shops that print it. */
export const WORDS: Record<Language, Words> = {
  id: {
    number: 'No.',
    time: 'Waktu',
    cashier: 'Kasir',
    table: 'Meja',
    customer: 'Pelanggan',
    orderType: { DINE_IN: 'Makan di tempat', TAKEAWAY: 'Bawa pulang', DELIVERY: 'Pesan antar' },
    bill: 'TAGIHAN',
    voided: 'BATAL',
    voidedAt: 'Dibatalkan',
    discount: 'Diskon',
    promo: 'Promo',
    subtotal: 'Subtotal',
    tax: 'Pajak',
    taxIncluded: 'Termasuk pajak',
    deliveryFee: 'Ongkos kirim',
    total: 'TOTAL',
    method: {
      CASH: 'Tunai',
      QRIS: 'QRIS',
      VA: 'Virtual account',
      CARD: 'Kartu',
      TRANSFER: 'Transfer',
      GIFT_CARD: 'Kartu hadiah',
      OTHER: 'Lainnya',
      STORE_CREDIT: 'Saldo toko',
    },
    change: 'Kembali',
    remaining: 'Sisa tagihan',
    refund: 'Pengembalian',
    afterRefunds: 'Setelah pengembalian',
    points: 'Poin didapat',
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
    voided: 'VOID',
    voidedAt: 'Voided',
    discount: 'Discount',
    promo: 'Promotion',
    subtotal: 'Subtotal',
    tax: 'Tax',
    taxIncluded: 'Includes tax',
    deliveryFee: 'Delivery fee',
    total: 'TOTAL',
    method: {
      CASH: 'Cash',
      QRIS: 'QRIS',
      VA: 'Virtual account',
      CARD: 'Card',
      TRANSFER: 'Transfer',
      GIFT_CARD: 'Gift card',
      OTHER: 'Other',
      STORE_CREDIT: 'Store credit',
    },
    change: 'Change',
    remaining: 'Left to pay',
    refund: 'Refund',
    afterRefunds: 'After refunds',
    points: 'Points earned',
    more: (count) => `${count} more`,
    decimal: '.',
  },
}
