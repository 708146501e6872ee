import { newId } from '../../../../core/ids.ts'
import type { Item } from '../sale/types.ts'
import type { Sellable } from '../store/context.ts'
import type { PlainMove, SeenGoods } from '../store/fresh.ts'

type PlainGoods = {
  goods: SeenGoods[]
  /** What leaves stock when these items are sold, and the items as they are then. */
  moves: PlainMove[]
  items: Item[]
}

/** What a statement takes from stock by itself; null with a composite or a batch among the items, which takes a look first. */
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
      qty: (moves.get(variantId)?.qty ?? 0) + item.quantity,
      unitCost: sellable.cost,
      productId: sellable.productId,
      productName: sellable.productName,
      variantName: sellable.variantName,
      sku: sellable.sku,
    })
  }
  return { goods: [...goods.values()], moves: [...moves.values()], items: sold }
}
