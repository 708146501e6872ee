import { assert } from '../../../core/assert.ts'
import { weightedMeanHalfUp } from '../../../core/money.ts'

/**
 * Unit cost after `qty` (> 0) units came in at `receivedCost`: the average weighted by what is on hand, half up
 * (contract 10.6); rupiah per unit. `onHand` is the workspace's total over outlets (26.10); at or below zero there is
 * nothing to average with, so the received cost stands. Also merges a delivery into a batch of the same number (8.5).
 */
export function weightedAverage(stock: {
  onHand: number
  cost: number
  qty: number
  receivedCost: number
}): number {
  assert(stock.qty > 0, 'a receipt brings at least one unit')
  if (stock.onHand <= 0) return stock.receivedCost
  return weightedMeanHalfUp([
    { value: stock.cost, weight: stock.onHand },
    { value: stock.receivedCost, weight: stock.qty },
  ])
}
