import {
  type CashRounding,
  itemGross,
  mulDivHalfUp,
  type OutletService,
  roundCash,
  serviceTermsOf,
  sum,
  type TaxRule,
  type Totals,
  totalsOf,
} from '../core.ts'
import type { Cart, CartLine, Discount } from './cart.ts'
import { type CartPromotions, cartPromotions, type PromotionShop } from './cart-promotions.ts'

const WHOLE_BPS = 10_000

/** What a line costs before any discount, by the rule of the service: goods sold by weight cost by the kilogram. */
export const grossOf = (
  line: Pick<CartLine, 'quantity' | 'unitPrice' | 'modifiers' | 'soldBy' | 'pack' | 'labelPrice'>,
) => itemGross(line)

/** The rupiah that a discount takes off an amount, never more than the amount. */
export function discountOf(discount: Discount | null, amount: number): number {
  if (discount === null) return 0
  if (discount.kind === 'percent') return mulDivHalfUp(amount, Math.min(discount.bps, WHOLE_BPS), WHOLE_BPS)
  return Math.min(discount.value, amount)
}

export const lineDiscountOf = (line: CartLine) => discountOf(line.discount, grossOf(line))

/** The fields of an outlet that decide what a sale costs. */
export type MoneyTerms = TaxRule & OutletService & { cashRounding: CashRounding }

export type CartTotals = Totals &
  Pick<CartPromotions, 'promotions' | 'parts'> & {
    /** The amount due after the payments of an open bill. */
    due: number
    /** How the outlet rounds the cash that completes a sale (B-rounding-2). */
    cashRounding: CashRounding
  }

const NO_PROMOTIONS: PromotionShop = {
  promotions: [],
  outletId: '',
  timezone: 'UTC',
  now: '',
  categoryOf: () => null,
}

/** The totals by the rule of the service, so that the cashier sees the amount that will be charged. */
export function cartTotals(cart: Cart, terms: MoneyTerms, shop: PromotionShop = NO_PROMOTIONS): CartTotals {
  const { taxRateBps, taxInclusive, cashRounding } = terms
  const { bill } = cart
  const netOf = (line: CartLine) => grossOf(line) - lineDiscountOf(line)
  const { promotions, shares, parts } = cartPromotions(cart, netOf, shop)
  const subtotal = sum(cart.lines.map(netOf)) - sum(shares)
  const totals = totalsOf({
    items: cart.lines.map((line, place) => ({
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      modifiers: line.modifiers,
      soldBy: line.soldBy ?? null,
      pack: line.pack ?? null,
      labelPrice: line.labelPrice ?? null,
      discount: lineDiscountOf(line),
      promotionShare: shares[place] ?? 0,
      taxRateBps: line.taxRateBps ?? null,
    })),
    orderDiscount: discountOf(cart.orderDiscount, subtotal),
    promoDiscount: bill?.promoDiscount ?? 0,
    deliveryFee: bill?.deliveryFee ?? 0,
    service: serviceTermsOf(terms, { orderType: cart.orderType, isWaived: bill?.isServiceWaived ?? false }),
    taxRateBps,
    taxInclusive,
  })
  return { ...totals, promotions, parts, due: totals.total - (bill?.paid ?? 0), cashRounding }
}

/** The cash that settles the remaining amount, rounded by the rule of the outlet; 0 if more was paid than is due. */
export const cashDueOf = (remaining: number, { cashRounding }: Pick<CartTotals, 'cashRounding'>) =>
  roundCash(Math.max(0, remaining), cashRounding)
