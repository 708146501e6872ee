import type { Cart } from '../selling/cart.ts'
import type { SaleAttempt } from '../selling/sale-attempt.ts'
import type { Tender } from '../selling/tender.ts'

/** A sale whose outcome is unknown. It is kept as it was sent: only its own requests may be sent again, under their keys. */
export type UnansweredSale = { key: string; attempt: SaleAttempt; tenders: readonly Tender[] }

/** A bill that was held while the service was out of reach. It stays on this device until it is sold or held again. */
export type HeldBill = {
  key: string
  accountId: string
  outletId: string
  heldAt: string
  total: number
  cart: Cart
  unanswered?: UnansweredSale | undefined
}
