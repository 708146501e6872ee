import { conflict, invalid } from '../../../core/errors.ts'
import { sum } from '../../../core/money.ts'
import type { CashMovementIn, ShiftSummary } from './schema.ts'

/** What was booked to a shift: sales by their own shift, money by the shift it was booked to. Rupiah (B-shift-4). */
export type Booked = {
  salesCount: number
  gross: number
  discounts: number
  tax: number
  openBills: number
  paidIn: number
  paidOut: number
  tenders: readonly { method: string; count: number; amount: number; refunds: number }[]
}

/** The figures of a shift. Expected cash is the float, cash in, cash out and nothing else (B-shift-2). Rupiah. */
export function summaryOf(openingFloat: number, booked: Booked): ShiftSummary {
  const { salesCount, gross, discounts, tax, openBills, paidIn, paidOut, tenders } = booked
  const cash = tenders.find(({ method }) => method === 'CASH') ?? { amount: 0, refunds: 0 }
  return {
    salesCount,
    gross,
    discounts,
    tax,
    refunds: sum(tenders.map(({ refunds }) => refunds)),
    byMethod: tenders.map((tender) => ({ ...tender, net: tender.amount - tender.refunds })),
    cash: {
      opening: openingFloat,
      sales: cash.amount,
      refunds: cash.refunds,
      paidIn,
      paidOut,
      expected: openingFloat + cash.amount - cash.refunds + paidIn - paidOut,
    },
    openBills,
  }
}

/** 409: the figures of a closed shift never move (B-shift-1). */
export function requireOpenShift(shift: { status: 'OPEN' | 'CLOSED'; cashierName: string }): void {
  if (shift.status === 'CLOSED') throw conflict(`The shift of ${shift.cashierName} is closed; open a new one`)
}

/** 422 param `amount` when more is taken out than the drawer holds: a slip of the finger, or cash not yet booked in. */
export function requireCashInDrawer(movement: CashMovementIn, expected: number): void {
  if (movement.type === 'PAID_IN' || movement.amount <= expected) return
  throw invalid(
    'amount',
    `The drawer should hold ${Math.max(0, expected)}; take out at most that, or pay in first`,
  )
}
