import { customersGet, type Outlet, type PriceList, type Product } from 'kasir-client'
import { call } from '../app/service.ts'
import { useSession } from '../app/session.ts'
import { resolvePrice } from '../core.ts'
import { serverNow } from '../offline/clock.ts'
import { readCustomers } from '../offline/customers.ts'
import type { Cart, CartLine, KnownCustomer } from './cart.ts'
import { type Pricer, useCart } from './cart-store.ts'
import { packPriceOf } from './shelf.ts'

type Goods = { categoryId: string | null; variant: Product['variants'][number] }

/** The prices of a cart by the lists of the shop, by the same rule as the service (B-price-1). */
export function pricerOf(
  lists: readonly PriceList[],
  products: readonly Product[],
  { id: outletId, timezone }: Outlet,
): Pricer {
  const goods = new Map(
    products.flatMap(({ categoryId, variants }) =>
      variants.map((variant): [string, Goods] => [variant.id, { categoryId, variant }]),
    ),
  )
  const priced = (line: CartLine, cart: Cart, instant: string): CartLine => {
    const found = goods.get(line.variantId ?? '')
    // Items of an open bill keep their prices (B-price-4).
    if (line.itemId !== null || line.basePrice == null || found === undefined) return line
    const { categoryId, variant } = found
    const pack = variant.packs?.find(({ id }) => id === line.pack?.id) ?? null
    // The pack has a price of its own, or it left the catalogue.
    const isFixed = (line.pack ?? null) !== null && (pack === null || pack.price !== null)
    if (isFixed) return line
    const sale = {
      outletId,
      timezone,
      orderType: cart.orderType,
      channel: null,
      customerGroupIds: cart.customer?.id ? (cart.customer.groupIds ?? []) : [],
    }
    const listed = resolvePrice(
      lists,
      { variantId: variant.id, categoryId, price: variant.price },
      { sale, instant },
    )
    const { priceListId } = listed
    const unitPrice =
      priceListId === null ? line.basePrice : packPriceOf({ ...variant, price: listed.unitPrice }, pack)
    const isSame = unitPrice === line.unitPrice && priceListId === (line.priceListId ?? null)
    return isSame ? line : { ...line, unitPrice, priceListId }
  }
  return (cart) => {
    const instant = serverNow()
    const lines = cart.lines.map((line) => priced(line, cart, instant))
    return lines.some((line, at) => line !== cart.lines[at]) ? { ...cart, lines } : cart
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
