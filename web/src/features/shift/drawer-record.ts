import type { SaleRow, ShiftDetail } from 'kasir-client'
import type { DrawerMovement, DrawerPayment, DrawerRecord, DrawerRefund } from '../../core.ts'

/** What a shift did to the drawer, as Cari selisih reads it. Pure. */

type Shift = Pick<ShiftDetail, 'id' | 'openingFloat' | 'summary'>

/** Two sales with equal figures are taken for the same goods: the list of a shift carries no items. */
const goodsOf = ({ itemCount, subtotal, discountTotal, deliveryFee }: SaleRow) =>
  [itemCount, subtotal, discountTotal, deliveryFee].join(' ')

const paymentsOf = (shiftId: string, sale: SaleRow): DrawerPayment[] =>
  sale.status === 'COMPLETED'
    ? sale.payments
        .filter((payment) => payment.shiftId === shiftId && payment.status === 'PAID' && payment.applied)
        .map(({ id, method, amount, rounding, verified, paidAt, createdAt }) => ({
          id,
          method,
          // The drawer expects the cash as it was rounded (B-rounding-5).
          amount: amount + rounding,
          paidAt: paidAt ?? createdAt,
          goods: goodsOf(sale),
          isManual: !verified && method !== 'GIFT_CARD' && method !== 'CREDIT',
        }))
    : []

const cashOf = (tenders: readonly { method: string; amount: number; rounding?: number }[]) =>
  tenders.reduce(
    (total, { method, amount, rounding = 0 }) => (method === 'CASH' ? total + amount + rounding : total),
    0,
  )

const refundsOf = (shiftId: string, sale: SaleRow): DrawerRefund[] => {
  const refunds = sale.refunds
    .filter((refund) => refund.shiftId === shiftId)
    .map(({ id, tenders, rounding }) => ({ id, amount: cashOf(tenders) + rounding }))
  const voided = sale.status === 'VOIDED' ? [{ id: sale.id, amount: cashOf(sale.payments) }] : []
  return [...refunds, ...voided].filter(({ amount }) => amount > 0)
}

export const drawerOf = (
  shift: Shift,
  sales: readonly SaleRow[],
  movements: readonly DrawerMovement[],
  counted: number,
): DrawerRecord => ({
  openingFloat: shift.openingFloat,
  expected: shift.summary.cash.expected,
  counted,
  payments: sales.flatMap((sale) => paymentsOf(shift.id, sale)),
  refunds: sales.flatMap((sale) => refundsOf(shift.id, sale)),
  movements,
})

/** Finds the sale of a payment, a refund or a void. */
export const saleWith = (sales: readonly SaleRow[], id: string): SaleRow | undefined =>
  sales.find(
    (sale) =>
      sale.id === id ||
      sale.payments.some((payment) => payment.id === id) ||
      sale.refunds.some((refund) => refund.id === id),
  )
