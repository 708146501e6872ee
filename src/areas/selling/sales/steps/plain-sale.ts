import { newId } from '../../../../core/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { NewSale, PlainMove } from '../store/create.ts'
import { newSale } from './new-sale.ts'
import type { Draft } from './price-sale.ts'

/** The bill ready for one statement, or null when it needs locks of its own. */
export function plainSale(scope: Scope, { bill, context, day }: Draft): NewSale | null {
  const sold = bill.items.map((item) => context.sellables.get(item.variantId))
  const simple = sold.every(
    (sellable) => sellable && !sellable.isComposite && !sellable.requiresBatch && !sellable.hasBatches,
  )
  const ownShift = bill.shiftId === context.openShiftId
  const paidAtOnce = bill.payments.every(
    ({ method, status }) => method !== 'GIFT_CARD' && status !== 'PENDING',
  )
  if (bill.status !== 'COMPLETED' || !simple || !ownShift || !paidAtOnce || bill.customerId !== null)
    return null
  if (context.negativeStock === 'BLOCK') return null
  const moves = new Map<string, PlainMove>()
  const items = bill.items.map((item) => {
    const sellable = context.sellables.get(item.variantId)
    if (!sellable?.trackStock) return item
    const qty = (moves.get(item.variantId)?.qty ?? 0) + item.quantity
    moves.set(item.variantId, {
      variantId: item.variantId,
      movementId: newId('stockMovement'),
      qty,
      unitCost: sellable.cost,
      productId: sellable.productId,
      productName: sellable.productName,
      variantName: sellable.variantName,
      sku: sellable.sku,
      seenAt: sellable.updatedAt,
    })
    return { ...item, movedStock: true }
  })
  const payments = bill.payments.map((tender) =>
    tender.status === 'PAID' ? { ...tender, shiftId: context.openShiftId } : tender,
  )
  const booked = { ...bill, items, payments }
  return {
    ...newSale(scope, booked, day),
    moves: [...moves.values()],
    warnings: null,
    guardShiftId: context.openShiftId,
  }
}
