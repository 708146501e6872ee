import { useQuery } from '@tanstack/react-query'
import type { Sale } from 'kasir-client'
import { useState } from 'react'
import { newKey } from '../../offline/key.ts'
import { billContext } from '../../selling/bill-context.ts'
import { cartFromBill } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { send } from '../../selling/checkout.ts'
import { billBody } from '../../selling/sale-body.ts'
import { saveCustomer } from './save-customer.ts'
import { showConflict } from './use-checkout.ts'

/** Writes the cart into its open bill, which then has what the cart shows. */
export async function saveBill(totals: CartTotals, key: string): Promise<Sale> {
  await saveCustomer()
  const cart = useCart.getState()
  if (cart.bill === null) throw new Error('only an open bill is saved')
  const { id, version } = cart.bill
  try {
    const sale = await send({ kind: 'edit', key, saleId: id, version, body: billBody(cart, totals) })
    cart.change(() => cartFromBill(sale, billContext(sale.outletId)))
    return sale
  } catch (error) {
    await showConflict(error)
    throw error
  }
}

/**
 * Writes the cart into its open bill before the bill is split or merged. If another device has changed the bill, both
 * versions are shown instead.
 */
export function useSavedBill(totals: CartTotals) {
  const [key] = useState(newKey)
  return useQuery({
    queryKey: ['savedBill', key],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => saveBill(totals, key),
  })
}
