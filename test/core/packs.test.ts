import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceOfPack, unitCostsOf, unitsOf } from '../../src/core/packs.ts'
import { totalsOf } from '../../src/core/sale-totals.ts'

const factor = fc.integer({ min: 2, max: 100_000 })

test('a pack without a price costs its units, and a pack with a price costs that', () => {
  expect(priceOfPack({ price: 1_500, soldBy: 'UNIT' }, { factor: 10, price: null })).toBe(15_000)
  expect(priceOfPack({ price: 1_500, soldBy: 'UNIT' }, { factor: 10, price: 12_000 })).toBe(12_000)
  expect(priceOfPack({ price: 1_500, soldBy: 'UNIT' }, null)).toBe(1_500)
  expect(unitsOf(3, { factor: 50 })).toBe(150)
  expect(unitsOf(3, null)).toBe(3)
})

test('packs at the price of their units cost what the loose units cost', () => {
  fc.assert(
    fc.property(
      factor,
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 0, max: 100_000 }),
      (factor, quantity, price) => {
        const unitPrice = priceOfPack({ price, soldBy: 'UNIT' }, { factor, price: null })
        const bare = { modifiers: [], discount: 0 }
        const terms = { taxRateBps: 1_100, taxInclusive: false, orderDiscount: 0, deliveryFee: 0 }
        const packs = totalsOf({ ...terms, items: [{ ...bare, quantity, unitPrice }] })
        const loose = totalsOf({
          ...terms,
          items: [{ ...bare, quantity: unitsOf(quantity, { factor }), unitPrice: price }],
        })
        expect(packs.total).toBe(loose.total)
      },
    ),
  )
})

test('the unit costs of a delivery make its money exactly, and differ by one rupiah at most', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000_000_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (money, units) => {
        const parts = unitCostsOf(money, units)
        expect(parts.length).toBeLessThanOrEqual(2)
        expect(parts.reduce((sum, { qty }) => sum + qty, 0)).toBe(units)
        expect(parts.reduce((sum, { qty, cost }) => sum + BigInt(qty) * BigInt(cost), 0n)).toBe(BigInt(money))
        const [first, second] = parts
        if (first && second) expect(second.cost).toBe(first.cost + 1)
      },
    ),
  )
})
