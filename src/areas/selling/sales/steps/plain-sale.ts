import { newId } from '../../../../core/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Warning } from '../../promotions/index.ts'
import type { NewSale, PlainMove, SeenGoods } from '../store/fresh.ts'
import { newSale } from './new-sale.ts'
import type { PricedSale } from './price-sale.ts'

/** The sale ready for one statement, completed or held as a bill; null when it needs locks of its own. */
export function plainSale(
  scope: Scope,
  { sale, context, outlet, day }: PricedSale,
  notDone: readonly Warning[],
): NewSale | null {
  const sold = sale.items.map((item) => context.sellables.get(item.variantId))
  const simple = sold.every(
    (sellable) => sellable && !sellable.isComposite && !sellable.requiresBatch && !sellable.hasBatches,
  )
  const ownShift = sale.shiftId === context.openShiftId
  const paidAtOnce = sale.payments.every(
    ({ method, status }) => method !== 'GIFT_CARD' && status !== 'PENDING',
  )
  if (!simple || !ownShift || !paidAtOnce || sale.customerId !== null) return null
  const completes = sale.status === 'COMPLETED'
  if (completes ? context.negativeStock === 'BLOCK' : sale.tableId !== null) return null
  const goods = new Map<string, SeenGoods>()
  const moves = new Map<string, PlainMove>()
  const items = sale.items.map((item) => {
    const sellable = context.sellables.get(item.variantId)
    if (sellable) goods.set(item.variantId, { variantId: item.variantId, seen: sellable.seen })
    if (!completes || !sellable?.trackStock) return item
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
    })
    return { ...item, movedStock: true }
  })
  const payments = sale.payments.map((payment) =>
    payment.status === 'PAID' ? { ...payment, shiftId: context.openShiftId } : payment,
  )
  const booked = { ...sale, items, payments }
  return {
    ...newSale(scope, booked, day, notDone),
    goods: [...goods.values()],
    moves: [...moves.values()],
    warnings: null,
    guardShiftId: context.openShiftId,
    seen: { outlet: outlet.seen, policy: context.policySeen },
    isFollowed: context.isFollowed,
  }
}
