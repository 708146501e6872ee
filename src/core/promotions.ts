import {
  byPriority,
  type Conditions,
  foldCase,
  isFor,
  isTimely,
  type Moment,
  momentOf,
  type SaleFacts,
} from './conditions.ts'
import { compareRatios, mul, mulDivFloor, mulDivHalfUp, splitByWeight, sum } from './money.ts'

export const PROMOTION_KINDS = ['PERCENT', 'AMOUNT', 'BUY_X_GET_Y', 'BUNDLE'] as const
export type PromotionKind = (typeof PROMOTION_KINDS)[number]

/** A number of units of a variant, or of any goods of a category. */
export type BundlePart = { variantId: string | null; categoryId: string | null; quantity: number }

/**
 * A promotion (B-promo-1). Fields of another kind are null. `variantIds` and `categoryIds` limit it to goods that are in one of
 * them; without both it covers the whole order. Amounts are rupiah.
 */
export type PromotionRule = Conditions & {
  id: string
  name: string
  priority: number
  stackable: boolean
  kind: PromotionKind
  percentBps: number | null
  amount: number | null
  buyQuantity: number | null
  getQuantity: number | null
  bundle: readonly BundlePart[] | null
  bundlePrice: number | null
  variantIds: readonly string[] | null
  categoryIds: readonly string[] | null
  minSpend: number | null
  code: string | null
  oncePerCustomer: boolean
}

/** An active item: `net` is its price after its own discount, `orderedAt` the instant at which it was ordered. */
export type PromotedItem = {
  variantId: string | null
  categoryId: string | null
  quantity: number
  /** The quantity is grams: no units that could be free or part of a bundle (B-promo-4). */
  isWeighed?: boolean
  net: number
  orderedAt: string
}

export type PromotedSale = SaleFacts & {
  customerId: string | null
  items: readonly PromotedItem[]
  /** The voucher codes of the sale. */
  codes: readonly string[]
  /** Promotions once per customer that its customer has used. */
  usedIds: ReadonlySet<string>
}

/** A promotion that applies, with its part of each item. */
export type AppliedPromotion = { id: string; name: string; amount: number; shares: number[] }

/** An item and the part of its price that earlier promotions left. */
type Line = Pick<PromotedItem, 'variantId' | 'categoryId' | 'quantity'> & { place: number; value: number }
/** A discount on some lines, one amount for each. */
type Discount = { lines: readonly Line[]; amounts: readonly number[] }

const NOTHING: Discount = { lines: [], amounts: [] }

/** The dearest unit first; on a tie the first one in `canonical` order. */
const byUnitValue = (one: Line, other: Line): number =>
  compareRatios(other.value, other.quantity, one.value, one.quantity) || one.place - other.place

/** The discount of `total` over the lines, by what they are worth. */
const shared = (lines: readonly Line[], total: number): Discount => ({
  lines,
  amounts: splitByWeight(
    total,
    lines.map(({ value }) => value),
  ),
})

const worthOf = (lines: readonly Line[]) => sum(lines.map(({ value }) => value))

/** What some units of a line are worth; the rest of a rupiah stays on the line. */
const worthOfUnits = ({ value, quantity }: Line, units: number) =>
  units === 0 ? 0 : units === quantity ? value : mulDivFloor(value, units, quantity)

/** The units of a line, of those at `from` to `to` in a row of groups, that are free in their group. */
function freeUnits(
  from: number,
  to: number,
  { buy, get, groups }: { buy: number; get: number; groups: number },
) {
  const size = buy + get
  const freeBefore = (at: number) => {
    const end = Math.min(at, groups * size)
    return Math.floor(end / size) * get + Math.max(0, (end % size) - buy)
  }
  return freeBefore(to) - freeBefore(from)
}

/** Units in a row from the dearest on make groups; in each full group the cheapest are free. */
function freeOf(lines: readonly Line[], buy: number, get: number): Discount {
  const row = lines.toSorted(byUnitValue)
  const units = sum(row.map(({ quantity }) => quantity))
  const groups = Math.floor(units / (buy + get))
  let at = 0
  const amounts = row.map((line) => {
    const free = freeUnits(at, at + line.quantity, { buy, get, groups })
    at += line.quantity
    return worthOfUnits(line, free)
  })
  return { lines: row, amounts }
}

/**
 * Parts of the same goods count as one part. Variants come first, because any goods of a category can fill its part.
 */
function partsOf(bundle: readonly BundlePart[]): BundlePart[] {
  const parts = new Map<string, BundlePart>()
  for (const part of bundle) {
    const key = `${part.variantId} ${part.categoryId}`
    const quantity = (parts.get(key)?.quantity ?? 0) + part.quantity
    parts.set(key, { ...part, quantity })
  }
  return [...parts.values()].sort((a, b) => Number(a.variantId === null) - Number(b.variantId === null))
}

type BundleGoods = { quantity: number; lines: Line[] }

