import { mul, sum } from '../../../../core/money.ts'

/** One component of a recipe, or of its snapshot on a line; `quantity` in the component's stock unit (B-recipe-1). */
export type RecipePart = { componentVariantId: string; quantity: number; trackStock: boolean }

/** A sold line: plain when `components` is empty, else a composite with the recipe as it stood at completion. */
export type StockLine = {
  variantId: string
  quantity: number
  trackStock: boolean
  components: readonly RecipePart[]
}

/** Units of one variant that a sale needs, and which lines (index, units) need them in line order. */
export type Need = { variantId: string; qty: number; lines: { index: number; qty: number }[] }

/**
 * The stock a sale moves, direct lines and components of the same variant summed before any check (B-stock-5).
 * A composite moves its components and nothing of its own; untracked variants move nothing. Sorted by variant id,
 * the order in which stock rows are locked.
 */
export function explode(lines: readonly StockLine[]): Need[] {
  const needs = new Map<string, Map<number, number>>()
  const add = (variantId: string, index: number, qty: number) => {
    const byLine = needs.get(variantId) ?? new Map<number, number>()
    byLine.set(index, (byLine.get(index) ?? 0) + qty)
    needs.set(variantId, byLine)
  }
  lines.forEach((line, index) => {
    if (line.components.length === 0) {
      if (line.trackStock) add(line.variantId, index, line.quantity)
      return
    }
    for (const part of line.components) {
      if (part.trackStock) add(part.componentVariantId, index, mul(part.quantity, line.quantity))
    }
  })
  return [...needs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([variantId, byLine]) => ({
      variantId,
      qty: sum([...byLine.values()]),
      lines: [...byLine].map(([index, qty]) => ({ index, qty })),
    }))
}

/**
 * How many of a composite can be made: the least of floor(stock / quantity) over its tracked components, never below 0
 * (B-stock-9). `stock` null = untracked, which never limits; nothing tracked → `available` null.
 * `limitingComponentId` is the id of the first component that sets the limit.
 */
export function availability(components: readonly { id: string; quantity: number; stock: number | null }[]): {
  available: number | null
  limitingComponentId: string | null
} {
  let available: number | null = null
  let limitingComponentId: string | null = null
  for (const { id, quantity, stock } of components) {
    if (stock === null) continue
    const makeable = Math.max(0, Math.floor(stock / quantity))
    if (available !== null && makeable >= available) continue
    available = makeable
    limitingComponentId = id
  }
  return { available, limitingComponentId }
}
