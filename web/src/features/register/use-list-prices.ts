import type { Outlet } from 'kasir-client'
import { useEffect } from 'react'
import { useShop } from '../../offline/shop.ts'
import { setPricer, useCart } from '../../selling/cart-store.ts'

/** How often a list may begin or end. */
const EVERY_MS = 15_000

/** Sells by the price lists. Their rules are loaded for a shop that has lists. */
export function useListPrices(outlet: Outlet | undefined) {
  const lists = useShop((shop) => shop.priceLists)
  const products = useShop((shop) => shop.products)
  const customer = useCart((cart) => cart.customer)
  const hasLists = (lists?.length ?? 0) > 0
  useEffect(() => {
    if (!hasLists || lists === undefined || outlet === undefined) return setPricer(null)
    let isOver = false
    const price = () =>
      void import('../../selling/list-prices.ts')
        .then(({ pricerOf }) => isOver || setPricer(pricerOf(lists, products, outlet)))
        // Until the rules are loaded, the till sells at the prices of the catalogue.
        .catch(() => {})
    price()
    const timer = setInterval(price, EVERY_MS)
    return () => {
      isOver = true
      clearInterval(timer)
      setPricer(null)
    }
  }, [hasLists, lists, products, outlet])
  useEffect(() => {
    if (!hasLists || !customer?.id || customer.groupIds !== undefined) return
    void import('../../selling/list-prices.ts')
      .then(({ learnGroups }) => learnGroups(customer))
      .catch(() => {})
  }, [hasLists, customer])
}
