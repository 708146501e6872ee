import { customersGet, type Outlet, type PriceList, type Product, type Variant } from 'kasir-client'
import { call } from '../app/service.ts'
import { useSession } from '../app/session.ts'
import { listsFor, priceByLists } from '../core.ts'
import { serverNow } from '../offline/clock.ts'
import { readCustomers } from '../offline/customers.ts'
import type { Cart, CartLine, KnownCustomer } from './cart.ts'
import { type Pricer, setPricer, useCart } from './cart-store.ts'
import { packPriceOf, type Tile } from './shelf.ts'
import { type TilePrice, useTilePrices } from './tile-prices.ts'

/** How often a list may begin or end. */
const EVERY_MS = 15_000

type Shop = { lists: readonly PriceList[]; products: readonly Product[]; outlet: Outlet }
type Goods = { categoryId: string | null; variant: Variant }
type PricedCart = Pick<Cart, 'orderType' | 'channel' | 'customer'>

/** The lists that apply to a cart now. */
function listsOf({ lists, outlet }: Shop, { orderType, channel, customer }: PricedCart): PriceList[] {
  const customerGroupIds = customer?.id ? (customer.groupIds ?? []) : []
  const sale = { outletId: outlet.id, timezone: outlet.timezone, orderType, channel, customerGroupIds }
  return listsFor(lists, { sale, instant: serverNow() })
}

/** The prices of a cart by the lists of the shop, by the same rule as the service (B-price-1). */
export function pricerOf(shop: Shop): Pricer {
  const goods = new Map(
    shop.products.flatMap(({ categoryId, variants }) =>
      variants.map((variant): [string, Goods] => [variant.id, { categoryId, variant }]),
    ),
  )
  const priced = (line: CartLine, lists: readonly PriceList[]): CartLine => {
    const found = goods.get(line.variantId ?? '')
    // Items of an open bill keep their prices (B-price-4).
    if (line.itemId !== null || line.basePrice == null || found === undefined) return line
    const { categoryId, variant } = found
    const pack = variant.packs?.find(({ id }) => id === line.pack?.id) ?? null
    // The pack has a price of its own, or it left the catalogue.
    const isFixed = (line.pack ?? null) !== null && (pack === null || pack.price !== null)
    if (isFixed) return line
    const listed = priceByLists(lists, { variantId: variant.id, categoryId, price: variant.price })
    const { priceListId } = listed
    const unitPrice =
      priceListId === null ? line.basePrice : packPriceOf({ ...variant, price: listed.unitPrice }, pack)
    const isSame = unitPrice === line.unitPrice && priceListId === (line.priceListId ?? null)
    return isSame ? line : { ...line, unitPrice, priceListId }
  }
  return (cart) => {
    const applicable = listsOf(shop, cart)
    const lines = cart.lines.map((line) => priced(line, applicable))
    return lines.some((line, at) => line !== cart.lines[at]) ? { ...cart, lines } : cart
  }
}

/** The lowest price of the variants of a tile by the lists that apply. */
function tilePrice({ product, variants }: Tile, lists: readonly PriceList[]): TilePrice {
  const { categoryId } = product
  const prices = variants.map(({ id, price }) => priceByLists(lists, { variantId: id, categoryId, price }))
  const lowest = prices.reduce((one, other) => (other.unitPrice < one.unitPrice ? other : one))
  return {
    price: lowest.unitPrice,
    isRange: prices.some(({ unitPrice }) => unitPrice !== lowest.unitPrice),
    listName: lists.find(({ id }) => id === lowest.priceListId)?.name ?? null,
  }
}

/** Keeps cart and tiles at the prices of the lists until the returned function is called. */
export function watchPrices(shop: Shop): () => void {
  const pricer = pricerOf(shop)
  let shown: readonly PriceList[] = []
  // Tiles are priced anew only when other lists apply, so that a tap costs nothing.
  const priceTiles = () => {
    const lists = listsOf(shop, useCart.getState())
    if (lists.length === shown.length && lists.every((list, at) => list === shown[at])) return
    shown = lists
    useTilePrices.setState({ priceOf: lists.length === 0 ? null : (tile) => tilePrice(tile, lists) })
  }
  const price = () => {
    setPricer(pricer)
    priceTiles()
  }
  price()
  const timer = setInterval(price, EVERY_MS)
  const stop = useCart.subscribe((now, before) => {
    const isSame =
      now.orderType === before.orderType && now.channel === before.channel && now.customer === before.customer
    if (!isSame) priceTiles()
  })
  return () => {
    clearInterval(timer)
    stop()
    setPricer(null)
    useTilePrices.setState({ priceOf: null })
  }
}

/** Learns the groups of a customer who came with an open bill or an older copy: from the service, else from the device. */
export async function learnGroups({ id }: KnownCustomer) {
  const accountId = useSession.getState().account?.id ?? ''
  const groupIds = await call(customersGet, { id }).then(
    ({ customer }) => customer.groupIds,
    async () => (await readCustomers(accountId)).find((each) => each.id === id)?.groupIds ?? [],
  )
  useCart
    .getState()
    .change((cart) =>
      cart.customer?.id === id ? { ...cart, customer: { ...cart.customer, groupIds } } : cart,
    )
}
