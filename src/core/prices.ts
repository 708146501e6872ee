import { byPriority, type Conditions, isFor, isTimely, momentOf, type SaleFacts } from './conditions.ts'
import { mul, mulDivHalfUp } from './money.ts'

const BPS = 10_000
/** The largest price of one unit, in rupiah. */
export const MAX_PRICE = 1_000_000_000

/**
 * What a list charges for a variant or a category: a fixed `price`, or the catalogue's price plus `adjustBps` (negative lowers
 * it), rounded to a multiple of `roundTo`.
 */
export type PriceEntry = {
  variantId: string | null
  categoryId: string | null
  price: number | null
  adjustBps: number | null
  roundTo: number | null
}

export type PriceListRule = Conditions & {
  id: string
  name: string
  priority: number
  entries: readonly PriceEntry[]
}

/** The goods to price; `price` is that of the catalogue, in rupiah. */
export type GoodsToPrice = { variantId: string; categoryId: string | null; price: number }
export type ListPrice = { unitPrice: number; priceListId: string | null }

type EntryIndex = { variants: Map<string, PriceEntry>; categories: Map<string, PriceEntry> }
const indexes = new WeakMap<PriceListRule, EntryIndex>()

function indexOf(list: PriceListRule): EntryIndex {
  const known = indexes.get(list)
  if (known) return known
  const index: EntryIndex = { variants: new Map(), categories: new Map() }
  for (const entry of list.entries) {
    if (entry.variantId !== null) index.variants.set(entry.variantId, entry)
    else if (entry.categoryId !== null) index.categories.set(entry.categoryId, entry)
  }
  indexes.set(list, index)
  return index
}

/** The entry for the goods: that of the variant before that of its category. */
function entryFor(list: PriceListRule, { variantId, categoryId }: GoodsToPrice): PriceEntry | undefined {
  const { variants, categories } = indexOf(list)
  return variants.get(variantId) ?? (categoryId === null ? undefined : categories.get(categoryId))
}

/** The price of an entry: adjusted and rounded in one step, half up. */
function priceOf({ price, adjustBps, roundTo }: PriceEntry, cataloguePrice: number): number {
  if (price !== null) return price
  const step = roundTo ?? 1
  const adjusted = mul(mulDivHalfUp(cataloguePrice, BPS + (adjustBps ?? 0), BPS * step), step)
  return Math.min(adjusted, MAX_PRICE)
}

/** The unit price that one list charges, whatever its conditions; that of the catalogue without an entry for the goods. */
export function priceInList(list: PriceListRule, goods: GoodsToPrice): number {
  const entry = entryFor(list, goods)
  return entry ? priceOf(entry, goods.price) : goods.price
}

/** A sale and the instant at which goods are priced. */
export type PricingMoment = { sale: SaleFacts; instant: string }

/** The lists whose conditions a sale meets at an instant (B-price-2), in the order in which they decide a price. */
export function listsFor<List extends PriceListRule>(
  lists: readonly List[],
  { sale, instant }: PricingMoment,
): List[] {
  if (lists.length === 0) return []
  const moment = momentOf(instant, sale.timezone)
  return lists.filter((list) => isFor(list, sale) && isTimely(list, moment)).sort(byPriority)
}

/**
 * The unit price of goods in a sale (B-price-1): that of the first list that applies and has an entry for the goods. Without
 * such a list the catalogue's price stays, and `priceListId` is null.
 */
export function priceByLists(applicable: readonly PriceListRule[], goods: GoodsToPrice): ListPrice {
  for (const list of applicable) {
    const entry = entryFor(list, goods)
    if (entry) return { unitPrice: priceOf(entry, goods.price), priceListId: list.id }
  }
  return { unitPrice: goods.price, priceListId: null }
}
