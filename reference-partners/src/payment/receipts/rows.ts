import {
  centered,
  clean,
  type Language,
  left,
  type PaperPage,
  type PaperRow,
  pair,
  RULE,
} from 'kasir/partner-tools'
import { localTime, money } from '../../kit/format.ts'
import type { Receipt } from './schema.ts'

const WORDS = {
  id: {
    title: 'BUKTI PEMBAYARAN',
    number: 'Nomor',
    time: 'Waktu',
    method: 'Cara bayar',
    paid: 'Dibayar',
    methods: { qris: 'QRIS', va: 'Virtual account', hosted: 'Halaman pembayaran' },
    thanks: 'Terima kasih',
  },
  en: {
    title: 'PAYMENT RECEIPT',
    number: 'Number',
    time: 'Time',
    method: 'Paid by',
    paid: 'Paid',
    methods: { qris: 'QRIS', va: 'Virtual account', hosted: 'Payment page' },
    thanks: 'Thank you',
  },
} as const satisfies Record<Language, unknown>

/** What a receipt says, on whatever paper. */
export function receiptPaper(receipt: Receipt, merchant: string, language: Language): PaperPage {
  const words = WORDS[language]
  const { number, issuedAt, method, description, amount, currency } = receipt
  const rows: PaperRow[] = [
    centered(clean(merchant), true),
    centered(words.title),
    RULE,
    pair(words.number, number),
    pair(words.time, localTime(issuedAt)),
    pair(words.method, words.methods[method]),
    ...(description === null ? [] : [left(clean(description))]),
    RULE,
    pair(words.paid, money(amount, currency), { bold: true }),
    RULE,
    centered(words.thanks),
  ]
  return { title: number, language, rows }
}
