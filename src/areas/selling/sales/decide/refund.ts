import { roundCash } from '../../../../core/cash-rounding.ts'
import { conflict } from '../../../../core/errors.ts'
import { sum } from '../../../../core/money.ts'
import { eligibleOf } from '../../../../core/sale-totals.ts'
import { emptyToNull } from '../../../../core/text.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { pointsGivenBack } from '../rules/loyalty.ts'
import type { Payout, RateTax, RefundPlan } from '../rules/refundable.ts'
import { refundedTotalOf } from '../sale/facts.ts'
import type { Payment, Refund, Sale } from '../sale/types.ts'
import { MAX_REFUNDS, type RefundIn } from '../schema.ts'
import { changeStored, type DecidedChange } from './change.ts'
import { refundEvent } from './events.ts'

/** The tax that earlier refunds gave back, by rate. */
function refundedTaxesOf({ refunds }: Pick<Sale, 'refunds'>): RateTax[] {
  const byRate = new Map<number, number>()
  for (const { rateBps, tax } of refunds.flatMap(({ taxes }) => taxes ?? [])) {
    byRate.set(rateBps, (byRate.get(rateBps) ?? 0) + tax)
  }
  return [...byRate].map(([rateBps, tax]) => ({ rateBps, tax }))
}

/** What a refund is planned from. */
export const refundable = (sale: Sale) => ({
  status: sale.status,
  total: sale.total,
  taxRateBps: sale.taxRateBps,
  taxTotal: sale.taxTotal,
  taxes: sale.taxes,
  service: { amount: sale.serviceChargeAmount ?? 0, tax: sale.serviceChargeTax ?? 0 },
  deliveryFee: sale.deliveryFee,
  refunded: {
    goods: sale.refundedGoods,
    tax: sale.refundedTax,
    service: sale.refundedService,
    deliveryFee: sale.refundedDeliveryFee,
  },
  refundedTaxes: refundedTaxesOf(sale),
  items: sale.items,
})

/** 409 unless the sale has room for a further refund, or this one takes everything that is left (B-refund-11). */
export function requireRoomForRefund(sale: Sale, plan: RefundPlan) {
  if (sale.refunds.length + 1 < MAX_REFUNDS || takesAll(sale, plan)) return
  throw conflict(
    `A sale can have at most ${MAX_REFUNDS} refunds, and this is the last one: refund everything that is left`,
  )
}

const takesAll = (sale: Sale, plan: RefundPlan) => refundedTotalOf(sale) + plan.amount === sale.total

/** The points that this refund returns, of those that were redeemed with the sale. */
export function pointsReturned(sale: Sale, plan: RefundPlan, redeemed: number): number {
  const eligible = eligibleOf(sale)
  const before = { eligible, goodsRefunded: sale.refundedGoods, isFull: false }
  const after = {
    eligible,
    goodsRefunded: sale.refundedGoods + plan.split.goods,
    isFull: takesAll(sale, plan),
  }
  return pointsGivenBack(redeemed, after) - pointsGivenBack(redeemed, before)
}

export type RefundParts = {
  plan: RefundPlan
  payout: Payout
  cards: ReadonlyMap<string, string>
  refundId: string
  shiftId: string | null
  giftCard: { id: string } | null
  body: RefundIn
  approvedBy: string | null
}

/** What the cash that is paid out differs from the cash in the payout (B-rounding-4). */
function cashRoundingOf({ cashRounding }: Pick<Sale, 'cashRounding'>, { payouts }: Payout): number {
  const cash = sum(payouts.flatMap(({ method, amount }) => (method === 'CASH' ? [amount] : [])))
  return cashRounding === null ? 0 : roundCash(cash, cashRounding) - cash
}

const recordOf = (
  scope: Scope,
  sale: Sale,
  { plan, payout, cards, refundId, shiftId, giftCard, body, approvedBy }: RefundParts,
): Refund => ({
  id: refundId,
  saleId: sale.id,
  kind: 'REFUND',
  amount: plan.amount,
  goods: plan.split.goods,
  tax: plan.split.tax,
  service: plan.split.service,
  deliveryFee: plan.split.deliveryFee,
  rounding: cashRoundingOf(sale, payout),
  taxes: plan.taxes,
  method: payout.method,
  restock: body.restock ?? false,
  giftCardId: giftCard?.id ?? null,
  reason: emptyToNull(body.reason),
  shiftId,
  actorId: scope.actor.id,
  approvedBy,
  createdAt: scope.now,
  updatedAt: scope.now,
  lines: plan.lines.map((line) => ({
    refundId,
    saleId: sale.id,
    itemId: line.id,
    qty: line.qty,
    amount: line.value,
    tax: line.tax,
    service: line.service,
  })),
  tenders: payout.payouts.map(({ method, amount, paymentId }, position) => ({
    refundId,
    position,
    method,
    amount,
    paymentId,
    giftCardId:
      method === 'STORE_CREDIT' ? (giftCard?.id ?? null) : ((paymentId && cards.get(paymentId)) ?? null),
  })),
})

function refunded(
  scope: Scope,
  before: Sale,
  { plan, payout, refund }: Pick<RefundParts, 'plan' | 'payout'> & { refund: Refund },
): Sale {
  const lines = new Map(plan.lines.map((line) => [line.id, line]))
  const shares = new Map(payout.shares.map((share) => [share.paymentId, share.amount]))
  const items = before.items.map((item) => {
    const line = lines.get(item.id)
    if (!line) return item
    return {
      ...item,
      refundedQty: item.refundedQty + line.qty,
      refundedValue: item.refundedValue + line.value,
      refundedTax: item.refundedTax + line.tax,
      updatedAt: scope.now,
    }
  })
  const payments = before.payments.map((payment): Payment => {
    const share = shares.get(payment.id)
    return share === undefined
      ? payment
      : { ...payment, refundedAmount: payment.refundedAmount + share, updatedAt: scope.now }
  })
  return {
    ...before,
    items,
    payments,
    refunds: [...before.refunds, refund],
    refundedGoods: before.refundedGoods + plan.split.goods,
    refundedTax: before.refundedTax + plan.split.tax,
    refundedService: before.refundedService + plan.split.service,
    refundedDeliveryFee: before.refundedDeliveryFee + plan.split.deliveryFee,
    version: before.version + 1,
    updatedAt: scope.now,
  }
}

/** A refund; `taken` is the sale with its goods returned. */
export function decideRefund(scope: Scope, taken: Sale, before: Sale, parts: RefundParts): DecidedChange {
  const refund = recordOf(scope, before, parts)
  const after = refunded(scope, taken, { ...parts, refund })
  return changeStored(scope, { before, after }, (sale) => [refundEvent(scope, sale, refund)])
}
