import { useNavigate } from '@tanstack/react-router'
import { isKasirError, type Outlet, type Sale, salesGet } from 'kasir-client'
import { useCallback, useEffect, useState } from 'react'
import { isOnline } from '../../app/line.ts'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { useSession } from '../../app/session.ts'
import { holdHere } from '../../offline/held.ts'
import { newKey } from '../../offline/key.ts'
import { removeRow } from '../../offline/outbox.ts'
import { AlreadySold, SaleRefused } from '../../offline/outbox-row.ts'
import { sendAndWait } from '../../offline/sender.ts'
import { isOutletClosed, useShop } from '../../offline/shop.ts'
import { cartOf } from '../../selling/cart.ts'
import { isOnScreen, useCart } from '../../selling/cart-store.ts'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { BillTotalChanged, isUnsettled, send, stepsOf } from '../../selling/checkout.ts'
import { type Done, holdPicks, useRegister } from '../../selling/register-store.ts'
import { takeBill } from '../../selling/take-bill.ts'
import { paidBy, type Tender } from '../../selling/tender.ts'
import { tillPapers } from '../../ui/print.ts'
import { SentenceError } from '../../ui/sentence-error.ts'
import { isExpired } from './expiry.ts'
import { finish, finishAtPrinter } from './finish.ts'
import { continueBill, keepBill } from './keep-bill.ts'
import { openCode } from './payment-code.ts'
import { requireOnScreen, saveCustomer } from './save-customer.ts'
import { canSellAlone, needsTotal, sellAlone } from './sell.ts'

/**
 * Continues an open bill whose payment was refused. Writing it before the payment made a new version; with the old one
 * the next payment would look like a change by another device.
 */
async function continueWritten(key: string, id: string, written: Sale | null) {
  const sale = written ?? (await call(salesGet, { id }).catch(() => null))?.sale
  if (sale?.status === 'PARKED' && isOnScreen(key)) keepBill(sale)
}

/** Sends the rest of the attempt. Each step that was answered is forgotten before the next one leaves. */
async function sendAttempt(): Promise<Sale | null> {
  const { key } = useCart.getState()
  let last: Sale | null = null
  for (;;) {
    const { attempt, setAttempt } = useCart.getState()
    const [step, ...rest] = attempt?.steps ?? []
    if (!attempt || !step) return last
    try {
      last = await send(step)
      if (rest.length > 0 && attempt.tenders !== null && paidBy(attempt.tenders) !== last.remaining)
        throw new BillTotalChanged(last)
    } catch (error) {
      if (!isUnsettled(error) && isOnScreen(key)) {
        setAttempt(null)
        if (step.kind === 'settle') await continueWritten(key, step.saleId, last)
      }
      throw error
    }
    requireOnScreen(key)
    if (rest.length > 0) setAttempt({ ...attempt, steps: rest })
    else return last
  }
}

/** The present bill of the service, if an edit failed because of another device. */
async function currentBill(error: unknown, id: string): Promise<Sale | undefined> {
  if (!isKasirError(error)) return undefined
  if (error.code === 'CONFLICT') return error.details?.sale
  // An item that another device took off the bill is missed before the versions are compared.
  if (error.code !== 'NOT_FOUND') return undefined
  return call(salesGet, { id }).then(
    ({ sale }) => sale,
    () => undefined,
  )
}

/** The sale of another device won: the cashier sees both and chooses. */
export async function showConflict(error: unknown): Promise<boolean> {
  const { bill } = useCart.getState()
  if (bill === null) return false
  const sale = await currentBill(error, bill.id)
  if (useCart.getState().bill?.id !== bill.id) return false
  if (!sale || sale.status !== 'PARKED' || sale.version === bill.version) return false
  useRegister.getState().show({ panel: 'cart', dialog: { kind: 'conflict', sale } })
  return true
}

/** Saves the customer and cancels removed lines in the kitchen, before the service gets the cart. */
async function prepareCart() {
  const { key } = useCart.getState()
  await saveCustomer()
  requireOnScreen(key)
  const cart = useCart.getState()
  if (!cart.kitchenLines?.length) return
  const papers = await tillPapers()
  papers?.printCancellations(cartOf(cart))
  cart.change((now) => ({ ...now, kitchenLines: null }))
}

