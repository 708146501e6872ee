import { assert } from '../../../../core/assert.ts'
import { invalid } from '../../../../core/errors.ts'
import { mulDivFloor, mulDivHalfUp, splitByWeight, sum } from '../../../../core/money.ts'
import type { TaxGroup } from '../../../../core/sale-totals.ts'
import type { PaymentMethod } from './payments.ts'
import { requireRefundable, type SaleStatus } from './state.ts'

/** Money by what it was for; `goods` and `service` are without tax (B-refund-6). Rupiah. */
export type RefundSplit = { goods: number; tax: number; service: number; deliveryFee: number }

/** Tax by rate, sorted by rate. */
export type RateTax = Pick<TaxGroup, 'rateBps' | 'tax'>

/**
 * A sold item: `lineTotal` is what the customer paid for it, tax included; `taxAmount` the tax in it; `serviceShare` its
 * part of the service charge with the tax on that. A null rate is that of the sale.
 */
export type RefundableItem = {
  id: string
  quantity: number
  refundedQty: number
  lineTotal: number
  taxAmount: number
  serviceShare: number
  taxRateBps: number | null
  isActive: boolean
}

/**
 * `refunded` is what all earlier refunds gave back, by their stored splits, and `refundedTaxes` their tax by rate.
 * `taxes` is null if everything is taxed at `taxRateBps`.
 */
export type RefundableSale = {
  status: SaleStatus
  total: number
  taxRateBps: number
  taxTotal: number
  taxes: readonly RateTax[] | null
  service: { amount: number; tax: number }
  refundedTaxes: readonly RateTax[]
  deliveryFee: number
  refunded: RefundSplit
  items: readonly RefundableItem[]
}

/** The money and stock part of a refund body; quantities and amounts ≥ 1 are the schema's matter. */
export type RefundBody = {
  lines?: readonly { transactionItemId: string; qty: number }[] | undefined
  amount?: number | undefined
  restock?: boolean | undefined
}

/**
 * A line of a refund. `value` is the value of these units with their part of the service charge, `tax` the tax of the
 * goods in it, and `service` the part of the service charge with its tax. None depends on the refunded amount. All
 * sum exactly over the refunds of an item; within one refund of a few rupiah the tax may run
 * one ahead of the value.
 */
export type RefundedLine = { id: string; qty: number; value: number; tax: number; service: number }

export type RefundPlan = {
  amount: number
  split: RefundSplit
  /** The tax of the split by rate; null if the sale has one rate. */
  taxes: RateTax[] | null
  lines: RefundedLine[]
  /** The goods that return to stock; empty unless the body says `restock`. */
  restockLines: { id: string; qty: number }[]
}

// Cumulative floors: however an item is cut into refunds, the last unit takes the remainder (B-refund-4).
const stepOf = (whole: number, item: RefundableItem, qty: number) =>
  mulDivFloor(whole, item.refundedQty + qty, item.quantity) -
  mulDivFloor(whole, item.refundedQty, item.quantity)

const refundedLine = (item: RefundableItem, qty: number): RefundedLine => ({
  id: item.id,
  qty,
  value: stepOf(item.lineTotal + item.serviceShare, item, qty),
  tax: stepOf(item.taxAmount, item, qty),
  service: stepOf(item.serviceShare, item, qty),
})

const everythingLeft = (items: readonly RefundableItem[]): RefundedLine[] =>
  items
    .filter((item) => item.isActive && item.refundedQty < item.quantity)
    .map((item) => refundedLine(item, item.quantity - item.refundedQty))

function namedLines(sale: RefundableSale, named: NonNullable<RefundBody['lines']>): RefundedLine[] {
  if (named.length === 0)
    throw invalid('lines', 'Name at least one item, or leave lines out to refund the rest')
  const byId = new Map(sale.items.map((item) => [item.id, item]))
  const seen = new Set<string>()
  return named.map(({ transactionItemId, qty }, index) => {
    const item = byId.get(transactionItemId)
    const param = `lines[${index}].transactionItemId`
    if (!item) throw invalid(param, 'This item is not part of the sale: use the ids from its receipt')
    if (seen.has(item.id))
      throw invalid(param, 'This item is in the list twice: send it once with the total quantity')
    if (!item.isActive)
      throw invalid(param, 'This item was cancelled before the sale: nothing was paid for it')
    seen.add(item.id)
    const left = item.quantity - item.refundedQty
    if (qty > left) {
      throw invalid(
        `lines[${index}].qty`,
        `Only ${left} of ${item.quantity} can still be refunded on this item`,
      )
    }
    return refundedLine(item, qty)
  })
}

/** The part of the service charge in these lines, without the tax on it, and that tax. */
function serviceOfLines(lines: readonly RefundedLine[], { amount, tax }: RefundableSale['service']) {
  const withTax = sum(lines.map((line) => line.service))
  const service = withTax === 0 ? 0 : mulDivHalfUp(withTax, amount, amount + tax)
  return { service, tax: withTax - service }
}

