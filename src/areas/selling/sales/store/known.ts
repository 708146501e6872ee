import { sum } from '../../../../core/money.ts'
import type { Db } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { cachedPricingAt } from '../../pricing/index.ts'
import type { Sale } from '../sale/types.ts'
import type { SaleChange, WrittenSale } from './change.ts'
import type { Context, ContextLookup, Sellable } from './context.ts'

/**
 * A cache of the facts that this process read for earlier sales, and of the open bills that it wrote. The next sale of
 * the same goods, and a payment on such a bill, read nothing. No cached fact is trusted: the statement of the sale proves each by the `seen` value of its row, and no refusal is
 * decided from the cache.
 */
type Shop = Pick<
  Context,
  'outlet' | 'negativeStock' | 'openItems' | 'policySeen' | 'openShiftId' | 'isFollowed'
> & {
  /** The price lists themselves are in their own cache, which is bounded by their size. */
  pricingVersion: string | null
}
type KnownBill = { bill: Sale; seen: string }
type SaleCache = { shops: Map<string, Shop>; goods: Map<string, Sellable>; bills: Map<string, KnownBill> }

/** Some hundred bytes each, and some thousand for an ordinary bill; the oldest go. */
const SHOPS = 5_000
const GOODS = 20_000
const BILLS = 2_000
/** A longer bill is not kept. With these limits a bill takes at most 100 kB, and without them some megabytes. */
const MAX_CACHED_ITEMS = 50
/** Modifiers and promotions of all items together. */
const MAX_CACHED_PARTS = 200

const knownBy = new WeakMap<Db, SaleCache>()
const knownOf = (db: Db): SaleCache => {
  const known = knownBy.get(db) ?? { shops: new Map(), goods: new Map(), bills: new Map() }
  knownBy.set(db, known)
  return known
}

const shopKey = ({ accountId, actor }: Scope, outletId: string) => `${accountId} ${outletId} ${actor.id}`
const goodsKey = ({ accountId }: Scope, variantId: string) => `${accountId} ${variantId}`

const billKey = ({ accountId }: Scope, saleId: string) => `${accountId} ${saleId}`

const isPlain = ({ isComposite, requiresBatch, hasBatches }: Sellable) =>
  !isComposite && !requiresBatch && !hasBatches

const isShort = ({ items }: Sale) =>
  items.length <= MAX_CACHED_ITEMS &&
  sum(items.map(({ modifiers, promotions }) => (modifiers?.length ?? 0) + (promotions?.length ?? 0))) <=
    MAX_CACHED_PARTS

function keep<V>(map: Map<string, V>, key: string, value: V, most: number) {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest = ''] = map.keys()
  map.delete(oldest)
}

/** Keeps what a sale has read. */
export function remember(db: Db, scope: Scope, wanted: ContextLookup, context: Context) {
  const { shops, goods } = knownOf(db)
  const { outlet, negativeStock, openItems, policySeen, pricing, openShiftId, isFollowed } = context
  const key = shopKey(scope, wanted.outletId)
  if (outlet)
    keep(
      shops,
      key,
      {
        outlet,
        negativeStock,
        openItems,
        policySeen,
        openShiftId,
        isFollowed,
        pricingVersion: pricing.version,
      },
      SHOPS,
    )
  for (const [variantId, sellable] of context.sellables) {
    const name = goodsKey(scope, variantId)
    if (isPlain(sellable)) keep(goods, name, sellable, GOODS)
    else goods.delete(name)
  }
}

/** All facts that a plain sale needs, from the cache; null if one is missing. */
export function recall(db: Db, scope: Scope, wanted: ContextLookup): Context | null {
  const { shops, goods } = knownOf(db)
  const shop = shops.get(shopKey(scope, wanted.outletId))
  if (!shop || wanted.modifierIds.length > 0) return null
  const pricing = cachedPricingAt(scope, shop.pricingVersion)
  if (!pricing) return null
  const sellables = new Map<string, Sellable>()
  for (const variantId of wanted.variantIds) {
    const sellable = goods.get(goodsKey(scope, variantId))
    if (!sellable) return null
    sellables.set(variantId, sellable)
  }
  return { ...shop, pricing, keyHolds: true, sellables, modifierIds: new Set() }
}

/**
 * Keeps a short open bill as it was written, and forgets one that could not be written, because it has changed. One
 * with a customer or a table is never kept: it shows rows that no statement proves.
 */
export function rememberBill(db: Db, { scope, after }: SaleChange, written: WrittenSale | null) {
  const { bills } = knownOf(db)
  const key = billKey(scope, after.id)
  const isPlainBill = after.status === 'PARKED' && after.customerId === null && after.tableId === null
  if (isPlainBill && isShort(after) && written !== null && written.seen !== null) {
    const { number, seen } = written
    keep(bills, key, { bill: { ...after, number }, seen }, BILLS)
  } else bills.delete(key)
}

export const recallBill = (db: Db, scope: Scope, saleId: string): KnownBill | undefined =>
  knownOf(db).bills.get(billKey(scope, saleId))
