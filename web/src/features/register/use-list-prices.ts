import type { Outlet } from 'kasir-client'
import { useEffect } from 'react'
import { useShop } from '../../offline/shop.ts'
import { holdPrices, setPricer, useCart } from '../../selling/cart-store.ts'
import { useRegister } from '../../selling/register-store.ts'
import { lazyModule } from '../../ui/lazy-module.ts'

const listPrices = lazyModule(() => import('../../selling/list-prices.ts'))

const RETRY_MS = 15_000

/** Sells by the price lists. Their rules are loaded for a shop that has lists. */
export function useListPrices(outlet: Outlet | undefined) {
  const lists = useShop((shop) => shop.priceLists)
  const products = useShop((shop) => shop.products)
  const customer = useCart((cart) => cart.customer)
  const isPaying = useRegister((register) => register.panel === 'pay')
  useEffect(() => holdPrices(isPaying), [isPaying])
  const hasLists = (lists?.length ?? 0) > 0
  useEffect(() => {
    if (!hasLists || lists === undefined || outlet === undefined) return setPricer(null)
    let isOver = false
    let stop = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    const start = () =>
      void listPrices().then(
        ({ watchPrices }) => {
          if (!isOver) stop = watchPrices({ lists, products, outlet })
        },
        // Until the rules are loaded, the till sells at the prices of the catalogue.
        () => {
          if (!isOver) timer = setTimeout(start, RETRY_MS)
        },
      )
    start()
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [hasLists, lists, products, outlet])
  useEffect(() => {
    if (!hasLists || !customer?.id || customer.groupIds !== undefined) return
    void listPrices()
      .then(({ learnGroups }) => learnGroups(customer))
      .catch(() => {})
  }, [hasLists, customer])
}
