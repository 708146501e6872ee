import { newId } from '../../../../core/ids.ts'
import { itemUnits } from '../sale/facts.ts'
import type { Item } from '../sale/types.ts'
import type { PlainMove, SeenGoods } from '../store/change.ts'
import type { Sellable } from '../store/context.ts'

type PlainGoods = {
  goods: SeenGoods[]
  /** The stock that a sale of these items takes, and the items as the sale stores them. */
  moves: PlainMove[]
  items: Item[]
}

/** The stock that one statement can take. Null if an item is a composite or has batches: those need a read first. */
export function plainGoods(
  items: readonly Item[],
  sellables: ReadonlyMap<string, Sellable>,
): PlainGoods | null {
  const goods = new Map<string, SeenGoods>()
  const moves = new Map<string, PlainMove>()
  const sold: Item[] = []
  for (const item of items) {
    const { variantId } = item
    if (variantId === null) {
      sold.push(item)
      continue
    }
    const sellable = sellables.get(variantId)
    if (!sellable || sellable.isComposite || sellable.requiresBatch || sellable.hasBatches) return null
    goods.set(variantId, { variantId, seen: sellable.seen })
    sold.push(sellable.trackStock ? { ...item, movedStock: true } : item)
    if (!sellable.trackStock) continue
    moves.set(variantId, {
      variantId,
      movementId: moves.get(variantId)?.movementId ?? newId('stockMovement'),
      qty: (moves.get(variantId)?.qty ?? 0) + itemUnits(item, item.quantity),
      unitCost: sellable.cost,
      productId: sellable.productId,
      productName: sellable.productName,
      variantName: sellable.variantName,
      sku: sellable.sku,
      soldBy: sellable.soldBy,
    })
  }
  return { goods: [...goods.values()], moves: [...moves.values()], items: sold }
}