/**
 * Lines return goods, tax and service charge, never the delivery fee, and no part beyond its remainder
 * (B-refund-5). What a part has no room for counts as another part.
 */
function splitOfLines(
  lines: readonly RefundedLine[],
  left: RefundSplit,
  charge: RefundableSale['service'],
): RefundSplit {
  const amount = Math.min(sum(lines.map((line) => line.value)), left.goods + left.tax + left.service)
  const wanted = serviceOfLines(lines, charge)
  const service = Math.min(wanted.service, left.service, amount)
  const wantedTax = sum(lines.map((line) => line.tax)) + wanted.tax
  const tax = Math.min(wantedTax, left.tax, amount - service)
  const goods = Math.min(amount - service - tax, left.goods)
  const rest = amount - service - tax - goods
  const moreTax = Math.min(rest, left.tax - tax)
  return { goods, tax: tax + moreTax, service: service + rest - moreTax, deliveryFee: 0 }
}

/**
 * The tax of a refund by rate: of lines the tax of their rates, of an amount in proportion to the remainder of each rate.
 * No rate gives back more than it took (B-refund-10).
 */
function taxesOf(sale: RefundableSale, tax: number, lines: readonly RefundedLine[] | null): RateTax[] | null {
  if (sale.taxes === null) return null
  const refunded = new Map(sale.refundedTaxes.map((group) => [group.rateBps, group.tax]))
  const left = sale.taxes.map((group) => group.tax - (refunded.get(group.rateBps) ?? 0))
  const wanted = lines === null ? left.map(() => 0) : taxOfLines(sale, sale.taxes, lines)
  let room = tax
  const first = wanted.map((amount, index) => {
    const taken = Math.min(amount, left[index] ?? 0, room)
    room -= taken
    return taken
  })
  const more = splitByWeight(
    room,
    left.map((amount, index) => amount - (first[index] ?? 0)),
  )
  return sale.taxes.map(({ rateBps }, index) => ({
    rateBps,
    tax: (first[index] ?? 0) + (more[index] ?? 0),
  }))
}

function taxOfLines(
  sale: RefundableSale,
  groups: readonly RateTax[],
  lines: readonly RefundedLine[],
): number[] {
  const rates = new Map(sale.items.map((item) => [item.id, item.taxRateBps ?? sale.taxRateBps]))
  const charge = serviceOfLines(lines, sale.service).tax
  return groups.map(
    ({ rateBps }) =>
      sum(lines.flatMap((line) => (rates.get(line.id) === rateBps ? [line.tax] : []))) +
      (rateBps === sale.taxRateBps ? charge : 0),
  )
}

function splitOfAmount(amount: number, left: RefundSplit): RefundSplit {
  const ceiling = left.goods + left.tax + left.service + left.deliveryFee
  if (amount > ceiling) throw invalid('amount', `At most ${ceiling} can still be refunded on this sale`)
  const [goods = 0, tax = 0, service = 0, deliveryFee = 0] = splitByWeight(amount, [
    left.goods,
    left.tax,
    left.service,
    left.deliveryFee,
  ])
  return { goods, tax, service, deliveryFee }
}

/**
 * Plans one refund (B-refund-1, B-refund-2). An empty body gives back everything left. `lines` alone give back their
 * value, capped at the remaining goods, tax and service charge. `amount` decides the money and is split in proportion
 * to the rest of each part; `lines` beside it decide stock and quantities. Any sequence of refunds ends exactly at
 * the total.
 * 409: not COMPLETED, fully refunded, or a sale of nothing. 422: `lines` empty, `lines[i].transactionItemId` foreign,
 * repeated or cancelled, `lines[i].qty` or `amount` above the remainder. An id that exists nowhere is
 * a 404 (B-ids-2), which the caller checks before it plans.
 */
export function planRefund(sale: RefundableSale, body: RefundBody): RefundPlan {
  const { refunded } = sale
  const refundedTotal = refunded.goods + refunded.tax + refunded.service + refunded.deliveryFee
  requireRefundable({ status: sale.status, total: sale.total, refundedTotal })
  const left = {
    goods: sale.total - sale.taxTotal - sale.service.amount - sale.deliveryFee - refunded.goods,
    tax: sale.taxTotal - refunded.tax,
    service: sale.service.amount - refunded.service,
    deliveryFee: sale.deliveryFee - refunded.deliveryFee,
  }
  assert(
    Math.min(left.goods, left.tax, left.service, left.deliveryFee) >= 0,
    'no part was refunded beyond its whole',
  )
  const isEmpty = body.lines === undefined && body.amount === undefined
  const lines = isEmpty ? everythingLeft(sale.items) : body.lines ? namedLines(sale, body.lines) : []
  const split = isEmpty
    ? left
    : body.amount === undefined
      ? splitOfLines(lines, left, sale.service)
      : splitOfAmount(body.amount, left)
  const amount = split.goods + split.tax + split.service + split.deliveryFee
  return {
    amount,
    split,
    taxes: taxesOf(sale, split.tax, body.amount === undefined ? lines : null),
    lines,
    restockLines: body.restock ? lines.map(({ id, qty }) => ({ id, qty })) : [],
  }
}

