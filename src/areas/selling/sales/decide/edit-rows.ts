import { assert } from '../../../../core/assert.ts'
import { conflict } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireLabelFits, requireUnitsWithin } from '../rules/packs.ts'
import { type EditPlan, itemsAfter } from '../rules/plan-edit.ts'
import { isGoods } from '../sale/facts.ts'
import type { Item, Sale } from '../sale/types.ts'
import { MAX_CANCELLED_ITEMS } from '../schema.ts'
import type { Context } from '../store/context.ts'
import { newItem } from './price-sale.ts'

/** The fields of an item that an edit is planned from. */
export const planItem = (item: Item) => ({
  ...item,
  modifiers: item.modifiers ?? [],
  ...(isGoods(item)
    ? {}
    : { open: { name: item.productName, taxRateBps: item.taxRateBps, station: item.station } }),
})

/** The active rows after the edit, in the order the items were sent. */
export function rowsOf(scope: Scope, before: Sale, plan: EditPlan, context: Context): Item[] {
  const byId = new Map(before.items.map((item) => [item.id, item]))
  return itemsAfter(plan).map((edited, position) => {
    const kept = edited.id === undefined ? undefined : byId.get(edited.id)
    const sellable = edited.variantId === null ? undefined : context.sellables.get(edited.variantId)
    requireUnitsWithin(edited.quantity, edited.pack, `items[${edited.sentIndex}].quantity`)
    requireLabelFits({ ...edited, soldBy: sellable?.soldBy }, `items[${edited.sentIndex}].labelPrice`)
    const fresh = newItem(scope, edited, sellable, position)
    if (!kept) return { ...fresh, saleId: before.id }
    const {
      quantity,
      unitPrice,
      priceListId,
      labelPrice,
      modifiers,
      modifiersTotal,
      discount,
      note,
      taxRateBps,
    } = fresh
    return {
      ...kept,
      ...(edited.open ? { productName: fresh.productName, station: fresh.station } : {}),
      position,
      taxRateBps,
      quantity,
      unitPrice,
      labelPrice,
      priceListId,
      modifiers,
      modifiersTotal,
      discount,
      note,
      updatedAt: scope.now,
    }
  })
}

/**
 * Items that the kitchen started and that are no longer wanted stay as inactive rows, which count nowhere (B-edit-5).
 */
export function cancelledRows(scope: Scope, before: Sale, plan: EditPlan, from: number): Item[] {
  const byId = new Map(before.items.map((item) => [item.id, item]))
  const earlier = before.items.filter((item) => !item.isActive)
  requireRoomForCancelled(earlier.length, plan.cancel.length)
  const now = plan.cancel.map((cancelled): Item => {
    const row = byId.get(cancelled.fromId)
    assert(row, 'a cancelled item was on the bill')
    const figures = {
      quantity: 0,
      labelPrice: null,
      discount: 0,
      orderDiscountShare: 0,
      taxAmount: 0,
      lineTotal: 0,
      serviceShare: 0,
      promotions: null,
      promotionShare: 0,
    }
    const facts = {
      isActive: false,
      cancelledQty: cancelled.cancelledQty,
      kitchenStatus: cancelled.kitchenStatus,
      updatedAt: scope.now,
    }
    if (cancelled.wholeItem) return { ...row, ...figures, ...facts }
    return { ...row, ...figures, ...facts, id: newId('saleItem'), createdAt: scope.now }
  })
  return [...earlier, ...now].map((item, index) =>
    item.position === from + index ? item : { ...item, position: from + index },
  )
}

/** 409 above the limit. An edit that cancels nothing passes, so that the bill can be changed and paid (B-edit-5). */
function requireRoomForCancelled(earlier: number, added: number) {
  const count = earlier + added
  if (added === 0 || count <= MAX_CANCELLED_ITEMS) return
  throw conflict(
    `The bill would have ${count} cancelled items, and a bill can have at most ${MAX_CANCELLED_ITEMS}: open another bill for new items`,
  )
}
