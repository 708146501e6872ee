import type { Sale } from 'kasir-client'
import { billContext } from './bill-context.ts'
import { type Cart, type CartTable, cartFromBill, EMPTY_CART } from './cart.ts'
import { useCart } from './cart-store.ts'
import { useRegister } from './register-store.ts'

/** Takes an open bill into the cart. */
export const takeBill = (sale: Sale) => takeCart(cartFromBill(sale, billContext(sale.outletId)))

export function takeCart(cart: Cart) {
  // A cart that was kept by an older version lacks newer fields.
  useCart.getState().change(() => ({ ...EMPTY_CART, ...cart }))
  useRegister.getState().show({ dialog: null, done: null, panel: 'cart', isSheetOpen: true })
}

/** Begins a bill at a table: the goods come first, so the tiles are in front. */
export function takeTable(table: CartTable) {
  useCart.getState().change(() => ({ ...EMPTY_CART, table, orderType: 'DINE_IN' }))
  useRegister.getState().show({ dialog: null, done: null, panel: 'cart', isSheetOpen: false })
}
