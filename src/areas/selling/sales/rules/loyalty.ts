import { mulDivFloor } from '../../../../core/money.ts'
import { pointsFor } from '../../../../core/points.ts'
import { eligibleOf } from '../../../../core/sale-totals.ts'

/**
 * Points to take back after a refund, ≥ 0 (B-points-2): what was earned, less what was reversed before, less
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

/** The points that a completed sale earned, and the goods that its refunds so far have given back, in rupiah. */
type EarnedPoints = Parameters<typeof eligibleOf>[0] & {
  loyaltyRupiahPerPoint: number | null
  pointsEarned: number
  refundedGoods: number
}

const earningOf = (sale: EarnedPoints) => ({
  eligible: eligibleOf(sale),
  rupiahPerPoint: sale.loyaltyRupiahPerPoint ?? 0,
  earned: sale.pointsEarned,
})

/**
 * The points that the refunds of a sale took back: they follow from what these returned, so they are stored nowhere.
 */
export const pointsTakenBack = (sale: EarnedPoints): number =>
  sale.pointsEarned === 0
    ? 0
    : pointsToReverse({ ...earningOf(sale), goodsRefunded: sale.refundedGoods, alreadyReversed: 0 })

/**
 * The redeemed points of a sale that its refunds have given back: in proportion to the goods, rounded down, and all
 * of them once nothing is left to refund (B-points-5).
 */
export function pointsGivenBack(
  redeemed: number,
  { eligible, goodsRefunded, isFull }: { eligible: number; goodsRefunded: number; isFull: boolean },
): number {
  if (isFull) return redeemed
  return eligible === 0 ? 0 : mulDivFloor(redeemed, goodsRefunded, eligible)
}

/** The points that one more refund takes back, which returns `goods` rupiah of goods. */
export const pointsOfRefund = (sale: EarnedPoints, goods: number): number =>
  sale.pointsEarned === 0
    ? 0
    : pointsToReverse({
        ...earningOf(sale),
        goodsRefunded: sale.refundedGoods + goods,
        alreadyReversed: pointsTakenBack(sale),
      })
