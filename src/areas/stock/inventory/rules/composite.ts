import { mul, sum } from '../../../../core/money.ts'

/**
 * One component of a recipe, or of the copy of the recipe on a sold item. `quantity` is in the component's stock unit
 * (B-recipe-1).
 */
export type RecipeComponent = { componentVariantId: string; quantity: number; trackStock: boolean }

/** A sold item. A composite has the `components` of its recipe at completion; any other item has none. */
export type StockLine = {
  variantId: string
  quantity: number
  trackStock: boolean
  components: readonly RecipeComponent[]
}

/** The units of one variant that a sale needs, with the index and units of each item that needs them, in order. */
export type Need = { variantId: string; qty: number; lines: { index: number; qty: number }[] }

/**
 * Computes the stock that a sale moves. Adds up direct items and components of the same variant before any check
 * (B-stock-5). A composite moves only its components; untracked variants move nothing. The result is sorted by
 * variant id, the order in which stock rows are locked.
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
 * Returns how many of a composite can be made: the least floor(stock / quantity) of its tracked components, never
 * below 0 (B-stock-9). `stock` null means an untracked component, which sets no limit. `available` is null if no
 * component is tracked. `limitingComponentId` is the id of the first component that sets the limit.
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
