import { isKasirError, type Sale } from 'kasir-client'
import { useCallback, useState } from 'react'
import { queries } from '../../app/queries.ts'
import { cartFromBill } from './cart.ts'
import { useCart } from './cart-store.ts'
import type { CartTotals } from './cart-totals.ts'
import { isUnsettled, send, stepsOf } from './checkout.ts'
import { useRegister } from './register-store.ts'
import type { Tender } from './tender.ts'

/** Sends what is left of the attempt. Each step that was answered is forgotten before the next one leaves. */
async function sendAttempt(): Promise<Sale | null> {
  let last: Sale | null = null
  for (;;) {
    const { attempt, setAttempt } = useCart.getState()
    const [step, ...rest] = attempt?.steps ?? []
    if (!attempt || !step) return last
    try {
      last = await send(step)
    } catch (error) {
      if (!isUnsettled(error)) setAttempt(null)
      throw error
    }
    if (rest.length > 0) setAttempt({ ...attempt, steps: rest })
    else return last
  }
}

/** The sale of another device won: the cashier sees both and chooses. */
function showConflict(error: unknown): boolean {
  const { bill } = useCart.getState()
  const sale = isKasirError(error) && error.code === 'CONFLICT' ? error.details?.sale : undefined
  if (!sale || bill === null || sale.status !== 'PARKED' || sale.version === bill.version) return false
  useRegister.getState().show({ panel: 'cart', dialog: { kind: 'conflict', sale } })
  return true
}

/** Sells the cart or holds it as a bill, and shows what came of it. */
export function useCheckout(outletId: string | undefined, totals: CartTotals) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  const run = useCallback(async () => {
    setBusy(true)
    setError(null)
    const { attempt } = useCart.getState()
    try {
      const sale = await sendAttempt()
      useCart.getState().clear()
      useRegister.getState().show({
        panel: 'cart',
        dialog: null,
        isSheetOpen: attempt?.tenders !== null,
        done: sale && attempt && attempt.tenders !== null ? { sale, change: attempt.change } : null,
      })
      void queries.invalidateQueries()
    } catch (caught) {
      if (!showConflict(caught)) setError(caught)
    } finally {
      setBusy(false)
    }
  }, [])

  const begin = useCallback(
    (tenders: readonly Tender[] | null, change: number) => {
      const cart = useCart.getState()
      if (outletId === undefined || cart.lines.length === 0 || isBusy) return
      if (cart.attempt === null)
        cart.setAttempt({ steps: stepsOf({ outletId, cart, totals, tenders }), tenders, change })
      void run()
    },
    [outletId, totals, isBusy, run],
  )

  return { isBusy, error, setError, pay: begin, hold: () => begin(null, 0), retry: () => void run() }
}

/** Takes an open bill into the cart. */
export const takeBill = (sale: Sale) => {
  useCart.getState().change(() => cartFromBill(sale))
  useRegister.getState().show({ dialog: null, done: null, panel: 'cart', isSheetOpen: true })
}
