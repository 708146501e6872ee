import { labelOf } from '../labels.ts'
import { mul, sum } from '../money.ts'
import { goodsGross, isWeighed, timesOfModifiers } from '../sale-totals.ts'
import { kilograms } from '../weights.ts'
import { clean, cleanLines, localTime, npwpText, percent, rupiah } from './format.ts'
import type { PrintedItem, PrintedPayment, PrintedRefund, PrintedSale } from './printed-sale.ts'
import { type Language, WORDS } from './receipt-words.ts'
import { centered, type Image, left, type PaperRow, pair, RULE } from './rows.ts'

/** The default of migration 0017, which is printed in the language of the receipt. */
const DEFAULT_TAX_LABEL = 'Pajak'

/**
 * A sale with the facts that a printed receipt adds: the business of the outlet, the name of the tax, the outlet's
 * time zone, the cashier, and the points that are left after refunds. `thanks` is null if none was
 * chosen.
 */
export type Receipt = {
  sale: PrintedSale
  business: { name: string; npwp: string | null; thanks: string | null }
  taxLabel: string
  timezone: string
  cashierName: string | null
  pointsKept: number
  logo: Image | null
  language: Language
  /** A bill that the guests ask for before they pay (B-receipt-8). */
  isBill?: boolean
  /** A till prints it before the service has the sale: the number is the reference of the till. */
  isProvisional?: boolean
  /** The public address of the receipt, printed as a QR code (B-receipt-9). */
  publicUrl?: string | null
}

/** The most items on paper: the others are printed as one sum, so that the amounts still add up. */
const MODIFIERS_SHOWN = 20
const REFUNDS_SHOWN = 20
const RETURNED_SHOWN = 100

/** The rows of a receipt, top to bottom (B-receipt-2). Amounts on it add up line by line to the total. */
export function receiptRows(receipt: Receipt): PaperRow[] {
  const { sale } = receipt
  const lines = sale.items.filter((line) => line.isActive)
  return [
    ...headOf(receipt),
    RULE,
    ...lines.flatMap((line) => lineRows(line, receipt)),
    RULE,
    ...totalRows(receipt, lines),
    ...paymentRows(receipt),
    ...refundRows(receipt),
    ...footOf(receipt),
  ]
}

function headOf(receipt: Receipt): PaperRow[] {
  const { sale, timezone, cashierName, language, logo } = receipt
  const words = WORDS[language]
  const { table, customer } = sale
  const facts: [string, string | null | undefined][] = [
    [words.number, sale.number],
    [words.time, localTime(sale.completedAt ?? sale.createdAt, timezone)],
    [words.cashier, cashierName],
    [words.table, table?.label],
    [words.customer, customer?.name],
  ]
  return [
    ...(logo === null ? [] : [logo]),
    ...shopRows(receipt),
    RULE,
    ...facts.flatMap(([label, value]) => (value ? [pair(label, clean(value))] : [])),
    ...(sale.orderType === null ? [] : [left(words.orderType[sale.orderType])]),
    ...markOf(sale, words, timezone),
    ...(receipt.isBill ? [centered(words.notReceipt, true)] : []),
    ...(receipt.isProvisional ? [centered(words.provisional)] : []),
  ]
}

/** Whose receipt it is, in the order of B-receipt-2; an outlet that is named like its business is named once. */
function shopRows({ sale: { outlet }, business }: Receipt): PaperRow[] {
  const names = [business.name, outlet.name].map(clean)
  return [
    ...[...new Set(names)].map((name) => centered(name, true)),
    ...[outlet.address, outlet.phone].flatMap(cleanLines).map((line) => centered(line)),
    ...(business.npwp === null ? [] : [centered(`NPWP ${npwpText(business.npwp)}`)]),
    ...cleanLines(outlet.receiptHeader).map((line) => centered(line)),
  ]
}

/** A voided sale, an open bill or a refunded sale must not pass for a receipt. */
function markOf(sale: PrintedSale, words: (typeof WORDS)[Language], timezone: string): PaperRow[] {
  if (sale.status === 'PARKED') return [{ kind: 'banner', text: words.bill }]
  if (sale.refundStatus === 'FULL') return [{ kind: 'banner', text: words.refunded }]
  if (sale.status !== 'VOIDED') return []
  return [
    { kind: 'banner', text: words.voided },
    ...(sale.voidedAt === null ? [] : [pair(words.voidedAt, localTime(sale.voidedAt, timezone))]),
    ...cleanLines(sale.voidReason).map(left),
  ]
}

