import type { Language } from '../../../../platform/http/paper.ts'

type Words = Record<
  | 'closed'
  | 'open'
  | 'cashier'
  | 'opened'
  | 'ended'
  | 'printed'
  | 'receipts'
  | 'sales'
  | 'gross'
  | 'discounts'
  | 'tax'
  | 'service'
  | 'rounding'
  | 'decimal'
  | 'refunds'
  | 'voids'
  | 'discards'
  | 'openBills'
  | 'payments'
  | 'cash'
  | 'float'
  | 'cashSales'
  | 'cashRefunds'
  | 'creditPayments'
  | 'paidIn'
  | 'paidOut'
  | 'expected'
  | 'counted'
  | 'difference'
  | 'notes'
  | 'signature',
  string
>

/** The labels beside the figures of a shift. */
export const SHIFT_WORDS: Record<Language, Words> = {
  id: {
    closed: 'LAPORAN Z',
    open: 'LAPORAN X',
    cashier: 'Kasir',
    opened: 'Dibuka',
    ended: 'Ditutup',
    printed: 'Dicetak',
    receipts: 'Struk',
    sales: 'Transaksi',
    gross: 'Penjualan kotor',
    discounts: 'Diskon',
    tax: 'Pajak',
    service: 'Biaya layanan',
    rounding: 'Pembulatan',
    decimal: ',',
    refunds: 'Pengembalian',
    voids: 'Batal',
    discards: 'Tagihan dihapus',
    openBills: 'Tagihan terbuka',
    payments: 'PEMBAYARAN',
    cash: 'LACI KAS',
    float: 'Modal awal',
    cashSales: 'Penjualan tunai',
    cashRefunds: 'Pengembalian tunai',
    creditPayments: 'Bayar kasbon',
    paidIn: 'Kas masuk',
    paidOut: 'Kas keluar',
    expected: 'Seharusnya',
    counted: 'Dihitung',
    difference: 'Selisih',
    notes: 'Catatan',
    signature: 'Tanda tangan',
  },
  en: {
    closed: 'Z REPORT',
    open: 'X REPORT',
    cashier: 'Cashier',
    opened: 'Opened',
    ended: 'Closed',
    printed: 'Printed',
    receipts: 'Receipts',
    sales: 'Sales',
    gross: 'Gross sales',
    discounts: 'Discounts',
    tax: 'Tax',
    service: 'Service charge',
    rounding: 'Rounding',
    decimal: '.',
    refunds: 'Refunds',
    voids: 'Voids',
    discards: 'Discarded bills',
    openBills: 'Open bills',
    payments: 'PAYMENTS',
    cash: 'CASH DRAWER',
    float: 'Opening float',
    cashSales: 'Cash sales',
    cashRefunds: 'Cash refunds',
    creditPayments: 'Debts paid',
    paidIn: 'Paid in',
    paidOut: 'Paid out',
    expected: 'Expected',
    counted: 'Counted',
    difference: 'Difference',
    notes: 'Notes',
    signature: 'Signature',
  },
}
