import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CASH_STEPS, ROUNDING_MODES, roundCash } from '../../src/core/cash-rounding.ts'

describe('cash is rounded to the step of the outlet (B-rounding-1)', () => {
  test.each([
    [10_030, 100, 'NEAREST', 10_000],
    [10_050, 100, 'NEAREST', 10_100],
    [10_049, 100, 'NEAREST', 10_000],
    [10_030, 100, 'UP', 10_100],
    [10_100, 100, 'UP', 10_100],
    [10_099, 100, 'DOWN', 10_000],
    [10_025, 50, 'NEAREST', 10_050],
    [10_250, 500, 'NEAREST', 10_500],
    [10_499, 1_000, 'NEAREST', 10_000],
    [40, 100, 'NEAREST', 0],
    [40, 100, 'UP', 100],
    [0, 1_000, 'UP', 0],
    [10_031, 0, 'UP', 10_031],
    [999_999_999_999, 1_000, 'UP', 1_000_000_000_000],
  ] as const)('%i rupiah by steps of %i, %s, are %i', (due, step, mode, cash) => {
    expect(roundCash(due, { step, mode })).toBe(cash)
  })

  test('rounded cash is a multiple of the step, less than a step away, and rounding it again changes nothing', () => {
    const anyDue = fc.integer({ min: 0, max: 1_000_000_000_000 })
    const anyRounding = fc.record({
      step: fc.constantFrom(...CASH_STEPS),
      mode: fc.constantFrom(...ROUNDING_MODES),
    })
    fc.assert(
      fc.property(anyDue, anyRounding, (due, rounding) => {
        const cash = roundCash(due, rounding)
        const { step, mode } = rounding
        expect(roundCash(cash, rounding)).toBe(cash)
        if (step === 0) {
          expect(cash).toBe(due)
          return
        }
        expect(cash % step).toBe(0)
        expect(Math.abs(cash - due)).toBeLessThan(step)
        if (mode === 'UP') expect(cash).toBeGreaterThanOrEqual(due)
        if (mode === 'DOWN') expect(cash).toBeLessThanOrEqual(due)
        if (mode === 'NEAREST') expect(Math.abs(cash - due)).toBeLessThanOrEqual(step / 2)
      }),
      { numRuns: 4_000 },
    )
  })
})