const extra = (name: string, amount: number): PaperRow =>
  pair(`+ ${name}`, amount === 0 ? '' : rupiah(amount), { indent: 2 })

/** What was sold of an item, such as 2, 1 strip, or 0,750 kg. */
function countOf(
  quantity: number,
  item: Pick<PrintedItem, 'pack' | 'soldBy'> | undefined,
  language: Language,
): string {
  if (item?.pack) return `${quantity} ${clean(item.pack.name)}`
  return item && isWeighed(item) ? kilograms(quantity, WORDS[language].decimal) : String(quantity)
}

function lineRows(line: PrintedItem, { language }: Receipt): PaperRow[] {
  const { unitPrice, modifiers, discount, labelPrice } = line
  const times = timesOfModifiers(line)
  const more = modifiers.slice(MODIFIERS_SHOWN)
  // The price on a label is not quantity × price.
  const price = labelPrice === null ? ` x ${rupiah(unitPrice)}` : ''
  return [
    left(clean(labelOf(line.productName, line.variantName))),
    pair(`${countOf(line.quantity, line, language)}${price}`, rupiah(goodsGross(line)), { indent: 2 }),
    ...modifiers.slice(0, MODIFIERS_SHOWN).map(({ name, price }) => extra(clean(name), mul(times, price))),
    ...(more.length === 0
      ? []
      : [extra(WORDS[language].more(more.length), mul(times, sum(more.map(({ price }) => price))))]),
    ...(discount === 0 ? [] : [pair(WORDS[language].discount, rupiah(-discount), { indent: 2 })]),
  ]
}

function totalRows({ sale, taxLabel, language }: Receipt, lines: readonly PrintedItem[]): PaperRow[] {
  const words = WORDS[language]
  const { promoDiscount, deliveryFee, serviceCharge } = sale
  const onLines = sum(lines.map(({ discount, promotionShare }) => discount + promotionShare))
  const orderDiscount = sale.discountTotal - onLines - promoDiscount
  const label = taxLabel === DEFAULT_TAX_LABEL ? words.tax : clean(taxLabel)
  const service = serviceCharge && `${words.service} ${percent(serviceCharge.bps, words.decimal)}`
  const taxRow = (before: string, { rateBps, tax }: PrintedSale['taxes'][number]) =>
    pair(`${before}${label} ${percent(rateBps, words.decimal)}`, rupiah(tax))
  const taxed = sale.taxes.filter(({ rateBps }) => rateBps > 0)
  // With inclusive prices the tax of the service charge alone comes on top.
  const serviceTax = sale.taxInclusive && serviceCharge ? serviceCharge.tax : 0
  const promo = sale.discountCode ? `${words.promo} ${clean(sale.discountCode)}` : words.promo
  return [
    ...sale.promotions.map(({ name, amount }) => pair(clean(name), rupiah(-amount))),
    pair(words.subtotal, rupiah(sale.subtotal)),
    ...(orderDiscount === 0 ? [] : [pair(words.discount, rupiah(-orderDiscount))]),
    ...(promoDiscount === 0 ? [] : [pair(promo, rupiah(-promoDiscount))]),
    ...(serviceCharge && service ? [pair(service, rupiah(serviceCharge.amount))] : []),
    ...(serviceTax === 0 ? [] : [taxRow('', { rateBps: sale.taxRateBps, base: 0, tax: serviceTax })]),
    ...(sale.taxInclusive ? [] : taxed.map((group) => taxRow('', group))),
    ...(deliveryFee === 0 ? [] : [pair(words.deliveryFee, rupiah(deliveryFee))]),
    pair(words.total, rupiah(sale.total), { bold: true }),
    ...(sale.taxInclusive ? taxed.map((group) => taxRow(`${words.including} `, group)) : []),
  ]
}

function paymentRows({ sale, language }: Receipt): PaperRow[] {
  const words = WORDS[language]
  const paid = sale.payments.filter(({ status, applied }) => status === 'PAID' && applied)
  return [
    ...(sale.roundingTotal === 0 ? [] : [pair(words.rounding, rupiah(sale.roundingTotal))]),
    ...paid.map((payment) =>
      pair(paymentWords(payment, language), rupiah(payment.amount + payment.rounding + payment.change)),
    ),
    ...(sale.changeTotal === 0 ? [] : [pair(words.change, rupiah(sale.changeTotal))]),
    ...(sale.remaining === 0 ? [] : [pair(words.remaining, rupiah(sale.remaining), { bold: true })]),
  ]
}

