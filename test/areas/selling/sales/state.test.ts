import { describe, expect, test } from 'vitest'
import {
  requireAmountDue,
  requireDiscardable,
  requirePaidWithin,
  requireRefundable,
  requireState,
  requireVoidable,
  type SaleAction,
} from '../../../../src/areas/selling/sales/rules/state.ts'

const conflict = expect.objectContaining({ status: 409, code: 'CONFLICT' })

describe('what a sale allows', () => {
  test.each<[SaleAction, boolean, boolean, boolean]>([
    ['edit', true, false, false],
    ['pay', true, false, false],
    ['settle', true, false, false],
    ['charge', true, false, false],
    ['split', true, false, false],
    ['discard', true, false, false],
    ['void', false, true, false],
    ['refund', false, true, false],
    ['dispatch', true, true, false],
  ])('%s: parked %s, completed %s, voided %s', (action, parked, completed, voided) => {
    for (const [status, allowed] of [
      ['PARKED', parked],
      ['COMPLETED', completed],
      ['VOIDED', voided],
    ] as const) {
      if (allowed) expect(() => requireState(action, status)).not.toThrow()
      else expect(() => requireState(action, status)).toThrow(conflict)
    }
  })

  test('a void of an open bill says to discard it', () => {
    expect(() => requireState('void', 'PARKED')).toThrow('discard')
  })

  test('a sale with any refund, even one worth nothing, is not voided', () => {
    expect(() => requireVoidable({ status: 'COMPLETED', refundStatus: 'NONE' })).not.toThrow()
    expect(() => requireVoidable({ status: 'COMPLETED', refundStatus: 'PARTIAL' })).toThrow(conflict)
    expect(() => requireVoidable({ status: 'COMPLETED', refundStatus: 'FULL' })).toThrow(conflict)
    expect(() => requireVoidable({ status: 'PARKED', refundStatus: 'NONE' })).toThrow(conflict)
  })

  test('a fully refunded sale and a sale of nothing are not refunded', () => {
    expect(() => requireRefundable({ status: 'COMPLETED', total: 10, refundedTotal: 9 })).not.toThrow()
    expect(() => requireRefundable({ status: 'COMPLETED', total: 10, refundedTotal: 10 })).toThrow(conflict)
    expect(() => requireRefundable({ status: 'COMPLETED', total: 0, refundedTotal: 0 })).toThrow(conflict)
    expect(() => requireRefundable({ status: 'PARKED', total: 10, refundedTotal: 0 })).toThrow(conflict)
  })

  test('a bill holding money the partner confirmed is not discarded', () => {
    const discard = (status: string, verified: boolean) => () =>
      requireDiscardable({ status: 'PARKED', payments: [{ status, verified }] })
    expect(discard('PAID', false)).not.toThrow()
    expect(discard('FAILED', true)).not.toThrow()
    expect(discard('PAID', true)).toThrow(conflict)
  })

  test('a covered bill takes no further payment', () => {
    expect(() => requireAmountDue({ total: 10, paidTotal: 9 })).not.toThrow()
    expect(() => requireAmountDue({ total: 10, paidTotal: 10 })).toThrow(conflict)
    expect(() => requireAmountDue({ total: 0, paidTotal: 0 })).toThrow(conflict)
  })

  test('an edit never brings the total under what was paid', () => {
    expect(() => requirePaidWithin({ total: 10, paidTotal: 10 })).not.toThrow()
    expect(() => requirePaidWithin({ total: 9, paidTotal: 10 })).toThrow(conflict)
  })
})
