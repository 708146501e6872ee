import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointsToReverse } from '../../../../src/areas/selling/sales/rules/loyalty.ts'
import { pointsFor } from '../../../../src/core/points.ts'

describe('loyalty points', () => {
  test.each([
    [35_000, 10_000, 3],
    [31_532, 10_000, 3],
    [9_999, 10_000, 0],
    [10_000, 10_000, 1],
    [0, 10_000, 0],
    [35_000, 0, 0],
  ])('%d rupiah at %d per point earn %d', (eligible, rupiahPerPoint, points) => {
    expect(pointsFor(eligible, rupiahPerPoint)).toBe(points)
  })

  test.each([
    ['a small refund that keeps the points', 35_000, 5_000, 3, 0, 0],
    ['one rupiah more costs a point', 35_000, 5_001, 3, 0, 1],
    ['everything back', 35_000, 35_000, 3, 0, 3],
    ['what was reversed before is not reversed again', 35_000, 15_001, 3, 1, 1],
    ['no customer, nothing earned', 35_000, 35_000, 0, 0, 0],
  ])('%s', (_case, eligible, goodsRefunded, earned, alreadyReversed, points) => {
    expect(
      pointsToReverse({ eligible, rupiahPerPoint: 10_000, goodsRefunded, earned, alreadyReversed }),
    ).toBe(points)
  })

  test('after any refunds the points kept are those of the goods kept', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 6 })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        steps,
        (eligible, per, refunds) => {
          const earned = Math.floor(eligible / per)
          let goodsRefunded = 0
          let alreadyReversed = 0
          for (const refund of refunds) {
            goodsRefunded = Math.min(eligible, goodsRefunded + refund)
            alreadyReversed += pointsToReverse({
              eligible,
              rupiahPerPoint: per,
              goodsRefunded,
              earned,
              alreadyReversed,
            })
            expect(earned - alreadyReversed).toBe(Math.floor((eligible - goodsRefunded) / per))
          }
        },
      ),
    )
  })
})
