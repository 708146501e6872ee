import fc from 'fast-check'
import { expect, test } from 'vitest'
import { weightedAverage } from '../../../../src/areas/stock/inventory/rules/cost.ts'

test.each([
  [10, 1_000, 10, 2_000, 1_500],
  [3, 1_000, 1, 1_001, 1_000],
  [1, 1_000, 1, 1_001, 1_001],
  [0, 1_000, 5, 2_000, 2_000],
  [-7, 1_000, 5, 2_000, 2_000],
  [5, 0, 5, 1_001, 501],
  [1_000_000_000, 1_000_000_000, 1_000_000_000, 0, 500_000_000],
])('%d on hand at %d and %d received at %d cost %d each', (onHand, cost, qty, receivedCost, expected) => {
  expect(weightedAverage({ onHand, cost, received: [{ qty, cost: receivedCost }] })).toBe(expected)
})

test('an average lies between the two costs', () => {
  const money = fc.integer({ min: 0, max: 1_000_000_000 })
  const units = fc.integer({ min: 1, max: 1_000_000_000 })
  fc.assert(
    fc.property(units, money, units, money, (onHand, cost, qty, receivedCost) => {
      const average = weightedAverage({ onHand, cost, received: [{ qty, cost: receivedCost }] })
      expect(average).toBeGreaterThanOrEqual(Math.min(cost, receivedCost))
      expect(average).toBeLessThanOrEqual(Math.max(cost, receivedCost))
    }),
  )
})

test('several rows of one receipt are averaged together and rounded once', () => {
  const received = [
    { qty: 5, cost: 100 },
    { qty: 5, cost: 201 },
  ]
  expect(weightedAverage({ onHand: 10, cost: 300, received })).toBe(225)
  expect(weightedAverage({ onHand: -10, cost: 300, received })).toBe(151)
})
