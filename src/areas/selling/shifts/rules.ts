import { conflict, invalid } from '../../../core/errors.ts'
import { sum } from '../../../core/money.ts'
import type { CashMovementIn, ShiftSummary } from './schema.ts'

/** The bookings of a shift, in rupiah: sales by their own shift, money by the shift it was booked to (B-shift-4). */
export type ShiftBookings = {
  salesCount: number
  gross: number
  discounts: number
  tax: number
  taxes: readonly { rateBps: number; tax: number }[]
  service: number
  rounding: number
  openBills: number
  paidIn: number
  paidOut: number
  methods: readonly { method: string; count: number; amount: number; refunds: number }[]
  creditPayments: readonly { method: string; count: number; amount: number }[]
}

/**
 * Computes the figures of a shift, in rupiah. The expected cash is the sum of float, cash in, cash out and the rounding
 * of both (B-shift-2, B-rounding-5).
 */
export function summaryOf(openingFloat: number, booked: ShiftBookings): ShiftSummary {
  const { salesCount, gross, discounts, tax, service, rounding, openBills, paidIn, paidOut, methods } = booked
  const { creditPayments } = booked
  const debtsInCash = creditPayments.find(({ method }) => method === 'CASH')?.amount ?? 0
  const cash = methods.find(({ method }) => method === 'CASH') ?? { amount: 0, refunds: 0 }
  return {
    salesCount,
    gross,
    discounts,
    tax,
    taxes: [...booked.taxes],
    service,
    refunds: sum(methods.map(({ refunds }) => refunds)),
    byMethod: methods.map((method) => ({ ...method, net: method.amount - method.refunds })),
    creditPayments: [...creditPayments],
    cash: {
      opening: openingFloat,
      sales: cash.amount,
      refunds: cash.refunds,
      rounding,
      creditPayments: debtsInCash,
      paidIn,
      paidOut,
      expected: openingFloat + cash.amount - cash.refunds + rounding + paidIn - paidOut + debtsInCash,
    },
    openBills,
  }
}

/** Throws 409 for a closed shift, whose figures never change (B-shift-1). */
export function requireOpenShift(shift: { status: 'OPEN' | 'CLOSED'; cashierName: string }): void {
  if (shift.status === 'CLOSED') throw conflict(`The shift of ${shift.cashierName} is closed; open a new one`)
}

/** Throws 422 param `category` unless it is one of those of the workspace (B-expense-2). */
export function requireCategory(category: string, categories: readonly string[]): void {
  if (categories.includes(category)) return
  throw invalid(
    'category',
    categories.length === 0
      ? 'This workspace has no expense categories. Add them in the settings, or leave the category out'
      : `There is no expense category ${category}. Choose one of: ${categories.join(', ')}`,
  )
}

/**
 * Throws 422 param `amount` if more is taken out than the drawer should have: a typing error, or cash that is not
 * recorded yet.
 */
export function requireCashInDrawer(movement: CashMovementIn, expected: number): void {
  if (movement.type === 'PAID_IN' || movement.amount <= expected) return
  throw invalid(
    'amount',
    `The drawer should have ${Math.max(0, expected)}. Take out at most that amount, or record a pay-in first`,
  )
}
