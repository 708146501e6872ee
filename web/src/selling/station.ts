import { useShop } from '../offline/shop.ts'
import type { Cart, CartLine } from './cart.ts'

/** The kitchen station of a product: its own, else that of its category. */
export function stationOf({ productId }: Pick<CartLine, 'productId'>): string | null {
  const { products, categories } = useShop.getState()
  const product = products.find(({ id }) => id === productId)
  return product?.station ?? categories.find(({ id }) => id === product?.categoryId)?.station ?? null
}

/** Whether the kitchen makes an item of a cart: only sales with an order type are on its boards and slips. */
export const hasKitchenGoods = ({ orderType, lines }: Cart): boolean =>
  orderType !== null && lines.some((line) => stationOf(line) !== null)
