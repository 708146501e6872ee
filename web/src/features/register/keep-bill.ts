import type { Sale } from 'kasir-client'
import { billContext } from '../../selling/bill-context.ts'
import { cartFromBill } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import type { SaleAttempt } from '../../selling/sale-attempt.ts'

/** The cart becomes the bill of the service: from here on only the service completes it. */
export function keepBill(sale: Sale) {
  const { setAttempt, setCode, change } = useCart.getState()
  setAttempt(null)
  setCode(null)
  change(() => cartFromBill(sale, billContext(sale.outletId)))
}

/** The key of the mutations that write a bill for the first time: until they fail, the cart offers no retry. */
export const WRITE_BILL = ['writeBill'] as const

/** The cart becomes the bill that a request wrote. A second answer to the same request changes nothing. */
export function continueBill({ steps: [step] }: SaleAttempt, sale: Sale) {
  if (useCart.getState().attempt?.steps[0]?.key === step?.key) keepBill(sale)
}