function linesBy(key: 'variantId' | 'categoryId', lines: readonly Line[]): Map<string | null, Line[]> {
  const groups = new Map<string | null, Line[]>()
  for (const line of lines) {
    const group = groups.get(line[key])
    if (group) group.push(line)
    else groups.set(line[key], [line])
  }
  return groups
}

/** The lines that fit each part. */
function goodsOf(bundle: readonly BundlePart[], lines: readonly Line[]): BundleGoods[] {
  const [byVariant, byCategory] = [linesBy('variantId', lines), linesBy('categoryId', lines)]
  return partsOf(bundle).map(({ variantId, categoryId, quantity }) => ({
    quantity,
    lines: (variantId === null ? byCategory.get(categoryId) : byVariant.get(variantId)) ?? [],
  }))
}

const unitsIn = (lines: readonly Line[]): number => sum(lines.map(({ quantity }) => quantity))

/**
 * What the units that `times` bundles take are worth; null if there are not enough. The first lines are taken first. A search
 * for the best number runs this some sixty times, so it copies no lines: `taken` gets the units by place, and `touched` the lines.
 */
function worthOfBundles(
  goods: readonly BundleGoods[],
  times: number,
  { taken, touched }: { taken: number[]; touched?: Line[] },
): number | null {
  taken.fill(0)
  let worth = 0
  for (const { quantity, lines } of goods) {
    let missing = mul(quantity, times)
    for (const line of lines) {
      if (missing === 0) break
      const before = taken[line.place] ?? 0
      const after = Math.min(line.quantity, before + missing)
      if (after === before) continue
      if (before === 0) touched?.push(line)
      taken[line.place] = after
      worth += worthOfUnits(line, after) - worthOfUnits(line, before)
      missing -= after - before
    }
    if (missing > 0) return null
  }
  return worth
}

/** The largest number up to `most` for which `holds`, which holds for all smaller ones; 0 if for none. */
function largest(most: number, holds: (n: number) => boolean): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** A bundle repeats as often as its goods allow, and only while one more is cheaper than its goods. */
function bundleOf(bundle: readonly BundlePart[], price: number, lines: readonly Line[]): Discount {
  const goods = goodsOf(bundle, lines)
  const bound = Math.min(...goods.map((part) => Math.floor(unitsIn(part.lines) / part.quantity)))
  if (bound === 0) return NOTHING
  for (const part of goods) part.lines.sort(byUnitValue)
  const taken = Array.from({ length: (lines.at(-1)?.place ?? 0) + 1 }, () => 0)
  const found = new Map<number, number | null>([[0, 0]])
  const worthOf = (times: number): number | null => {
    const known = found.get(times)
    const worth = known === undefined ? worthOfBundles(goods, times, { taken }) : known
    found.set(times, worth)
    return worth
  }
  const savingOf = (times: number) => (worthOf(times) ?? 0) - mul(price, times)
  const most = largest(bound, (times) => worthOf(times) !== null)
  const times = largest(most, (n) => savingOf(n) > savingOf(n - 1))
  // Units are worth whole rupiah, so of cheap goods one more bundle can save money although all of them together do not.
  const saving = savingOf(times)
  if (saving <= 0) return NOTHING
  const touched: Line[] = []
  worthOfBundles(goods, times, { taken, touched })
  const worths = touched.map((line) => worthOfUnits(line, taken[line.place] ?? 0))
  return { lines: touched, amounts: splitByWeight(saving, worths) }
}

/** Each line is at most what it is worth, so no item becomes negative. */
function discountOf(promotion: PromotionRule, lines: readonly Line[]): Discount {
  switch (promotion.kind) {
    case 'PERCENT':
      return shared(lines, mulDivHalfUp(worthOf(lines), promotion.percentBps ?? 0, 10_000))
    case 'AMOUNT':
      return shared(lines, Math.min(promotion.amount ?? 0, worthOf(lines)))
    case 'BUY_X_GET_Y':
      return freeOf(lines, promotion.buyQuantity ?? 1, promotion.getQuantity ?? 1)
    case 'BUNDLE':
      return bundleOf(promotion.bundle ?? [], promotion.bundlePrice ?? 0, lines)
  }
}

const idSets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** The ids as a set. It is kept with the list of ids, which a till keeps when it copies a promotion. */
function setOf(ids: readonly string[]): ReadonlySet<string> {
  const known = idSets.get(ids)
  if (known) return known
  const set = new Set(ids)
  idSets.set(ids, set)
  return set
}

const NO_IDS: ReadonlySet<string> = new Set()

/** Returns which goods a promotion covers. */
function coverageOf({ variantIds, categoryIds }: PromotionRule): (item: PromotedItem) => boolean {
  if (variantIds === null && categoryIds === null) return () => true
  const variants = variantIds ? setOf(variantIds) : NO_IDS
  const categories = categoryIds ? setOf(categoryIds) : NO_IDS
  return ({ variantId, categoryId }) =>
    (variantId !== null && variants.has(variantId)) || (categoryId !== null && categories.has(categoryId))
}

