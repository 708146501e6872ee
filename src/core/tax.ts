import { assert } from './assert.ts'
import { mulDivHalfUp } from './money.ts'

/**
 * The tax of an outlet as stored on a sale: the rate in basis points (11% = 1100), and whether prices include tax.
 */
export type TaxRule = { taxRateBps: number; taxInclusive: boolean }

const WHOLE_BPS = 10_000

/**
 * Tax of an amount after discounts, rounded once, half up (B-money-5). `base` is rupiah ≥ 0.
 * Exclusive: tax comes on top. Inclusive: the net is rounded and the tax is what remains, so the price never moves.
 * `netOfTax + tax = gross` in both modes.
 */
export function taxOf(
  base: number,
  { taxRateBps, taxInclusive }: TaxRule,
): { netOfTax: number; tax: number; gross: number } {
  assert(taxRateBps >= 0 && taxRateBps <= WHOLE_BPS, 'a tax rate lies between 0 and 10000 basis points')
  if (taxInclusive) {
    const netOfTax = mulDivHalfUp(base, WHOLE_BPS, WHOLE_BPS + taxRateBps)
    return { netOfTax, tax: base - netOfTax, gross: base }
  }
  const tax = mulDivHalfUp(base, taxRateBps, WHOLE_BPS)
  return { netOfTax: base, tax, gross: base + tax }
}
