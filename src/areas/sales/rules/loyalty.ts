/** Points of an amount; a setting of 0 rupiah per point switches loyalty off (contract 9.4). */
const pointsOf = (amount: number, rupiahPerPoint: number): number =>
  rupiahPerPoint === 0 ? 0 : Math.floor(amount / rupiahPerPoint)

/** Points a completed sale earns: one per `rupiahPerPoint` of its base without tax, rounded down (contract 9.4, S5). */
export const pointsEarned = (eligible: number, rupiahPerPoint: number): number =>
  pointsOf(eligible, rupiahPerPoint)

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
  const keep = pointsOf(sale.eligible - sale.goodsRefunded, sale.rupiahPerPoint)
  return Math.max(0, sale.earned - sale.alreadyReversed - keep)
}