const countsUnits = ({ kind }: PromotionRule): boolean => kind === 'BUY_X_GET_Y' || kind === 'BUNDLE'

type TimedItems = Pick<PromotedSale, 'items'> & { moments: readonly Moment[] }

/** The discount of a promotion; `left` has the rest of each item. */
function discountIn(
  promotion: PromotionRule,
  { items, moments }: TimedItems,
  left: readonly number[],
): Discount {
  const lines: Line[] = []
  const covers = coverageOf(promotion)
  // Items are mostly ordered at the same moment.
  let latest: Moment | undefined
  let isOpen = false
  for (const [place, item] of items.entries()) {
    const moment = moments[place]
    if (!moment || !covers(item) || (item.isWeighed && countsUnits(promotion))) continue
    if (moment !== latest) isOpen = isTimely(promotion, moment)
    latest = moment
    if (!isOpen) continue
    const { variantId, categoryId, quantity } = item
    lines.push({ place, variantId, categoryId, quantity, value: left[place] ?? 0 })
  }
  return lines.length === 0 ? NOTHING : discountOf(promotion, lines)
}

type IndexedItem = { item: PromotedItem; index: number }

/** The items in an order that does not depend on that of the sale. */
const canonical = (items: readonly PromotedItem[]): IndexedItem[] =>
  items.map((item, index) => ({ item, index })).sort((one, other) => compareItems(one.item, other.item))

const compareTexts = (one: string | null, other: string | null): number => {
  const [left, right] = [one ?? '', other ?? '']
  return left < right ? -1 : left > right ? 1 : 0
}
const compareItems = (one: PromotedItem, other: PromotedItem): number =>
  compareTexts(one.variantId, other.variantId) ||
  one.net - other.net ||
  one.quantity - other.quantity ||
  compareTexts(one.orderedAt, other.orderedAt)

function appliedFrom(
  { id, name }: PromotionRule,
  { lines, amounts }: Discount,
  order: readonly IndexedItem[],
): AppliedPromotion {
  const shares = order.map(() => 0)
  lines.forEach(({ place }, at) => {
    const index = order[place]?.index
    if (index !== undefined) shares[index] = amounts[at] ?? 0
  })
  return { id, name, amount: sum(amounts), shares }
}

/** Whether the sale may have the promotion, whatever its goods and their times are. */
function isOpenTo(
  promotion: PromotionRule,
  sale: PromotedSale,
  spent: number,
  codes: ReadonlySet<string>,
): boolean {
  const { id, minSpend, code, oncePerCustomer } = promotion
  return (
    isFor(promotion, sale) &&
    spent >= (minSpend ?? 0) &&
    (code === null || codes.has(foldCase(code))) &&
    (!oncePerCustomer || (sale.customerId !== null && !sale.usedIds.has(id)))
  )
}

/**
 * The promotions of a sale (B-promo-2). Stackable ones apply by priority, each to what the earlier ones left. Each exclusive one
 * applies alone; the best of them competes with the sum of the stackable ones, and the larger discount wins. On a tie
 * the stackable promotions win, and among exclusive ones the one with the higher priority. The order of `items`
 * decides nothing: a tie between items goes by
 * their goods, net, quantity and time.
 */
export function decidePromotions(
  promotions: readonly PromotionRule[],
  sale: PromotedSale,
): AppliedPromotion[] {
  if (promotions.length === 0) return []
  const { timezone } = sale
  const order = canonical(sale.items)
  const items = order.map(({ item }) => item)
  const nets = items.map(({ net }) => net)
  const spent = sum(nets)
  const codes = new Set(sale.codes.map(foldCase))
  const known = new Map<string, Moment>()
  const moments = items.map(({ orderedAt }) => {
    const moment = known.get(orderedAt) ?? momentOf(orderedAt, timezone)
    known.set(orderedAt, moment)
    return moment
  })
  const decided = { items, moments }
  const left = [...nets]
  const stacked: AppliedPromotion[] = []
  let best: { promotion: PromotionRule; discount: Discount; amount: number } | null = null
  for (const promotion of promotions.toSorted(byPriority)) {
    if (!isOpenTo(promotion, sale, spent, codes)) continue
    const discount = discountIn(promotion, decided, promotion.stackable ? left : nets)
    const amount = sum(discount.amounts)
    if (amount === 0) continue
    if (!promotion.stackable) {
      if (!best || amount > best.amount) best = { promotion, discount, amount }
      continue
    }
    discount.lines.forEach(({ place }, at) => {
      left[place] = (left[place] ?? 0) - (discount.amounts[at] ?? 0)
    })
    stacked.push(appliedFrom(promotion, discount, order))
  }
  if (best && best.amount > sum(stacked.map(({ amount }) => amount)))
    return [appliedFrom(best.promotion, best.discount, order)]
  return stacked
}
