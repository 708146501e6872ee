import { useSession } from '../../app/session.ts'
import { createCustomer } from '../../offline/customers.ts'
import { isOnScreen, useCart } from '../../selling/cart-store.ts'

/** Ends work for a cart that is no longer on the screen; `useRun` shows no error of it. */
export function requireOnScreen(key: string) {
  if (!isOnScreen(key)) throw new Error('cart left')
}

/** A bill names a customer of the service, so a customer that was entered offline is created before the bill. */
export async function saveCustomer() {
  const { key, customer, change } = useCart.getState()
  const accountId = useSession.getState().account?.id
  if (customer === null || customer.id !== null || accountId === undefined) return
  const created = await createCustomer(accountId, customer)
  requireOnScreen(key)
  change((cart) =>
    cart.customer?.id === null && cart.customer.key === customer.key ? { ...cart, customer: created } : cart,
  )
}
