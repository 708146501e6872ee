import type { Sale } from 'kasir-client'
import { useSession } from '../app/session.ts'
import { billContext } from './bill-context.ts'
import { type Cart, type CartTable, cartFromBill, EMPTY_CART } from './cart.ts'
import { useCart } from './cart-store.ts'
import { useRegister } from './register-store.ts'

/** Takes an open bill into the cart. */
export const takeBill = (sale: Sale) => takeCart(cartFromBill(sale, billContext(sale.outletId)))

/** The register empties a cart of another workspace when it opens, so the cart is given to this one first. */
function changeCart(cart: Cart) {
  const accountId = useSession.getState().account?.id
  if (accountId !== undefined) useCart.getState().enter(accountId)
  const { bill, change, setTenders } = useCart.getState()
  // Only another version of the same bill keeps what the customer paid for it.
  if (bill === null || bill.id !== cart.bill?.id) setTenders([])
  change(() => cart)
}

export function takeCart(cart: Cart) {
  // A cart that was kept by an older version lacks newer fields.
  changeCart({ ...EMPTY_CART, ...cart })
  useRegister.getState().show({ dialog: null, done: null, panel: 'cart', isSheetOpen: true })
}

/** Begins a bill at a table and shows the tiles, because goods are chosen first. */
export function takeTable(table: CartTable) {
  changeCart({ ...EMPTY_CART, table, orderType: 'DINE_IN' })
  useRegister.getState().show({ dialog: null, done: null, panel: 'cart', isSheetOpen: false })
}
