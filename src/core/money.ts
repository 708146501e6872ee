import { assert } from './assert.ts'

/** The largest total of a sale, in rupiah: every figure derived from it stays an exact integer (B-money-1). */
export const MAX_SALE_TOTAL = 1_000_000_000_000

// Products such as 10^12 rupiah x 10^4 basis points exceed the safe range, so they are computed as BigInt.
function exact(value: number): bigint {
  assert(Number.isSafeInteger(value), `${value} is a safe integer`)
  return BigInt(value)
}

function toSafeNumber(value: bigint): number {
  const result = Number(value)
  assert(Number.isSafeInteger(result), `${value} fits a safe integer`)
  return result
}

/** a × b, exact, for integers; throws if the product is not a safe integer. */
export const mul = (a: number, b: number): number => toSafeNumber(exact(a) * exact(b))

/** a × b / c rounded down; a, b ≥ 0 and c > 0, integers. */
export function mulDivFloor(a: number, b: number, c: number): number {
  assert(a >= 0 && b >= 0 && c > 0, 'mulDivFloor takes a, b >= 0 and c > 0')
  return toSafeNumber((exact(a) * exact(b)) / exact(c))
}

/** a × b / c rounded half up, the one rounding of money in the service (B-money-5); a, b ≥ 0 and c > 0, integers. */
export function mulDivHalfUp(a: number, b: number, c: number): number {
  assert(a >= 0 && b >= 0 && c > 0, 'mulDivHalfUp takes a, b >= 0 and c > 0')
  const divisor = exact(c)
  return toSafeNumber((2n * exact(a) * exact(b) + divisor) / (2n * divisor))
}

/** Weighted mean, rounded half up; integers ≥ 0 with Σ weights > 0, e.g. a unit cost in rupiah. */
export function weightedMeanHalfUp(parts: readonly { value: number; weight: number }[]): number {
  assert(
    parts.every(({ value, weight }) => value >= 0 && weight >= 0),
    'values and weights are not negative',
  )
  const weightSum = parts.reduce((total, { weight }) => total + exact(weight), 0n)
  const weighted = parts.reduce((total, { value, weight }) => total + exact(value) * exact(weight), 0n)
  assert(weightSum > 0n, 'a mean needs a weight above zero')
  return toSafeNumber((2n * weighted + weightSum) / (2n * weightSum))
}

/** Σ a × b, exact at any size: for figures that may exceed the safe range before they are bounded. */
export const sumOfProducts = (pairs: readonly (readonly [number, number])[]): bigint =>
  pairs.reduce((total, [a, b]) => total + exact(a) * exact(b), 0n)

/** Exact sum of integers; the result must be a safe integer. */
export const sum = (values: readonly number[]): number =>
  toSafeNumber(values.reduce((total, value) => total + exact(value), 0n))

/**
 * Splits `total` (≥ 0) over `weights` (each ≥ 0) by largest remainder, ties to the earlier one (B-money-6).
 * The parts always add up to `total`, a zero weight gets 0, and no part exceeds its weight while total ≤ Σ weights.
 */
export function splitByWeight(total: number, weights: readonly number[]): number[] {
  const amount = exact(total)
  const exactWeights = weights.map(exact)
  const weightSum = exactWeights.reduce((a, b) => a + b, 0n)
  assert(total >= 0 && weights.every((weight) => weight >= 0), 'totals and weights are not negative')
  if (weightSum === 0n) {
    assert(total === 0, 'an amount above zero needs a weight above zero')
    return weights.map(() => 0)
  }
  const parts = exactWeights.map((weight) => (amount * weight) / weightSum)
  const remainders = exactWeights.map((weight) => (amount * weight) % weightSum)
  const missing = toSafeNumber(amount - parts.reduce((a, b) => a + b, 0n))
  const lucky = new Set(
    remainders
      .map((remainder, index) => ({ remainder, index }))
      .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
      .slice(0, missing)
      .map(({ index }) => index),
  )
  return parts.map((part, index) => toSafeNumber(part) + (lucky.has(index) ? 1 : 0))
}
