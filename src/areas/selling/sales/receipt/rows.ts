import { labelOf } from '../../../../core/labels.ts'
import { sum } from '../../../../core/money.ts'
import type { Payment, Refund, Sale, SaleLine } from '../schema.ts'
import { clean, cleanLines, localTime, percent, rupiah } from './format.ts'
import { type Language, WORDS } from './words.ts'

/** A sale as GET returns it, with what a printed receipt adds: the outlet's clock and who stood at the till. */
export type Receipt = { sale: Sale; timezone: string; cashierName: string | null; language: Language }

/** What a receipt says, before anyone decides how wide the paper is. Every text in it is printable as it stands. */
export type Row =
  | { kind: 'text'; text: string; align: 'left' | 'center'; bold: boolean }
  | { kind: 'pair'; left: string; right: string; bold: boolean; indent: number }
  | { kind: 'banner'; text: string }
  | { kind: 'rule' }

/** Of 500 lines with 50 modifiers each nobody reads metres of paper: what is beyond stands there as a sum. */
const MODIFIERS_SHOWN = 20

const RULE: Row = { kind: 'rule' }
const centered = (text: string, bold = false): Row => ({ kind: 'text', text, align: 'center', bold })
const left = (text: string): Row => ({ kind: 'text', text, align: 'left', bold: false })
const pair = (label: string, right: string, { bold = false, indent = 0 } = {}): Row => ({
  kind: 'pair',
  left: label,
  right,
  bold,
  indent,
})

/** The rows of a receipt, top to bottom (contract 6.8). Amounts on it add up line by line to the total. */
export function rowsOf(receipt: Receipt): Row[] {
  const { sale } = receipt
  const lines = sale.items.filter((line) => line.isActive)
  return [
    ...headOf(receipt),
    RULE,
    ...lines.flatMap((line) => lineRows(line, receipt)),
    RULE,
    ...totalRows(receipt, lines),
    ...tenderRows(receipt),
    ...refundRows(receipt),
    ...footOf(receipt),
  ]
}

function headOf({ sale, timezone, cashierName, language }: Receipt): Row[] {
  const words = WORDS[language]
  const { outlet, table, customer } = sale
  const facts: [string, string | null | undefined][] = [
    [words.number, sale.number],
    [words.time, localTime(sale.completedAt ?? sale.createdAt, timezone)],
    [words.cashier, cashierName],
    [words.table, table?.label],
    [words.customer, customer?.name],
  ]
  return [
    centered(clean(outlet.name), true),
    ...[outlet.address, outlet.phone, outlet.receiptHeader].flatMap((text) =>
      cleanLines(text).map((line) => centered(line)),
    ),
    RULE,
    ...facts.flatMap(([label, value]) => (value ? [pair(label, clean(value))] : [])),
    ...(sale.orderType === null ? [] : [left(words.orderType[sale.orderType])]),
    ...markOf(sale, words, timezone),
  ]
}

/** Nobody may take a voided sale or an open bill for a receipt. */
function markOf(sale: Sale, words: (typeof WORDS)[Language], timezone: string): Row[] {
  if (sale.status === 'PARKED') return [{ kind: 'banner', text: words.bill }]
  if (sale.status !== 'VOIDED') return []
  return [
    { kind: 'banner', text: words.voided },
    ...(sale.voidedAt === null ? [] : [pair(words.voidedAt, localTime(sale.voidedAt, timezone))]),
    ...cleanLines(sale.voidReason).map(left),
  ]
}

const extra = (name: string, amount: number): Row =>
  pair(`+ ${name}`, amount === 0 ? '' : rupiah(amount), { indent: 2 })

