import type { SaleRow } from 'kasir-client'
import { describe, expect, it } from 'vitest'
import { explainCashDifference } from '../../../src/core/cash-difference.ts'
import { drawerOf } from '../../../web/src/features/shift/drawer-record.ts'

const EXPECTED = 500_000
const shift = { id: 'shift', openingFloat: 200_000, summary: { cash: { expected: EXPECTED } } } as Parameters<
  typeof drawerOf
>[0]

const payment = { id: 'payment', method: 'CASH', amount: 49_950, rounding: 50, status: 'PAID', applied: true }
const sale = (change: object) =>
  ({
    id: 'sale',
    status: 'COMPLETED',
    payments: [{ ...payment, shiftId: shift.id, verified: false, createdAt: '2026-11-27T03:00:00.000Z' }],
    refunds: [],
    ...change,
  }) as unknown as SaleRow
const explanationsOf = (row: SaleRow, difference: number) =>
  explainCashDifference(drawerOf(shift, [row], [], EXPECTED + difference))

describe('a difference in the drawer', () => {
  it('is explained by a payment whose cash was rounded, by the rounded amount', () => {
    expect(explanationsOf(sale({}), -50_000)).toEqual([{ kind: 'NOT_PAID_IN_CASH', candidates: ['payment'] }])
    expect(explanationsOf(sale({}), -49_950)).toEqual([])
  })

  it('is explained by a refund or a void that paid back rounded cash, by the rounded amount', () => {
    const refund = {
      id: 'refund',
      shiftId: shift.id,
      rounding: -30,
      tenders: [{ method: 'CASH', amount: 10_030 }],
    }
    expect(explanationsOf(sale({ refunds: [refund] }), 10_000)).toEqual([
      { kind: 'REFUND_NOT_PAID_OUT', candidates: ['refund'] },
    ])
    expect(explanationsOf(sale({ status: 'VOIDED' }), 50_000)).toEqual([
      { kind: 'REFUND_NOT_PAID_OUT', candidates: ['sale'] },
    ])
  })
})
