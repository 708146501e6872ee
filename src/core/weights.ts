import { mulDivHalfUp } from './money.ts'

/** How goods are sold: by the unit, or by weight with the price for a kilogram (B-weight-1). */
export const SOLD_BY = ['UNIT', 'WEIGHT'] as const
export type SoldBy = (typeof SOLD_BY)[number]

const GRAMS_PER_KILOGRAM = 1_000

/** What `grams` cost at a price for a kilogram, rounded half up; rupiah. */
export const amountOfWeight = (grams: number, perKilogram: number): number =>
  mulDivHalfUp(grams, perKilogram, GRAMS_PER_KILOGRAM)

/** The grams that an amount buys at a price for a kilogram (above 0), rounded half up. */
export const weightOfAmount = (amount: number, perKilogram: number): number =>
  mulDivHalfUp(amount, GRAMS_PER_KILOGRAM, perKilogram)

/** Grams as kilograms with three decimals: 750 is 0,750 kg. */
export const kilograms = (grams: number, decimal: string): string =>
  `${Math.floor(grams / 1_000)}${decimal}${String(grams % 1_000).padStart(3, '0')} kg`

/** Grams for a board or a report, in the shorter unit: 750 g, 1,25 kg, -2 kg. */
export function shortWeight(grams: number, decimal: string): string {
  const size = Math.abs(grams)
  if (size < GRAMS_PER_KILOGRAM) return `${grams} g`
  const rest = String(size % GRAMS_PER_KILOGRAM)
    .padStart(3, '0')
    .replace(/0+$/, '')
  const whole = Math.floor(size / GRAMS_PER_KILOGRAM)
  return `${grams < 0 ? '-' : ''}${whole}${rest === '' ? '' : decimal + rest} kg`
}