/** How refunded money leaves the till; STORE_CREDIT is a new card, GIFT_CARD the card that paid (B-refund-8). */
export type PayoutMethod = PaymentMethod | 'STORE_CREDIT'

/**
 * A PAID, applied payment of the sale; `refundedAmount` is its share of all earlier refunds, however paid out
 * (B-payment-10).
 */
export type RefundablePayment = {
  paymentId: string
  method: PaymentMethod
  amount: number
  refundedAmount: number
  /** The share of a voided card is paid out as cash (B-card-5). */
  cardVoided?: boolean
}

/**
 * `payouts` is the money that leaves (empty for a refund worth 0), `method` that of the largest one; `shares` is what
 * each payment's refundedAmount grows by, payments that bear nothing left out. Both add up to the amount.
 */
export type Payout = {
  method: PayoutMethod
  payouts: { method: PayoutMethod; amount: number; paymentId: string | null }[]
  shares: { paymentId: string; amount: number }[]
}

/**
 * Where refunded money goes (B-refund-8, B-payment-10, B-card-5): store credit takes it whole. Otherwise gift cards
 * that paid get their share back, by largest remainder over the amounts not returned yet. The rest is cash or the
 * optional `method`. `credit` is taken first. Rupiah; `amount` never exceeds the remainder of the payments.
 */
export function payoutOf(refund: {
  amount: number
  refundToStoreCredit: boolean
  method?: Exclude<PaymentMethod, 'GIFT_CARD' | 'CREDIT'>
  payments: readonly RefundablePayment[]
  /** What the refund takes of the credit that is still owed for the sale, by payment: no money leaves for it. */
  credit?: readonly { paymentId: string; amount: number }[]
}): Payout {
  const { credit = [] } = refund
  if (credit.length === 0) return moneyOf(refund)
  const creditOf = new Map(credit.map(({ paymentId, amount }) => [paymentId, amount]))
  const money = moneyOf({
    ...refund,
    amount: refund.amount - sum([...creditOf.values()]),
    payments: refund.payments.map((payment) => ({
      ...payment,
      refundedAmount: payment.refundedAmount + (creditOf.get(payment.paymentId) ?? 0),
    })),
  })
  const payouts = [
    ...credit.map(({ paymentId, amount }) => ({ method: 'CREDIT' as const, amount, paymentId })),
    ...money.payouts,
  ]
  const shareOf = new Map(money.shares.map(({ paymentId, amount }) => [paymentId, amount]))
  return {
    method: largestOf(payouts)?.method ?? money.method,
    payouts,
    shares: refund.payments.flatMap(({ paymentId }) => {
      const amount = (shareOf.get(paymentId) ?? 0) + (creditOf.get(paymentId) ?? 0)
      return amount === 0 ? [] : [{ paymentId, amount }]
    }),
  }
}

const largestOf = (payouts: Payout['payouts']) =>
  payouts.reduce<Payout['payouts'][number] | undefined>(
    (best, payout) => (best && best.amount >= payout.amount ? best : payout),
    undefined,
  )

/** Where the money of a refund goes. */
function moneyOf(refund: {
  amount: number
  refundToStoreCredit: boolean
  method?: Exclude<PaymentMethod, 'GIFT_CARD' | 'CREDIT'>
  payments: readonly RefundablePayment[]
}): Payout {
  const { amount, payments } = refund
  const left = payments.map((payment) => payment.amount - payment.refundedAmount)
  assert(amount <= sum(left), 'a refund never exceeds what its payments still hold')
  const parts = splitByWeight(amount, left)
  const shares = payments
    .map((payment, index) => ({ payment, amount: parts[index] ?? 0 }))
    .filter((share) => share.amount > 0)
  const rest: PayoutMethod = refund.refundToStoreCredit ? 'STORE_CREDIT' : (refund.method ?? 'CASH')
  const toCards = shares
    .filter(({ payment }) => rest !== 'STORE_CREDIT' && payment.method === 'GIFT_CARD' && !payment.cardVoided)
    .map((share) => ({
      method: share.payment.method,
      amount: share.amount,
      paymentId: share.payment.paymentId,
    }))
  const restAmount = amount - sum(toCards.map((payout) => payout.amount))
  const payouts: Payout['payouts'] = [...toCards]
  if (restAmount > 0) payouts.push({ method: rest, amount: restAmount, paymentId: null })
  return {
    method: largestOf(payouts)?.method ?? rest,
    payouts,
    shares: shares.map((share) => ({ paymentId: share.payment.paymentId, amount: share.amount })),
  }
}
