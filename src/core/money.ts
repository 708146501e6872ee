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

/**
 * Whether a × b is exact as a number: then it need not be a BigInt, which costs twenty times as much. A product above the safe
 * range never rounds into it.
 */
const isExact = (a: number, b: number): boolean =>
  Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(a * b)

/** a × b, exact, for integers; throws if the product is not a safe integer. */
export const mul = (a: number, b: number): number =>
  isExact(a, b) ? a * b : toSafeNumber(exact(a) * exact(b))

/** a × b / c rounded down; a, b ≥ 0 and c > 0, integers. */
export function mulDivFloor(a: number, b: number, c: number): number {
  assert(a >= 0 && b >= 0 && c > 0, 'mulDivFloor takes a, b >= 0 and c > 0')
  if (isExact(a, b) && Number.isSafeInteger(c)) return (a * b - ((a * b) % c)) / c
  return toSafeNumber((exact(a) * exact(b)) / exact(c))
}

/** a × b / c rounded half up, the one rounding of money in the service (B-money-5); a, b ≥ 0 and c > 0, integers. */
export function mulDivHalfUp(a: number, b: number, c: number): number {
  assert(a >= 0 && b >= 0 && c > 0, 'mulDivHalfUp takes a, b >= 0 and c > 0')
  if (
    isExact(2 * a, b) &&
    Number.isSafeInteger(a) &&
    Number.isSafeInteger(c) &&
    Number.isSafeInteger(2 * c)
  ) {
    const rest = (a * b) % c
    return (a * b - rest) / c + (2 * rest >= c ? 1 : 0)
  }
  const divisor = exact(c)
  return toSafeNumber((2n * exact(a) * exact(b) + divisor) / (2n * divisor))
}

/** The sign of a / b - c / d, exact; integers with b, d > 0. */
export function compareRatios(a: number, b: number, c: number, d: number): number {
  const [left, right] =
    isExact(a, d) && isExact(c, b) ? [a * d, c * b] : [exact(a) * exact(d), exact(c) * exact(b)]
  return left < right ? -1 : left > right ? 1 : 0
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
export function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) {
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(total + value)) return exactSum(values)
    total += value
  }
  return total
}

const exactSum = (values: readonly number[]): number =>
  toSafeNumber(values.reduce((total, value) => total + exact(value), 0n))

/**
 * Splits `total` (≥ 0) over `weights` (each ≥ 0) by largest remainder, ties to the earlier one (B-money-6).
 * The parts always add up to `total`, a zero weight gets 0, and no part exceeds its weight while total ≤ Σ weights.
 */
export function splitByWeight(total: number, weights: readonly number[]): number[] {
  const largest = weights.reduce((most, weight) => Math.max(most, weight), 0)
  const isSmall = isExact(total, largest) && isExact(largest, weights.length)
  if (isSmall && total >= 0 && weights.every((weight) => Number.isSafeInteger(weight) && weight >= 0))
    return splitSmall(total, weights)
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
  const whole = parts.map(toSafeNumber)
  const byRemainder = [...remainders.keys()].sort((one, other) =>
    compareDown(remainders[one], remainders[other]),
  )
  for (const place of byRemainder.slice(0, missing)) whole[place] = (whole[place] ?? 0) + 1
  return whole
}

/** The larger one first. A sort keeps the order of equal ones. */
const compareDown = (one = 0n, other = 0n): number => (one === other ? 0 : one > other ? -1 : 1)

/** The same split if every product is exact as a number. */
function splitSmall(total: number, weights: readonly number[]): number[] {
  const weightSum = sum(weights)
  if (weightSum === 0) {
    assert(total === 0, 'an amount above zero needs a weight above zero')
    return weights.map(() => 0)
  }
  const remainders: number[] = []
  const parts: number[] = []
  let missing = total
  for (const weight of weights) {
    const remainder = (total * weight) % weightSum
    const part = (total * weight - remainder) / weightSum
    remainders.push(remainder)
    parts.push(part)
    missing -= part
  }
  if (missing === 0) return parts
  // A sort of plain numbers is several times faster than one that compares places.
  const least = Float64Array.from(remainders).sort()[parts.length - missing] ?? 0
  let ofLeast = missing - remainders.filter((remainder) => remainder > least).length
  return parts.map((part, place) => {
    const remainder = remainders[place] ?? 0
    if (remainder === least) ofLeast -= 1
    return remainder > least || (remainder === least && ofLeast >= 0) ? part + 1 : part
  })
}
