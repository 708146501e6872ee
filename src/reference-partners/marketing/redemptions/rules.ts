import { mul } from '../../../core/money.ts'
import type { Valued } from '../discounts/rules.ts'
import type { Valuation, Wanted } from './schema.ts'

type Balance = {
  /** Points of the customer that other sales have used, or are about to. */
  spent: number
  pointValue: number
}

/** What points take off what the code leaves: never more than that, and then no more points than needed. */
function pointsOf({ points: asked = null, customer }: Wanted, left: number, { spent, pointValue }: Balance) {
  if (asked === null || asked === 0) return null
  const none = (reason: string) => ({ asked, used: 0, amount: 0, reason })
  if (!customer) return none('NO_CUSTOMER')
  if (asked > customer.pointsBalance - spent) return none('NOT_ENOUGH_POINTS')
  const used = Math.min(asked, Math.floor(left / pointValue))
  return { asked, used, amount: mul(used, pointValue), reason: null }
}

/** A code and points together; `discount` is what the code alone is worth, null where none was named. */
export function valuationOf(wanted: Wanted, discount: Valued | null, balance: Balance): Valuation {
  const off = discount?.amount ?? 0
  const points = pointsOf(wanted, wanted.subtotal - off, balance)
  return {
    promoDiscount: off + (points?.amount ?? 0),
    discount: discount && { code: wanted.discountCode ?? '', ...discount },
    points,
  }
}
