import { invalid, malformed } from '../../../core/errors.ts'
import { type ScaleLabel, weighLabel } from '../../../core/scale-barcodes.ts'
import type { Match } from './schema.ts'

/**
 * The weighed goods of a label with their grams. A label of price 0 or weight 0 is 400; a price on goods that have no
 * price per kilogram, so that it makes no weight, is 422 (B-scale-2).
 */
export function weighedMatch(match: Match, label: ScaleLabel): Match {
  const weight = weighLabel(label, match.price)
  if (weight === 'NO_WEIGHT') throw malformed('barcode', 'The label has weight 0; weigh the goods again')
  if (weight === 'NO_PRICE')
    throw invalid(
      'barcode',
      `${match.productName} has no price per kilogram; set one, or scan a label with its weight`,
    )
  return { ...match, ...weight }
}