/** Shows the cart, which says that another tab has sold it, and begins the next sale. */
function leaveSoldCart(soldKey: string): true {
  const { key, clear } = useCart.getState()
  if (key === soldKey) clear()
  useRegister.getState().show({ panel: 'cart', dialog: null, isSheetOpen: true })
  return true
}

/** How long the receipt waits for the answer of the service. A line that is down is known sooner. */
const ANSWER_MS = 800

/** Sells without waiting for the service longer than a moment. Null if the sale needs the service first. */
async function sellHere(
  outlet: Outlet,
  totals: CartTotals,
  tenders: readonly Tender[],
  change: number,
): Promise<Done | null> {
  const { member, account } = useSession.getState()
  const store = useCart.getState()
  const cart = cartOf(store)
  const { key, correction } = store
  const sale = { cart, totals, tenders, correction }
  if (!member || !account || !canSellAlone(sale, useShop.getState().settings, member)) return null
  const own = { ...sale, accountId: account.id, outlet, member, key, change }
  const row = await sellAlone(own).catch((error: unknown) => {
    // Without storage the service has to answer before the receipt.
    if (!(error instanceof AlreadySold) && isOnline() && correction === null) return null
    throw error
  })
  if (row === null) return null
  const arrival = await sendAndWait(row.ref, ANSWER_MS)
  // What was made before the customer left stays in the outbox with its reason.
  if (arrival.kind !== 'refused' || correction !== null || !isOnScreen(key))
    return { sale: arrival.kind === 'sent' ? arrival.sale : null, row, change }
  await removeRow(row.ref)
  throw new SaleRefused(arrival.problem)
}

/** Holds the cart as an open bill, whose total the service decides, and continues with it. */
async function askTotal(outletId: string, totals: CartTotals): Promise<Sale | null> {
  await prepareCart()
  const cart = useCart.getState()
  const attempt = {
    steps: stepsOf({ outletId, cart, totals, tenders: null }),
    tenders: null,
    change: 0,
    isContinued: true,
  }
  cart.setAttempt(attempt)
  const sale = await sendAttempt()
  if (sale) continueBill(attempt, sale)
  return sale
}

/** A promotion may begin while the customer pays: the change is that of the service. */
const doneFrom = (sale: Sale, shown: number): Done => ({
  sale,
  row: null,
  change: sale.changeTotal,
  isOtherTotal: sale.changeTotal !== shown,
})

type CheckoutProps = { outlet: Outlet | undefined; totals: CartTotals }

/** Shows the cart, which says how an expired sale is looked up. Returns false if there is none. */
function showExpired(): boolean {
  const { attempt } = useCart.getState()
  if (attempt === null || !isExpired(attempt)) return false
  useRegister.getState().show({ panel: 'cart', dialog: null, isSheetOpen: true })
  return true
}

/** Shows why a sale was not made, if its cart is still on the screen. Returns false if there is nothing more to show. */
async function showFailure(key: string, caught: unknown): Promise<boolean> {
  if (caught instanceof AlreadySold) return leaveSoldCart(key)
  // The service is right about the total: the cashier takes the payment again.
  if (caught instanceof BillTotalChanged) await useShop.getState().refresh()
  if (!isOnScreen(key)) return false
  if (caught instanceof BillTotalChanged) takeBill(caught.sale)
  // The customer is still here: the same cart, with what was paid, is sold again under another key.
  if (caught instanceof SaleRefused) useCart.setState({ key: newKey() })
  return !(await showConflict(caught))
}

