import { assert } from '../../../../core/assert.ts'
import { weightedMeanHalfUp } from '../../../../core/money.ts'

/** Received units: `qty` > 0, `cost` in rupiah per unit. */
export type ReceivedUnits = { qty: number; cost: number }

/**
 * Returns the unit cost in rupiah after a receipt: the average of the units on hand and the received units, weighted
 * by units (B-batch-6). Rounds once, half up. `onHand` is the total of all outlets. If it is zero or less, only the
 * received units count. Deliveries that join an existing batch use the same average (B-batch-1).
 */
export function weightedAverage(stock: {
  onHand: number
  cost: number
  received: readonly ReceivedUnits[]
}): number {
  assert(
    stock.received.length > 0 && stock.received.every(({ qty }) => qty > 0),
    'a receipt brings at least one unit',
  )
  const parts = stock.received.map(({ qty, cost }) => ({ value: cost, weight: qty }))
  if (stock.onHand > 0) parts.push({ value: stock.cost, weight: stock.onHand })
  return weightedMeanHalfUp(parts)
}
