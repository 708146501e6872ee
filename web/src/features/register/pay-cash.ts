import type { CartTotals } from '../../selling/cart-totals.ts'
import { takeTender } from '../../selling/tender.ts'
import type { PanelProps } from './panel-props.ts'

/** Takes cash for the whole sale: what was handed over, or exactly what is due after rounding. */
export function payCash(
  pay: PanelProps['checkout']['pay'],
  totals: CartTotals,
  received: number | null = null,
) {
  const { due, cashRounding } = totals
  const step = takeTender({ due, cashRounding, taken: [], method: 'CASH', received })
  if (step.kind === 'complete') pay(step.tenders, step.change)
}