/** Runs one operation of a cart at a time and shows its result. After 'kept' the cart continues as a bill. */
function useRun() {
  const busyKey = useRegister((register) => register.busyKey)
  const isBusy = useCart((cart) => cart.key === busyKey)
  const [error, setError] = useState<unknown>(null)
  const navigate = useNavigate()
  /** Shows the cart with the reason: on a portrait screen it may be closed. */
  const fail = useCallback((reason: unknown) => {
    setError(reason)
    useRegister.getState().show({ isSheetOpen: true })
  }, [])
  const run = useCallback(
    async (work: () => Promise<Done | null | 'kept'>) => {
      setError(null)
      if (showExpired()) return
      const { key, table } = useCart.getState()
      const { show } = useRegister.getState()
      show({ busyKey: key })
      const release = holdPicks()
      try {
        const outcome = await work()
        void queries.invalidateQueries()
        if (outcome === 'kept') return
        // The next sale has begun, and stays on the screen.
        if (useCart.getState().key !== key) return void (outcome && finishAtPrinter(outcome))
        finish(outcome)
        // What was sent from a table leads back to the tables.
        if (outcome === null && table !== null) void navigate({ to: '/meja' })
      } catch (caught) {
        if (await showFailure(key, caught)) fail(caught)
      } finally {
        if (useRegister.getState().busyKey === key) show({ busyKey: null })
        release()
      }
    },
    [navigate, fail],
  )
  return { isBusy, error, setError, fail, run }
}

/** Why the cart may not be sold; null until the outlets are known. */
function refusalWithoutOutlet() {
  if (useCart.getState().correction !== null) return new SentenceError('outbox.otherOutlet')
  return isOutletClosed() ? new SentenceError('outlet.closed') : null
}

/** Before the customer pays, asks for a total that only the service knows. */
function decideTotal(run: ReturnType<typeof useRun>['run'], { outlet, totals }: CheckoutProps) {
  if (outlet === undefined || !needsTotal(useCart.getState())) return
  void run(async () => {
    await askTotal(outlet.id, totals)
    return 'kept'
  })
}

/** Sends what is left of the attempt. */
async function sendSteps(): Promise<Done | null | 'kept'> {
  const { attempt } = useCart.getState()
  const sale = await sendAttempt()
  if (sale && attempt?.isContinued) {
    continueBill(attempt, sale)
    return 'kept'
  }
  if (sale && attempt?.isForCode) {
    await openCode(sale)
    return 'kept'
  }
  return sale && attempt && attempt.tenders !== null ? doneFrom(sale, attempt.change) : null
}

/** Sells the cart or holds it as a bill. */
export function useCheckout({ outlet, totals }: CheckoutProps) {
  const { isBusy, error, setError, fail, run } = useRun()
  useEffect(() => setError(null), [outlet?.id, setError])

  const begin = (tenders: readonly Tender[] | null, change: number) => {
    const cart = useCart.getState()
    if (cart.lines.length === 0 || isBusy) return
    // The refused sale stays in the outbox, so as a bill it would exist twice.
    if (tenders === null && cart.correction !== null) return
    if (outlet === undefined) return fail(refusalWithoutOutlet())
    void run(async () => {
      if (cart.attempt === null && tenders === null && cart.bill === null && !isOnline()) {
        const papers = await tillPapers()
        const held = papers ? papers.printOfflineSlips(cartOf(cart)) : cartOf(cart)
        await holdHere(outlet.id, { cart: held, total: totals.total })
        return null
      }
      if (tenders !== null && needsTotal(cart)) {
        const sale = await askTotal(outlet.id, totals)
        if (sale && sale.remaining !== totals.due) throw new BillTotalChanged(sale)
      }
      if (cart.attempt === null && tenders !== null) {
        const done = await sellHere(outlet, totals, tenders, change)
        if (done !== null) return done
      }
      if (useCart.getState().attempt === null) {
        await prepareCart()
        const steps = stepsOf({ outletId: outlet.id, cart: useCart.getState(), totals, tenders })
        cart.setAttempt({ steps, tenders, change })
      }
      return sendSteps()
    })
  }

  /** Holds the cart as an open bill, and shows the QR code that pays it. */
  const showCode = () => {
    const cart = useCart.getState()
    if (cart.lines.length === 0 || isBusy || cart.attempt !== null) return
    if (outlet === undefined) return fail(refusalWithoutOutlet())
    void run(async () => {
      await prepareCart()
      const steps = stepsOf({ outletId: outlet.id, cart: useCart.getState(), totals, tenders: null })
      cart.setAttempt({ steps, tenders: null, change: 0, isForCode: true })
      return sendSteps()
    })
  }

  return {
    isBusy,
    error,
    setError,
    showCode,
    decide: () => decideTotal(run, { outlet, totals }),
    pay: begin,
    hold: () => begin(null, 0),
    retry: () => void run(sendSteps),
  }
}
