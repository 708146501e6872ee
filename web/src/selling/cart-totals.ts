import { mul, mulDivHalfUp, sum, type TaxRule, type Totals, totalsOf } from '../core.ts'
import type { Cart, CartLine, Discount } from './cart.ts'

const WHOLE_BPS = 10_000

/** What a line costs before any discount. */
export const grossOf = ({
  quantity,
  unitPrice,
  modifiers,
}: Pick<CartLine, 'quantity' | 'unitPrice' | 'modifiers'>) =>
  mul(quantity, unitPrice + sum(modifiers.map(({ price }) => price)))

/** The rupiah that a discount takes off an amount, never more than the amount. */
export function discountOf(discount: Discount | null, amount: number): number {
  if (discount === null) return 0
  if (discount.kind === 'percent') return mulDivHalfUp(amount, Math.min(discount.bps, WHOLE_BPS), WHOLE_BPS)
  return Math.min(discount.value, amount)
}

export const lineDiscountOf = (line: CartLine) => discountOf(line.discount, grossOf(line))

export type CartTotals = Totals & {
  /** After what an open bill has already been paid. */
  due: number
}

/** The totals by the rule of the service, so that the cashier sees what will be charged. */
export function cartTotals(cart: Cart, { taxRateBps, taxInclusive }: TaxRule): CartTotals {
  const items = cart.lines.map((line) => ({
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    modifiers: line.modifiers,
    discount: lineDiscountOf(line),
  }))
  const subtotal = sum(cart.lines.map((line) => grossOf(line) - lineDiscountOf(line)))
  const totals = totalsOf({
    items,
    orderDiscount: discountOf(cart.orderDiscount, subtotal),
    deliveryFee: 0,
    taxRateBps,
    taxInclusive,
  })
  return { ...totals, due: totals.total - (cart.bill?.paid ?? 0) }
}