/** A gift card shows the masked code it was paid with, as the books hold it. */
const paymentWords = ({ method, reference }: PrintedPayment, language: Language): string => {
  const name = WORDS[language].method[method] ?? method
  return method === 'GIFT_CARD' && reference ? `${name} ${clean(reference)}` : name
}

function refundRows(receipt: Receipt): PaperRow[] {
  const { sale, language } = receipt
  const words = WORDS[language]
  const { refunds } = sale
  if (refunds.length === 0) return []
  const earlier = refunds.slice(0, -REFUNDS_SHOWN)
  return [
    RULE,
    ...(earlier.length === 0
      ? []
      : [pair(words.more(earlier.length), rupiah(-sum(earlier.map(({ amount }) => amount))))]),
    ...refunds.slice(-REFUNDS_SHOWN).flatMap((refund) => oneRefund(refund, receipt)),
    pair(words.afterRefunds, rupiah(sale.total - sale.refundedTotal), { bold: true }),
  ]
}

const oneRefund = (refund: PrintedRefund, receipt: Receipt): PaperRow[] => [
  pair(WORDS[receipt.language].refund, localTime(refund.createdAt, receipt.timezone)),
  ...returnedRows(refund, receipt),
  ...refund.tenders.map(({ method, amount }) =>
    pair(WORDS[receipt.language].method[method] ?? method, rupiah(-amount), { indent: 2 }),
  ),
  ...(refund.rounding === 0
    ? []
    : [pair(WORDS[receipt.language].rounding, rupiah(-refund.rounding), { indent: 2 })]),
]

/** What came back. The lines show amounts if these are the money refunded; an agreed amount is shown alone. */
function returnedRows({ lines, amount, split }: PrintedRefund, { sale, language }: Receipt): PaperRow[] {
  if (lines.length === 0) return []
  const words = WORDS[language]
  const named = new Map(sale.items.map((line) => [line.id, line]))
  const priced = sum(lines.map((line) => line.amount)) + split.deliveryFee === amount
  const minus = (value: number) => (priced && value > 0 ? rupiah(-value) : '')
  const rest = lines.slice(RETURNED_SHOWN)
  return [
    ...lines.slice(0, RETURNED_SHOWN).map((line) => {
      const item = named.get(line.transactionItemId)
      const { productName = '', variantName = '' } = item ?? {}
      return pair(
        `${countOf(line.qty, item, language)} x ${clean(labelOf(productName, variantName))}`,
        minus(line.amount),
        {
          indent: 2,
        },
      )
    }),
    ...(rest.length === 0
      ? []
      : [pair(words.more(rest.length), minus(sum(rest.map((line) => line.amount))), { indent: 2 })]),
    ...(priced && split.deliveryFee > 0
      ? [pair(words.deliveryFee, rupiah(-split.deliveryFee), { indent: 2 })]
      : []),
  ]
}

function footOf(receipt: Receipt): PaperRow[] {
  const { sale, pointsKept, language, publicUrl = null } = receipt
  const earned = sale.status === 'COMPLETED' && pointsKept > 0
  const footer = [...cleanLines(sale.outlet.receiptFooter), ...thanksOf(receipt)]
  return [
    ...(receipt.isBill ? [RULE, centered(WORDS[language].notReceipt, true)] : []),
    ...(earned ? [RULE, pair(WORDS[language].points, String(pointsKept))] : []),
    ...(footer.length === 0 ? [] : [RULE, ...footer.map((line) => centered(line))]),
    ...(sale.status === 'VOIDED' ? [{ kind: 'banner', text: WORDS[language].voided } as const] : []),
    ...(publicUrl === null
      ? []
      : ([{ kind: 'qr', text: publicUrl }, centered(WORDS[language].online)] as const)),
  ]
}

/**
 * The line a shop chose; else ours, but not below words of the outlet's own, and never under a sale that was voided.
 */
function thanksOf({ sale, business, language, isBill }: Receipt): string[] {
  if (isBill) return []
  if (sale.status === 'VOIDED') return []
  if (business.thanks !== null) return cleanLines(business.thanks)
  return cleanLines(sale.outlet.receiptFooter).length === 0 ? [WORDS[language].thanks] : []
}
