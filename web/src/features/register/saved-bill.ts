import { useMutation } from '@tanstack/react-query'
import type { Sale } from 'kasir-client'
import { useEffect, useRef } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { isOnScreen, useCart } from '../../selling/cart-store.ts'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { send } from '../../selling/checkout.ts'
import { holdPicks } from '../../selling/register-store.ts'
import type { SaleAttempt } from '../../selling/sale-attempt.ts'
import { billBody } from '../../selling/sale-body.ts'
import { continueBill, WRITE_BILL } from './keep-bill.ts'
import { saveCustomer } from './save-customer.ts'
import { showConflict } from './use-checkout.ts'

/** Writes the cart into its open bill, which then has what the cart shows. */
export async function saveBill(totals: CartTotals, key: string): Promise<Sale> {
  await saveCustomer()
  const cart = useCart.getState()
  if (cart.bill === null) throw new Error('only an open bill is saved')
  const { id, version } = cart.bill
  const step = { kind: 'edit' as const, key, saleId: id, version, body: billBody(cart, totals) }
  const attempt: SaleAttempt = { steps: [step], tenders: null, change: 0, isContinued: true }
  // Until the answer is there the cart stays as it was sent, and goods that are tapped wait.
  const release = holdPicks()
  cart.setAttempt(attempt)
  try {
    const sale = await send(step)
    continueBill(attempt, sale)
    return sale
  } catch (error) {
    if (!isOnScreen(cart.key)) throw error
    if (useCart.getState().attempt?.steps[0]?.key === key) cart.setAttempt(null)
    await showConflict(error)
    throw error
  } finally {
    release()
  }
}

/**
 * Writes the cart into its open bill before the bill is split or merged. If another device has changed the bill, both
 * versions are shown instead. A write is no query: what refreshes the page must not write the bill again.
 */
export function useSavedBill(totals: CartTotals) {
  const send = useRequestKey()
  const saved = useMutation({
    mutationKey: WRITE_BILL,
    mutationFn: () => send((key) => saveBill(totals, key)),
  })
  const { mutate } = saved
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    mutate()
  }, [mutate])
  return saved
}
