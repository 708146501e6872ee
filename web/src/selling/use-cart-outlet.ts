import type { Outlet } from 'kasir-client'
import { useMemo } from 'react'
import { findOutlet, useOutlet, useShop } from '../offline/shop.ts'
import { useCart } from './cart-store.ts'

/**
 * The outlet that the cart is sold at; undefined if it may not be sold. An inactive outlet begins no sale (B-outlet-2). A
 * correction is one of its outlet, with the terms that were printed.
 */
export function useCartOutlet(): Outlet | undefined {
  const outlet = useOutlet()
  const isBegun = useCart(({ bill, attempt }) => bill !== null || attempt !== null)
  const correction = useCart((cart) => cart.correction)
  const soldAt = useShop((shop) => (correction === null ? undefined : findOutlet(shop, correction.outletId)))
  return useMemo(() => {
    if (correction !== null) return soldAt && { ...soldAt, ...correction.terms }
    return isBegun || outlet?.isActive ? outlet : undefined
  }, [correction, soldAt, isBegun, outlet])
}
