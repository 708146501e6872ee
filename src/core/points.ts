import { mulDivFloor } from './money.ts'

/**
 * Loyalty points of an amount: one per `rupiahPerPoint` whole rupiah, rounded down; 0 switches loyalty off
 * (B-points-1).
 */
export const pointsFor = (amount: number, rupiahPerPoint: number): number =>
  rupiahPerPoint === 0 ? 0 : mulDivFloor(amount, 1, rupiahPerPoint)
