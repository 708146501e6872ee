import { mul } from 'kasir/partner-tools'
import type { DiscountValue } from '../discounts/rules.ts'
import type { RedemptionRequest, Valuation } from './schema.ts'

type Balance = {
  /** Points of the customer that other sales have used, or are about to, and that their balance still holds. */
  spent: number
  pointValue: number
}

/** Returns the discount of the points on the amount after the code. It uses no more points than needed. */
function pointsOf(
  { points: asked = null, customer }: RedemptionRequest,
  left: number,
  { spent, pointValue }: Balance,
) {
  if (asked === null || asked === 0) return null
  const none = (reason: string) => ({ asked, used: 0, amount: 0, reason })
  if (!customer) return none('NO_CUSTOMER')
  if (asked > customer.pointsBalance - spent) return none('NOT_ENOUGH_POINTS')
  const used = Math.min(asked, Math.floor(left / pointValue))
  return { asked, used, amount: mul(used, pointValue), reason: null }
}

/** A code and points together; `discount` is the discount of the code alone, null without a code. */
export function valuationOf(
  wanted: RedemptionRequest,
  discount: DiscountValue | null,
  balance: Balance,
): Valuation {
  const off = discount?.amount ?? 0
  const points = pointsOf(wanted, wanted.subtotal - off, balance)
  return {
    promoDiscount: off + (points?.amount ?? 0),
    discount: discount && { code: wanted.discountCode ?? '', ...discount },
    points,
  }
}
