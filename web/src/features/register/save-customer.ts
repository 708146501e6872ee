import { useSession } from '../../app/session.ts'
import { createCustomer } from '../../offline/customers.ts'
import { useCart } from '../../selling/cart-store.ts'

/** A bill names a customer of the service, so a customer that was entered offline is created before the bill. */
export async function saveCustomer() {
  const { customer, change } = useCart.getState()
  const accountId = useSession.getState().account?.id
  if (customer === null || customer.id !== null || accountId === undefined) return
  const created = await createCustomer(accountId, customer)
  change((cart) => ({ ...cart, customer: created }))
}
