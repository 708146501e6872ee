import { clean, cleanLines, localTime, npwpText, percent, rupiah } from '../../../../core/paper/format.ts'
import { METHOD_WORDS } from '../../../../core/paper/receipt-words.ts'
import { centered, left, type PaperRow, pair, RULE } from '../../../../core/paper/rows.ts'
import type { Language } from '../../../../platform/http/paper.ts'
import type { ShiftReport } from './schema.ts'
import { SHIFT_WORDS } from './words.ts'

/** Beyond this many, cash that was moved is printed as its sums alone. */
const MOVEMENTS_SHOWN = 50

type Words = (typeof SHIFT_WORDS)[Language]
const title = ({ shift }: ShiftReport, words: Words) =>
  shift.status === 'CLOSED' ? words.closed : words.open

/** The title of the paper. */
export const titleOf = (report: ShiftReport, language: Language): string =>
  `${title(report, SHIFT_WORDS[language])} ${report.shift.cashierName}`

/** The rows of a shift's paper, top to bottom (B-report-12): an open shift is an X report, a closed one a Z report. */
export function shiftRows(report: ShiftReport, language: Language): PaperRow[] {
  const words = SHIFT_WORDS[language]
  return [
    ...headOf(report, words),
    RULE,
    ...salesRows(report, words),
    RULE,
    ...methodRows(report, words, language),
    RULE,
    ...drawerRows(report, words),
    ...footOf(report, words),
  ]
}

function headOf(report: ShiftReport, words: Words): PaperRow[] {
  const { businessName, npwp, outlet, shift, receipts } = report
  const at = (instant: string) => localTime(instant, outlet.timezone)
  const names = [...new Set([businessName, outlet.name].map(clean))]
  return [
    ...names.map((name) => centered(name, true)),
    ...[outlet.address, outlet.phone].flatMap(cleanLines).map((line) => centered(line)),
    ...(npwp === null ? [] : [centered(`NPWP ${npwpText(npwp)}`)]),
    { kind: 'banner', text: title(report, words) },
    pair(words.cashier, clean(shift.cashierName)),
    pair(words.opened, at(shift.openedAt)),
    ...(shift.closedAt === null ? [] : [pair(words.ended, at(shift.closedAt))]),
    ...(receipts.first === null ? [] : [pair(words.receipts, `${receipts.first} - ${receipts.last}`)]),
  ]
}

/** The tax, or that of each rate if the shift has sold at more than one. */
const taxRows = ({ tax, taxes }: ShiftReport['shift']['summary'], words: Words): PaperRow[] =>
  taxes.length < 2
    ? [pair(words.tax, rupiah(tax))]
    : taxes.map((group) => pair(`${words.tax} ${percent(group.rateBps, words.decimal)}`, rupiah(group.tax)))

function salesRows({ shift: { summary }, returned }: ShiftReport, words: Words): PaperRow[] {
  const back = (label: string, { count, amount }: { count: number; amount: number }) =>
    count === 0 ? [] : [pair(`${label} (${count})`, rupiah(-amount))]
  return [
    pair(words.sales, String(summary.salesCount)),
    pair(words.gross, rupiah(summary.gross)),
    pair(words.discounts, rupiah(-summary.discounts)),
    ...(summary.service === 0 ? [] : [pair(words.service, rupiah(summary.service))]),
    ...taxRows(summary, words),
    ...back(words.refunds, returned.refunds),
    ...back(words.voids, returned.voids),
    ...back(words.discards, returned.discards),
    ...(summary.openBills === 0 ? [] : [pair(words.openBills, String(summary.openBills))]),
  ]
}

const methodRows = ({ shift }: ShiftReport, words: Words, language: Language): PaperRow[] => [
  ...tenderRows(shift, words, language),
  ...shift.summary.creditPayments.map(({ method, count, amount }) =>
    pair(`${words.creditPayments} ${METHOD_WORDS[language][method] ?? method} (${count})`, rupiah(amount)),
  ),
]

const tenderRows = (shift: ShiftReport['shift'], words: Words, language: Language): PaperRow[] => [
  left(words.payments),
  ...shift.summary.byMethod.flatMap(({ method, count, amount, refunds, net }) => [
    pair(`${METHOD_WORDS[language][method] ?? method} (${count})`, rupiah(amount)),
    ...(refunds === 0
      ? []
      : [pair(words.refunds, rupiah(-refunds), { indent: 2 }), pair('=', rupiah(net), { indent: 2 })]),
  ]),
]

function drawerRows({ shift, cashMovements }: ShiftReport, words: Words): PaperRow[] {
  const { cash } = shift.summary
  const moved = cashMovements.length > MOVEMENTS_SHOWN ? [] : cashMovements
  const listed = (type: 'PAID_IN' | 'PAID_OUT') =>
    moved
      .filter((movement) => movement.type === type)
      .map(({ category, reason, amount }) =>
        pair(
          [category, reason].flatMap((text) => clean(text ?? '') || []).join(': ') || '-',
          rupiah(type === 'PAID_IN' ? amount : -amount),
          { indent: 2 },
        ),
      )
  return [
    left(words.cash),
    pair(words.float, rupiah(cash.opening)),
    pair(words.cashSales, rupiah(cash.sales)),
    pair(words.cashRefunds, rupiah(-cash.refunds)),
    ...(cash.rounding === 0 ? [] : [pair(words.rounding, rupiah(cash.rounding))]),
    ...(cash.creditPayments === 0 ? [] : [pair(words.creditPayments, rupiah(cash.creditPayments))]),
    pair(words.paidIn, rupiah(cash.paidIn)),
    ...listed('PAID_IN'),
    pair(words.paidOut, rupiah(-cash.paidOut)),
    ...listed('PAID_OUT'),
    pair(words.expected, rupiah(cash.expected), { bold: true }),
    ...(shift.countedCash === null ? [] : [pair(words.counted, rupiah(shift.countedCash), { bold: true })]),
    ...(shift.difference === null ? [] : [pair(words.difference, rupiah(shift.difference), { bold: true })]),
  ]
}

const footOf = ({ shift }: ShiftReport, words: Words): PaperRow[] => [
  ...(shift.notes === null ? [] : [RULE, left(words.notes), ...cleanLines(shift.notes).map(left)]),
  ...(shift.status === 'CLOSED' ? [RULE, left(words.signature), left(''), left('')] : []),
]
