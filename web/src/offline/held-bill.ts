import type { Cart } from '../selling/cart.ts'

/** A bill that was held while the service was out of reach. It stays on this device until it is sold or held again. */
export type HeldBill = {
  key: string
  accountId: string
  outletId: string
  heldAt: string
  total: number
  cart: Cart
}
