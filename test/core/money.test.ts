import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  MAX_SALE_TOTAL,
  mul,
  mulDivFloor,
  mulDivHalfUp,
  splitByWeight,
  sum,
  weightedMeanHalfUp,
} from '../../src/core/money.ts'
import { taxOf } from '../../src/core/tax.ts'

const rupiah = fc.integer({ min: 0, max: MAX_SALE_TOTAL })
const bps = fc.integer({ min: 0, max: 10_000 })

describe('rounding', () => {
  test.each([
    [1, 1, 2, 1],
    [1, 1, 3, 0],
    [2, 1, 3, 1],
    [5, 1, 10, 1],
    [4, 1, 10, 0],
    [0, 7, 3, 0],
    [35_000, 1_100, 10_000, 3_850],
    [35_000, 10_000, 11_100, 31_532],
    [1_000_000_000_000, 10_000, 10_000, 1_000_000_000_000],
    [999_999_999_999, 9_999, 10_000, 999_899_999_999],
  ])('%d x %d / %d is %d half up', (a, b, c, expected) => {
    expect(mulDivHalfUp(a, b, c)).toBe(expected)
  })

  test.each([
    [1, 1, 2, 0],
    [10, 2, 3, 6],
    [10, 3, 3, 10],
    [999_999_999_999, 9_999, 10_000, 999_899_999_999],
    [1_000_000_000_000, 100_000, 100_000, 1_000_000_000_000],
  ])('%d x %d / %d is %d rounded down', (a, b, c, expected) => {
    expect(mulDivFloor(a, b, c)).toBe(expected)
  })

  test('half up lies within half a rupiah of the exact quotient, never below it at the half', () => {
    fc.assert(
      fc.property(rupiah, bps, fc.integer({ min: 1, max: 20_000 }), (a, b, c) => {
        // What leaves the exact integers is a fault of the caller and asserted elsewhere.
        fc.pre(BigInt(a) * BigInt(b) < BigInt(Number.MAX_SAFE_INTEGER) * BigInt(c))
        const doubled = 2n * (BigInt(mulDivHalfUp(a, b, c)) * BigInt(c) - BigInt(a) * BigInt(b))
        expect(doubled > -BigInt(c) && doubled <= BigInt(c)).toBe(true)
      }),
    )
  })

  test.each([
    [
      [
        [100, 1],
        [101, 1],
      ],
      101,
    ],
    [
      [
        [100, 2],
        [101, 1],
      ],
      100,
    ],
    [
      [
        [5, 0],
        [9, 4],
      ],
      9,
    ],
    [
      [
        [1_000_000_000, 9_000_000_000],
        [0, 9_000_000_000],
      ],
      500_000_000,
    ],
  ])('the weighted mean of %j is %d', (pairs, expected) => {
    expect(weightedMeanHalfUp(pairs.map(([value = 0, weight = 0]) => ({ value, weight })))).toBe(expected)
  })

  test('numbers that are no exact integers are refused as faults, never rounded silently', () => {
    expect(() => mulDivHalfUp(0.5, 1, 1)).toThrow('safe integer')
    expect(() => mul(Number.MAX_SAFE_INTEGER, 2)).toThrow('safe integer')
    expect(() => sum([Number.MAX_SAFE_INTEGER, 1])).toThrow('safe integer')
    expect(() => mulDivFloor(1, 1, 0)).toThrow('c > 0')
    expect(() => mulDivHalfUp(-1, 1, 1)).toThrow('>= 0')
  })
})

describe('splitting by weight', () => {
  test.each([
    [2_500, [30_000, 7_500], [2_000, 500]],
    [100, [1, 1, 1], [34, 33, 33]],
    [2, [1, 1, 1], [1, 1, 0]],
    [10, [0, 3, 0, 3], [0, 5, 0, 5]],
    [1, [1, 2], [0, 1]],
    [0, [0, 0], [0, 0]],
    [0, [5, 5], [0, 0]],
    [0, [], []],
    [7, [7], [7]],
    [1_000_000_000_000, [999_999_999_999, 1], [999_999_999_999, 1]],
  ])('%d over %j is %j', (total, weights, expected) => {
    expect(splitByWeight(total, weights)).toEqual(expected)
  })

  test('parts add up to the whole, zero weights get nothing, and no part leaves its exact share by a rupiah', () => {
    fc.assert(
      fc.property(rupiah, fc.array(rupiah, { minLength: 1, maxLength: 30 }), (total, weights) => {
        fc.pre(weights.some((weight) => weight > 0))
        const parts = splitByWeight(total, weights)
        const weightSum = weights.reduce((a, b) => a + BigInt(b), 0n)
        expect(parts.reduce((a, b) => a + b, 0)).toBe(total)
        weights.forEach((weight, index) => {
          const part = parts[index] ?? -1
          const floor = Number((BigInt(total) * BigInt(weight)) / weightSum)
          expect(part === floor || part === floor + 1).toBe(true)
          if (weight === 0) expect(part).toBe(0)
        })
      }),
    )
  })

  test('no part exceeds its weight while the total does not exceed the weights', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1 }), fc.nat(), (weights, seed) => {
        const weightSum = weights.reduce((a, b) => a + b, 0)
        const parts = splitByWeight(seed % (weightSum + 1), weights)
        expect(parts.every((part, index) => part <= (weights[index] ?? 0))).toBe(true)
      }),
    )
  })

  test('an amount without any weight to carry it is a fault', () => {
    expect(() => splitByWeight(1, [0, 0])).toThrow('weight above zero')
    expect(() => splitByWeight(-1, [1])).toThrow('not negative')
  })
})

describe('tax', () => {
  test.each([
    [35_000, 1_100, false, { netOfTax: 35_000, tax: 3_850, gross: 38_850 }],
    [35_000, 1_100, true, { netOfTax: 31_532, tax: 3_468, gross: 35_000 }],
    [35_000, 0, false, { netOfTax: 35_000, tax: 0, gross: 35_000 }],
    [35_000, 0, true, { netOfTax: 35_000, tax: 0, gross: 35_000 }],
    [0, 1_100, false, { netOfTax: 0, tax: 0, gross: 0 }],
    [50, 1_000, false, { netOfTax: 50, tax: 5, gross: 55 }],
    [45, 1_000, false, { netOfTax: 45, tax: 5, gross: 50 }],
    [44, 1_000, false, { netOfTax: 44, tax: 4, gross: 48 }],
    [10, 10_000, false, { netOfTax: 10, tax: 10, gross: 20 }],
    [11, 10_000, true, { netOfTax: 6, tax: 5, gross: 11 }],
    [
      1_000_000_000_000,
      1_100,
      true,
      { netOfTax: 900_900_900_901, tax: 99_099_099_099, gross: 1_000_000_000_000 },
    ],
  ])('%d at %d basis points, inclusive %s', (base, taxRateBps, taxInclusive, expected) => {
    expect(taxOf(base, { taxRateBps, taxInclusive })).toEqual(expected)
  })

  test('net and tax always make the gross, and an inclusive price never moves', () => {
    fc.assert(
      fc.property(rupiah, bps, fc.boolean(), (base, taxRateBps, taxInclusive) => {
        const { netOfTax, tax, gross } = taxOf(base, { taxRateBps, taxInclusive })
        expect(netOfTax + tax).toBe(gross)
        expect(taxInclusive ? gross : netOfTax).toBe(base)
        expect(tax).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
