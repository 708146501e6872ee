import { pointsFor } from '../../../../core/points.ts'

/**
 * Points to take back after a refund, ≥ 0 (contract S5, 26.7): what was earned, less what was reversed before, less
 * what the goods kept still earn. `goodsRefunded` is Σ goods of all refunds of the sale, this one included, and
 * `rupiahPerPoint` the one stored with the sale. Rupiah.
 */
export function pointsToReverse(sale: {
  eligible: number
  rupiahPerPoint: number
  goodsRefunded: number
  earned: number
  alreadyReversed: number
}): number {
  const keep = pointsFor(sale.eligible - sale.goodsRefunded, sale.rupiahPerPoint)
  return Math.max(0, sale.earned - sale.alreadyReversed - keep)
}
