import { isOnBoard } from '../../../dining/kitchen/index.ts'
import type { RefundStatus } from '../rules/state.ts'
import type { Item, Sale } from './types.ts'

export const refundedTotalOf = (sale: Pick<Sale, 'refundedGoods' | 'refundedTax' | 'refundedDeliveryFee'>) =>
  sale.refundedGoods + sale.refundedTax + sale.refundedDeliveryFee

/** B-refund-9: a refund worth nothing still makes a sale PARTIAL, so that it cannot be voided afterwards. */
export function refundStatusOf(sale: Omit<Sale, 'items' | 'around'>): RefundStatus {
  const refundedTotal = refundedTotalOf(sale)
  if (!sale.refunds.some((refund) => refund.kind === 'REFUND')) return 'NONE'
  return refundedTotal === sale.total ? 'FULL' : 'PARTIAL'
}

export const activeItems = (sale: Pick<Sale, 'items'>): Item[] => sale.items.filter((item) => item.isActive)

/** True while the kitchen has items of the sale to cook or to serve (B-kitchen-2). */
export const isKitchenOpen = (sale: Pick<Sale, 'orderType' | 'status' | 'items'>): boolean =>
  sale.orderType !== null && sale.status !== 'VOIDED' && isOnBoard(sale.items)

/** The sale with what follows from its items and state kept in step. */
export const derived = (sale: Sale): Sale => ({
  ...sale,
  itemCount: sale.items.filter((item) => item.isActive).length,
  kitchenOpen: isKitchenOpen(sale),
})
