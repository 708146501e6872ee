import { useEffect, useRef } from 'react'
import { useSession } from '../app/session.ts'
import { useCart } from './cart-store.ts'
import { type CartTotals, grossOf, lineDiscountOf } from './cart-totals.ts'
import { type DisplayState, listenToDisplay, say } from './display-state.ts'
import { quantityText } from './quantity.ts'
import { useRegister } from './register-store.ts'

/** The cashier's screen is painted first. A timer, because a covered window has no frames. */
const AFTER_PAINT_MS = 30

/** Keeps the customer display in step with the register. */
export function useDisplay(totals: CartTotals) {
  const business = useSession((session) => session.account?.businessName ?? '')
  const lines = useCart((cart) => cart.lines)
  const code = useCart((cart) => cart.code)
  const done = useRegister((register) => register.done)
  const state: DisplayState = {
    business,
    lines: lines.map((line) => ({
      key: line.key,
      quantity: quantityText(line),
      name: line.name,
      amount: grossOf(line) - lineDiscountOf(line),
    })),
    total: done === null ? totals.due : (done.sale?.total ?? done.row?.receipt.total ?? 0),
    change: done?.change ?? null,
    code: code?.qrString && !code.isCancelled ? { content: code.qrString, amount: code.amount } : null,
  }
  const latest = useRef(state)
  latest.current = state
  useEffect(() => {
    const timer = setTimeout(() => say({ kind: 'state', state: latest.current }), AFTER_PAINT_MS)
    return () => clearTimeout(timer)
  }, [business, lines, totals, done, code])
  useEffect(
    () =>
      listenToDisplay((message) => {
        if (message.kind === 'ask') say({ kind: 'state', state: latest.current })
      }),
    [],
  )
}
