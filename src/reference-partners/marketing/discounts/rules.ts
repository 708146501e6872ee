import { mulDivFloor } from '../../../core/money.ts'
import type { Discount } from './schema.ts'

/** Codes are compared in capitals. */
export const codeKeyOf = (code: string): string => code.toUpperCase()

export type Reason = 'UNKNOWN_CODE' | 'INACTIVE' | 'NOT_STARTED' | 'ENDED' | 'BELOW_MINIMUM' | 'USED_UP'

export type Valued = { amount: number; reason: Reason | null }

const none = (reason: Reason): Valued => ({ amount: 0, reason })

/** What a code takes off goods of `subtotal` rupiah: at most that. `isCounted`: the sale is among its uses already. */
export function valueOf(
  discount: Discount | undefined,
  { subtotal, now, isCounted }: { subtotal: number; now: string; isCounted: boolean },
): Valued {
  if (!discount) return none('UNKNOWN_CODE')
  const { kind, value, maxUses, maxDiscount } = discount
  if (!discount.isActive) return none('INACTIVE')
  if (discount.startsAt !== null && now < discount.startsAt) return none('NOT_STARTED')
  if (discount.endsAt !== null && now >= discount.endsAt) return none('ENDED')
  if (subtotal < discount.minSubtotal) return none('BELOW_MINIMUM')
  if (maxUses !== null && !isCounted && discount.uses >= maxUses) return none('USED_UP')
  const whole = kind === 'percent' ? mulDivFloor(subtotal, value, 100) : value
  return { amount: Math.min(whole, maxDiscount ?? whole, subtotal), reason: null }
}
