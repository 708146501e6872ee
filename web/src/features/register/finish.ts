import { useCart } from '../../selling/cart-store.ts'
import { type Done, useRegister } from '../../selling/register-store.ts'
import { tillPapers } from '../../ui/print.ts'

/** Prints what a paid sale prints, and opens the drawer. */
export async function finishAtPrinter(sold: Done) {
  const papers = await tillPapers()
  await papers?.printAfterSale(sold)
}

/** Ends the sale of the cart: a paid sale shows `done`; after a held one the next sale begins. */
export function finish(done: Done | null) {
  if (done !== null) void finishAtPrinter(done)
  useRegister.getState().show({ panel: 'cart', dialog: null, isSheetOpen: done !== null, done })
  // Goods that were tapped meanwhile begin the next sale.
  useCart.getState().clear()
}
