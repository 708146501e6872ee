import { invalid, malformed } from '../../../core/errors.ts'
import { type ScaleLabel, weightOfAmount } from '../../../core/weights.ts'
import type { Match } from './schema.ts'

/**
 * The weighed goods of a label with their grams. A label of price 0 or weight 0 is 400; a price on goods that have no
 * price per kilogram, so that it makes no weight, is 422 (B-scale-2).
 */
export function weighedMatch(match: Match, { kind, value }: ScaleLabel): Match {
  if (kind === 'WEIGHT') return { ...match, quantity: requireWeight(value) }
  if (match.price === 0)
    throw invalid(
      'barcode',
      `${match.productName} has no price per kilogram; set one, or scan a label with its weight`,
    )
  return { ...match, quantity: requireWeight(weightOfAmount(value, match.price)), labelPrice: value }
}

function requireWeight(grams: number): number {
  if (grams === 0) throw malformed('barcode', 'The label has weight 0; weigh the goods again')
  return grams
}
