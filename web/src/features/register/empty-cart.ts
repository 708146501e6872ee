import { cartOf, EMPTY_CART, withoutKitchenMarks } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { tillPapers } from '../../ui/print.ts'

/**
 * Empties the cart. Lines that this till printed for the kitchen while it was offline are cancelled there on paper, unless
 * a bill of the service has them. If the cart is brought back, they are printed again.
 */
export function emptyCart() {
  const { change } = useCart.getState()
  const cart = cartOf(useCart.getState())
  if (cart.bill === null && cart.kitchenLines?.length) {
    void tillPapers()?.then((papers) => papers.printCancellations({ ...cart, lines: [] }))
    change(withoutKitchenMarks)
  }
  change(() => EMPTY_CART)
}
