import { mul, mulDivFloor, mulDivHalfUp } from './money.ts'

export const CASH_STEPS = [0, 50, 100, 500, 1000] as const
export const ROUNDING_MODES = ['NEAREST', 'DOWN', 'UP'] as const

/** How an outlet rounds a cash payment, because small coins are scarce; a step of 0 does not round (B-rounding-1). */
export type CashRounding = { step: (typeof CASH_STEPS)[number]; mode: (typeof ROUNDING_MODES)[number] }

/** The cash that settles `due` rupiah (≥ 0): a multiple of the step, the larger one in a tie (B-rounding-1). */
export function roundCash(due: number, { step, mode }: CashRounding): number {
  if (step === 0) return due
  if (mode === 'NEAREST') return mul(mulDivHalfUp(due, 1, step), step)
  const floor = mul(mulDivFloor(due, 1, step), step)
  return mode === 'UP' && floor < due ? floor + step : floor
}
