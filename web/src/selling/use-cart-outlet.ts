import type { Outlet } from 'kasir-client'
import { useOutlet } from '../offline/shop.ts'
import { useCart } from './cart-store.ts'

/** The outlet that the cart is sold at; undefined if it may not be sold. An inactive outlet begins no sale (B-outlet-2). */
export function useCartOutlet(): Outlet | undefined {
  const outlet = useOutlet()
  const isBegun = useCart(({ bill, attempt }) => bill !== null || attempt !== null)
  return isBegun || outlet?.isActive ? outlet : undefined
}
