import { useCart } from '../../selling/cart-store.ts'
import { type Done, useRegister } from '../../selling/register-store.ts'

/** Ends the sale of the cart: a paid sale shows `done`; after a held one the next sale begins. */
export function finish(done: Done | null) {
  useCart.getState().clear()
  useRegister.getState().show({ panel: 'cart', dialog: null, isSheetOpen: done !== null, done })
}
