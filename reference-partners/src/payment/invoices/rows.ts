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
import { localDay, money } from '../../kit/format.ts'
import type { Invoice } from './schema.ts'

const WORDS = {
  id: {
    title: 'TAGIHAN',
    number: 'Nomor',
    date: 'Tanggal',
    due: 'Jatuh tempo',
    to: 'Kepada',
    total: 'Total',
    status: { draft: 'KONSEP', open: '', paid: 'LUNAS', void: 'BATAL' },
  },
  en: {
    title: 'INVOICE',
    number: 'Number',
    date: 'Date',
    due: 'Due',
    to: 'To',
    total: 'Total',
    status: { draft: 'DRAFT', open: '', paid: 'PAID', void: 'VOID' },
  },
} as const satisfies Record<Language, unknown>

/** What an invoice says, on whatever paper. */
export function invoicePaper(invoice: Invoice, merchant: string, language: Language): PaperPage {
  const words = WORDS[language]
  const { number, createdAt, dueDate, customerName, lines, total, currency, status } = invoice
  const mark = words.status[status]
  const rows: PaperRow[] = [
    centered(clean(merchant), true),
    centered(words.title),
    ...(mark === '' ? [] : [{ kind: 'banner', text: mark } as const]),
    RULE,
    pair(words.number, number),
    pair(words.date, localDay(createdAt)),
    pair(words.due, dueDate.split('-').reverse().join('/')),
    pair(words.to, clean(customerName)),
    RULE,
    ...lines.flatMap(({ description, quantity, unitAmount, amount }) => [
      left(clean(description)),
      pair(`${quantity} x ${money(unitAmount, currency)}`, money(amount, currency), { indent: 2 }),
    ]),
    RULE,
    pair(words.total, money(total, currency), { bold: true }),
  ]
  return { title: number, language, rows }
}
