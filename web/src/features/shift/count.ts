import { mul, sum } from '../../core.ts'

/** Notes and coins of the rupiah, the largest first. */
export const DENOMINATIONS = [100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100] as const
export type Count = Readonly<Partial<Record<number, number>>>

/** The cash of a counted drawer: how many of each note and coin. */
export const countedCash = (count: Count): number =>
  sum(DENOMINATIONS.map((value) => mul(value, count[value] ?? 0)))

/** A difference above half a percent of the expected cash needs a note. */
export const needsNote = (difference: number, expected: number): boolean =>
  mul(Math.abs(difference), 200) > Math.max(0, expected)
