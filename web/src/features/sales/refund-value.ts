import type { SaleItem } from 'kasir-client'
import { mulDivFloor } from '../../core.ts'

export type Quantities = Readonly<Partial<Record<string, number>>>

export const refundableOf = ({ quantity, refundedQty }: Pick<SaleItem, 'quantity' | 'refundedQty'>) =>
  quantity - refundedQty

type Refundable = Pick<SaleItem, 'id' | 'quantity' | 'refundedQty' | 'lineTotal' | 'serviceShare'>

/**
 * What the service will pay back for the quantities, before earlier refunds by amount alone: the value of the units so
 * far, rounded down, less that of the units before (B-refund-4).
 */
export const refundValue = (items: readonly Refundable[], quantities: Quantities): number =>
  items.reduce((total, item) => {
    const units = Math.min(quantities[item.id] ?? 0, refundableOf(item))
    const valueOf = (count: number) => mulDivFloor(item.lineTotal + item.serviceShare, count, item.quantity)
    return total + valueOf(item.refundedQty + units) - valueOf(item.refundedQty)
  }, 0)
