import { mulDivFloor } from 'kasir/partner-tools'
import type { Discount } from './schema.ts'

/** Codes are compared in upper case. */
export const codeKeyOf = (code: string): string => code.toUpperCase()

export type Reason = 'UNKNOWN_CODE' | 'INACTIVE' | 'NOT_STARTED' | 'ENDED' | 'BELOW_MINIMUM' | 'USED_UP'

export type DiscountValue = { amount: number; reason: Reason | null }

const noDiscount = (reason: Reason): DiscountValue => ({ amount: 0, reason })

/** What a code takes off goods of `subtotal` rupiah: at most that. `isCounted`: the sale is among its uses already. */
export function valueOf(
  discount: Discount | undefined,
  { subtotal, now, isCounted }: { subtotal: number; now: string; isCounted: boolean },
): DiscountValue {
  if (!discount) return noDiscount('UNKNOWN_CODE')
  const { kind, value, maxUses, maxDiscount } = discount
  if (!discount.isActive) return noDiscount('INACTIVE')
  if (discount.startsAt !== null && now < discount.startsAt) return noDiscount('NOT_STARTED')
  if (discount.endsAt !== null && now >= discount.endsAt) return noDiscount('ENDED')
  if (subtotal < discount.minSubtotal) return noDiscount('BELOW_MINIMUM')
  if (maxUses !== null && !isCounted && discount.uses >= maxUses) return noDiscount('USED_UP')
  const whole = kind === 'percent' ? mulDivFloor(subtotal, value, 100) : value
  return { amount: Math.min(whole, maxDiscount ?? whole, subtotal), reason: null }
}
