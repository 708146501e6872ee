import { assert } from '../../../../core/assert.ts'
import { weightedMeanHalfUp } from '../../../../core/money.ts'

/** Units that came in, at what one of them cost: `qty` > 0, `cost` in rupiah. */
export type Received = { qty: number; cost: number }

/**
 * Unit cost after goods came in: the average of what is on hand and everything received, weighted by units, rounded
 * once, half up (B-batch-6); rupiah per unit. `onHand` is the workspace's total over outlets (B-batch-6); at or below
 * zero there is nothing to average with, so what was received stands alone. Also merges deliveries into a batch of the
 * same number (B-batch-1).
 */
export function weightedAverage(stock: {
  onHand: number
  cost: number
  received: readonly Received[]
}): number {
  assert(
    stock.received.length > 0 && stock.received.every(({ qty }) => qty > 0),
    'a receipt brings at least one unit',
  )
  const parts = stock.received.map(({ qty, cost }) => ({ value: cost, weight: qty }))
  if (stock.onHand > 0) parts.push({ value: stock.cost, weight: stock.onHand })
  return weightedMeanHalfUp(parts)
}
