import { holdHere, takeHeld } from '../../offline/held.ts'
import type { HeldBill } from '../../offline/held-bill.ts'
import { cartOf, EMPTY_CART } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useRegister } from '../../selling/register-store.ts'
import { finish } from './finish.ts'

/** Keeps a sale without an answer among the open bills of this device, and begins the next sale. */
export async function keepUnanswered(outletId: string, total: number) {
  const store = useCart.getState()
  const { key, attempt, tenders } = store
  if (attempt === null) return
  await holdHere(outletId, { cart: cartOf(store), total, unanswered: { key, attempt, tenders } })
  if (useCart.getState().attempt === attempt) finish(null)
}

/**
 * Shows a kept sale again. It comes back with its requests, so its goods cannot change and it is sent under the same
 * keys. It leaves the list last: after a crash it may be in both places, and is still one sale.
 */
export async function resumeUnanswered({ key, cart, unanswered }: HeldBill) {
  if (unanswered === undefined || useCart.getState().lines.length > 0) return
  useCart.setState({ ...EMPTY_CART, ...cart, ...unanswered, code: null, correction: null })
  useRegister.getState().show({ dialog: null, done: null, panel: 'cart', isSheetOpen: true })
  await takeHeld(key)
}
