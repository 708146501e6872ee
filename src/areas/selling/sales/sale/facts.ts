import { isOnBoard } from '../../../dining/kitchen/index.ts'
import type { RefundStatus } from '../rules/state.ts'
import type { Bill, Item } from './types.ts'

export const refundedTotalOf = (bill: Pick<Bill, 'refundedGoods' | 'refundedTax' | 'refundedDeliveryFee'>) =>
  bill.refundedGoods + bill.refundedTax + bill.refundedDeliveryFee

/** Contract 26.6: a refund worth nothing still makes a sale PARTIAL, so that it cannot be voided afterwards. */
export function refundStatusOf(bill: Omit<Bill, 'items' | 'around'>): RefundStatus {
  const refundedTotal = refundedTotalOf(bill)
  if (!bill.refunds.some((refund) => refund.kind === 'REFUND')) return 'NONE'
  return refundedTotal === bill.total ? 'FULL' : 'PARTIAL'
}

export const activeItems = (bill: Pick<Bill, 'items'>): Item[] => bill.items.filter((item) => item.isActive)

/** True while the kitchen has something of the sale to cook or to serve (contract S9). */
export const isKitchenOpen = (bill: Pick<Bill, 'orderType' | 'status' | 'items'>): boolean =>
  bill.orderType !== null && bill.status !== 'VOIDED' && isOnBoard(bill.items)

/** The bill with what follows from its lines and state kept in step. */
export const derived = (bill: Bill): Bill => ({
  ...bill,
  itemCount: bill.items.filter((item) => item.isActive).length,
  kitchenOpen: isKitchenOpen(bill),
})
