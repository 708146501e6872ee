import { assert } from '../../../../core/assert.ts'
import { invalid } from '../../../../core/errors.ts'
import { mulDivFloor, splitByWeight, sum } from '../../../../core/money.ts'
import { isWeighed } from '../../../../core/sale-totals.ts'

/** The fields of an item that a split changes or reads; its other fields, such as the kitchen state, stay as they are. */
export type SplittableItem = {
  id: string
  quantity: number
  discount: number
  isActive: boolean
  promotions?: readonly { id: string; amount: number }[] | null
  promotionShare?: number
  soldBy?: 'WEIGHT' | null
  pack?: object | null
}

/** `stay` are the active items of the old bill as they remain, `move` those of the new one. */
export type SplitPlan<Item extends SplittableItem> = {
  stay: Item[]
  /** `wholeItem`: the row itself changes bills; else `item` is a copy to be stored under a new id. */
  move: { item: Item; wholeItem: boolean }[]
}

type Take = readonly { id: string; quantity: number }[]

function takenById(items: readonly SplittableItem[], take: Take): Map<string, number> {
  const byId = new Map(items.map((item) => [item.id, item]))
  const taken = new Map<string, number>()
  take.forEach(({ id, quantity }, index) => {
    const item = byId.get(id)
    assert(item, 'the caller has looked for every item that is named')
    if (!item.isActive)
      throw invalid(`items[${index}].id`, 'This item was cancelled: there is nothing left of it to move')
    if (taken.has(id)) {
      throw invalid(
        `items[${index}].id`,
        'This item is in the list twice: send it once with the total quantity',
      )
    }
    if (quantity > item.quantity) {
      throw invalid(`items[${index}].quantity`, `The bill holds only ${item.quantity} of this item`)
    }
    if (quantity < item.quantity && isWeighed(item))
      throw invalid(`items[${index}].quantity`, 'A weighed item moves whole: send its full weight')
    taken.set(id, quantity)
  })
  return taken
}

/**
 * The discounts of an item, as they move with a quantity and as they stay. Their sum is rounded once: rounded one by one they could
 * leave more than the price of the units that stay.
 */
function discountsSplit({ discount, promotions, quantity: whole }: SplittableItem, quantity: number) {
  const parts = promotions ?? []
  const amounts = [discount, ...parts.map(({ amount }) => amount)]
  const moved = splitByWeight(mulDivFloor(sum(amounts), quantity, whole), amounts)
  const side = ([ownDiscount = 0, ...shares]: readonly number[]) => ({
    discount: ownDiscount,
    ...(promotions && {
      promotions: parts.flatMap(({ id }, index) => {
        const amount = shares[index] ?? 0
        return amount > 0 ? [{ id, amount }] : []
      }),
      promotionShare: sum(shares),
    }),
  })
  return { moved: side(moved), kept: side(amounts.map((amount, index) => amount - (moved[index] ?? 0))) }
}

/**
 * Splits items off an open bill: `take` names what moves (quantity ≥ 1). The discount and the promotions of an item move in
 * proportion to the quantity, together rounded down, and the rest stays, so no rupiah appears or is lost. Cancelled items stay
 * behind.
 * After pricing, the caller checks that the old bill still covers its payments. 422: `items` empty or taking
 * everything, `items[i].id` repeated or cancelled, `items[i].quantity` above the item. The caller has checked that
 * the items are on this bill (`requireOnBill`).
 */
export function planSplit<Item extends SplittableItem>(items: readonly Item[], take: Take): SplitPlan<Item> {
  if (take.length === 0) throw invalid('items', 'Name at least one item to move to the new bill')
  const taken = takenById(items, take)
  const split: SplitPlan<Item> = { stay: [], move: [] }
  for (const item of items.filter((candidate) => candidate.isActive)) {
    const quantity = taken.get(item.id) ?? 0
    const wholeItem = quantity === item.quantity
    const { moved, kept } = discountsSplit(item, quantity)
    if (quantity > 0) split.move.push({ item: { ...item, quantity, ...moved }, wholeItem })
    if (!wholeItem) split.stay.push({ ...item, quantity: item.quantity - quantity, ...kept })
  }
  if (split.stay.length === 0) {
    throw invalid('items', 'Items must stay on the bill. To move everything, change its table or customer')
  }
  return split
}