function lineRows(line: SaleLine, { language }: Receipt): Row[] {
  const { quantity, unitPrice, modifiers, discount } = line
  const more = modifiers.slice(MODIFIERS_SHOWN)
  return [
    left(clean(labelOf(line.productName, line.variantName))),
    pair(`${quantity} x ${rupiah(unitPrice)}`, rupiah(quantity * unitPrice), { indent: 2 }),
    ...modifiers.slice(0, MODIFIERS_SHOWN).map(({ name, price }) => extra(clean(name), quantity * price)),
    ...(more.length === 0
      ? []
      : [extra(WORDS[language].more(more.length), quantity * sum(more.map(({ price }) => price)))]),
    ...(discount === 0 ? [] : [pair(WORDS[language].discount, rupiah(-discount), { indent: 2 })]),
  ]
}

function totalRows({ sale, language }: Receipt, lines: readonly SaleLine[]): Row[] {
  const words = WORDS[language]
  const { promoDiscount, taxTotal, deliveryFee } = sale
  const orderDiscount = sale.discountTotal - sum(lines.map(({ discount }) => discount)) - promoDiscount
  const rate = percent(sale.taxRateBps, words.decimal)
  const taxed = sale.taxRateBps > 0
  const promo = sale.discountCode ? `${words.promo} ${clean(sale.discountCode)}` : words.promo
  return [
    pair(words.subtotal, rupiah(sale.subtotal)),
    ...(orderDiscount === 0 ? [] : [pair(words.discount, rupiah(-orderDiscount))]),
    ...(promoDiscount === 0 ? [] : [pair(promo, rupiah(-promoDiscount))]),
    ...(taxed && !sale.taxInclusive ? [pair(`${words.tax} ${rate}`, rupiah(taxTotal))] : []),
    ...(deliveryFee === 0 ? [] : [pair(words.deliveryFee, rupiah(deliveryFee))]),
    pair(words.total, rupiah(sale.total), { bold: true }),
    ...(taxed && sale.taxInclusive ? [pair(`${words.taxIncluded} ${rate}`, rupiah(taxTotal))] : []),
  ]
}

function tenderRows({ sale, language }: Receipt): Row[] {
  const words = WORDS[language]
  const paid = sale.payments.filter(({ status, applied }) => status === 'PAID' && applied)
  return [
    ...paid.map((tender) => pair(tenderWords(tender, language), rupiah(tender.amount + tender.change))),
    ...(sale.changeTotal === 0 ? [] : [pair(words.change, rupiah(sale.changeTotal))]),
    ...(sale.remaining === 0 ? [] : [pair(words.remaining, rupiah(sale.remaining), { bold: true })]),
  ]
}

/** A gift card shows the masked code it was paid with, as the books hold it. */
const tenderWords = ({ method, reference }: Payment, language: Language): string => {
  const name = WORDS[language].method[method] ?? method
  return method === 'GIFT_CARD' && reference ? `${name} ${clean(reference)}` : name
}

function refundRows(receipt: Receipt): Row[] {
  const { sale, language } = receipt
  if (sale.refunds.length === 0) return []
  return [
    RULE,
    ...sale.refunds.flatMap((refund) => oneRefund(refund, receipt)),
    pair(WORDS[language].afterRefunds, rupiah(sale.total - sale.refundedTotal), { bold: true }),
  ]
}

const oneRefund = (refund: Refund, { timezone, language }: Receipt): Row[] => [
  pair(WORDS[language].refund, localTime(refund.createdAt, timezone)),
  ...refund.tenders.map(({ method, amount }) =>
    pair(WORDS[language].method[method] ?? method, rupiah(-amount), { indent: 2 }),
  ),
]

function footOf({ sale, language }: Receipt): Row[] {
  const { pointsEarned, status, outlet } = sale
  const earned = status === 'COMPLETED' && pointsEarned > 0
  const footer = cleanLines(outlet.receiptFooter)
  return [
    ...(earned ? [RULE, pair(WORDS[language].points, String(pointsEarned))] : []),
    ...(footer.length === 0 ? [] : [RULE, ...footer.map((line) => centered(line))]),
    ...(status === 'VOIDED' ? [{ kind: 'banner', text: WORDS[language].voided } as const] : []),
  ]
}
