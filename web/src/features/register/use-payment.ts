import { type RefObject, useEffect, useRef, useState } from 'react'
import { isOnline } from '../../app/line.ts'
import { useCart } from '../../selling/cart-store.ts'
import { cashDueOf } from '../../selling/cart-totals.ts'
import { isOnlyAtService, METHODS, type Method, paidBy, takeTender } from '../../selling/tender.ts'
import type { PanelProps } from './panel-props.ts'

type Refusal = 'below' | 'above' | 'nothing' | 'code'

/** The tender that is being typed, and those that were taken before it. */
export function usePayment(
  { totals, checkout }: Pick<PanelProps, 'totals' | 'checkout'>,
  field: RefObject<HTMLInputElement | null>,
) {
  const { tenders, setTenders, attempt, correction } = useCart()
  const [method, setMethod] = useState<Method>('CASH')
  const [received, setReceived] = useState<number | null>(null)
  const [reference, setReference] = useState('')
  const [dueDate, setDueDate] = useState('')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const left = totals.due - paidBy(tenders)
  const remaining = Math.max(0, left)
  const isBlocked = checkout.isBusy || attempt !== null || left < 0
  const type = (amount: number | null) => {
    setReceived(amount)
    setRefusal(null)
  }
  const choose = (next: Method) => {
    if (isOnlyAtService(next) && (!isOnline() || correction !== null)) return
    setMethod(next)
    setDueDate('')
    type(null)
  }
  const take = (amount: number | null, isPart = false) => {
    if (isBlocked) return
    const step = takeTender({
      due: totals.due,
      cashRounding: totals.cashRounding,
      taken: tenders,
      method,
      received: amount,
      reference,
      dueDate,
      isPart,
    })
    if (step.kind === 'refused') return setRefusal(step.reason)
    if (step.kind === 'complete') return checkout.pay(step.tenders, step.change)
    setTenders(step.tenders)
    setReference('')
    setDueDate('')
    type(null)
    field.current?.focus()
  }
  useFirstFocus(field)
  useDecidedTotal(checkout)
  useMethodKeys(choose)
  const toPay = method === 'CASH' ? cashDueOf(remaining, totals) : remaining
  const change = method === 'CASH' && received !== null ? Math.max(0, received - toPay) : 0
  return {
    method,
    choose,
    received,
    type,
    reference,
    setReference,
    dueDate,
    setDueDate,
    refusal,
    remaining,
    /** What the customer hands over with the chosen method: cash is rounded. */
    toPay,
    change,
    isBlocked,
    take,
  }
}

/** When the payment opens, asks for a total that only the service knows. */
function useDecidedTotal({ decide }: PanelProps['checkout']) {
  const hasAsked = useRef(false)
  useEffect(() => {
    if (hasAsked.current) return
    hasAsked.current = true
    decide()
  }, [decide])
}

function useFirstFocus(field: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    // On a touch screen the focus would open a keyboard over the keypad.
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [field])
}

/** Alt+1 to Alt+7 choose the tender; digits alone always type the amount. */
function useMethodKeys(choose: (method: Method) => void) {
  const latest = useRef(choose)
  latest.current = choose
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const method = event.altKey
        ? METHODS[Number(/^Digit([1-7])$/.exec(event.code)?.[1] ?? 0) - 1]
        : undefined
      if (!method) return
      event.preventDefault()
      latest.current(method)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
