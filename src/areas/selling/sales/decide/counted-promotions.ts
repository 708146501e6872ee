/** One bill has the discount of a promotion whose uses count: it is given once, however bills are merged and split (B-promo-6). */
import { splitByWeight, sum } from '../../../../core/money.ts'
import { itemGross } from '../../../../core/sale-totals.ts'
import type { CountedPromotions } from '../../pricing/index.ts'
import type { Item, Sale } from '../sale/types.ts'
import { withParts } from './promote-sale.ts'

const partsWithout = (item: Item, ids: ReadonlySet<string>): Item => {
  const parts = item.promotions ?? []
  const left = parts.filter(({ id }) => !ids.has(id))
  return left.length === parts.length ? item : withParts(item, left)
}

const amountIn = ({ promotions }: Sale, id: string) =>
  promotions?.find((promotion) => promotion.id === id)?.amount ?? 0

/** `counted` are promotions of both bills, `usedIds` those of either that the customer of the merged bill has used before. */
export type MergedPromotions = { counted: CountedPromotions; usedIds: ReadonlySet<string> }

/**
 * The items of two bills that become one. If both have a fixed amount off, the larger one stays. The other kinds grow with the goods
 * and add up, so the bill has what one sale of all the goods gets.
 */
export function itemsMergedOnce(target: Sale, other: Sale, { counted, usedIds }: MergedPromotions) {
  const fromTarget = new Set(usedIds)
  const fromOther = new Set(usedIds)
  for (const [id, kind] of counted) {
    if (kind !== 'AMOUNT') continue
    const isOtherLarger = amountIn(other, id) > amountIn(target, id)
    const smaller = isOtherLarger ? fromTarget : fromOther
    smaller.add(id)
  }
  return {
    targetItems: target.items.map((item) => partsWithout(item, fromTarget)),
    otherItems: other.items.map((item) => partsWithout(item, fromOther)),
  }
}

const partOf = ({ promotions }: Item, id: string) => promotions?.find((part) => part.id === id)?.amount ?? 0

const netOf = (item: Item) =>
  itemGross({ ...item, modifiers: item.modifiers ?? [] }) - item.discount - item.promotionShare

const withMore = (item: Item, id: string, more: number): Item =>
  more === 0
    ? item
    : withParts(
        item,
        (item.promotions ?? []).map((part) => (part.id === id ? { id, amount: part.amount + more } : part)),
      )

/** Adds an amount to the items that have a part of the promotion, up to their price. */
function spread(items: readonly Item[], id: string, amount: number): Item[] {
  const rooms = items.map((item) => (partOf(item, id) > 0 ? netOf(item) : 0))
  const shares = splitByWeight(Math.min(amount, sum(rooms)), rooms)
  return items.map((item, place) => withMore(item, id, shares[place] ?? 0))
}

/**
 * The items of a split. The codes and the customer stay on the old bill, so no item takes along a part of a counted promotion. A fixed
 * amount off stays whole, as far as the goods that stay cost as much.
 */
export function itemsSplitOnce(stay: readonly Item[], moved: readonly Item[], counted: CountedPromotions) {
  const ids = new Set(counted.keys())
  let staying = [...stay]
  for (const [id, kind] of counted)
    if (kind === 'AMOUNT') staying = spread(staying, id, sum(moved.map((item) => partOf(item, id))))
  return { stay: staying, moved: moved.map((item) => partsWithout(item, ids)) }
}
