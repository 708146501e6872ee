import type { CartTotals } from '../../selling/cart-totals.ts'
import { takeTender } from '../../selling/tender.ts'
import type { PanelProps } from './panel-props.ts'

/** Takes cash for the whole sale: the amount handed over, or exactly the amount due after rounding. */
export function payCash(
  pay: PanelProps['checkout']['pay'],
  totals: CartTotals,
  received: number | null = null,
) {
  const { due, cashRounding } = totals
  const step = takeTender({ due, cashRounding, taken: [], method: 'CASH', received })
  if (step.kind === 'complete') pay(step.tenders, step.change)
}
