import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'
import { listenToTabs } from '../offline/channel.ts'
import { serverNow } from '../offline/clock.ts'
import { newKey } from '../offline/key.ts'
import { isSold } from '../offline/outbox.ts'
import * as carts from './cart.ts'
import { cartStorage, findOpenSlots, hasStoredCart, leaveSlot, takeLeftCart } from './cart-slot.ts'
import type { Correction } from './correction.ts'
import type { PaymentCode } from './payment-code.ts'
import type { SaleAttempt } from './sale-attempt.ts'
import type { Tender } from './tender.ts'

type CartStore = carts.Cart & {
  accountId: string | null
  /** Identifies this cart: the Idempotency-Key of its sale, new for every cart. */
  key: string
  /** Tenders that were taken while others are still to come. */
  tenders: readonly Tender[]
  attempt: SaleAttempt | null
  /** The QR code that the customer sees. Until it has ended, the cart is its bill and takes no other money. */
  code: PaymentCode | null
  correction: Correction | null
  /** The last change was refused, because the cart would have been larger than what the register sells at once. */
  isFull: boolean
  /** The cart belongs to one workspace, which finds it again: another one starts empty. */
  enter(accountId: string): void
  change(edit: (cart: carts.Cart) => carts.Cart): void
  setTenders(tenders: readonly Tender[]): void
  setAttempt(attempt: SaleAttempt | null): void
  setCode(code: PaymentCode | null): void
  /** Shows a refused sale again, to be changed and sent. */
  correct(cart: carts.Cart, correction: Correction): void
  clear(): void
}

const emptied = () => ({
  ...carts.EMPTY_CART,
  key: newKey(),
  tenders: [],
  attempt: null,
  code: null,
  correction: null,
  isFull: false,
})

/** Sets the prices of a cart by the price lists (list-prices.ts); without lists it is not loaded. */
export type Pricer = (cart: carts.Cart) => carts.Cart
let pricer: Pricer | null = null

/** From here on a cart has the prices of `next`, and so has the one on the screen. */
export function setPricer(next: Pricer | null) {
  pricer = next
  const { correction, tenders, change } = useCart.getState()
  if (correction === null && tenders.length === 0 && !isPaying)
    change(next === null ? carts.atBasePrices : (cart) => cart)
}

/** While the customer pays, the cart keeps its prices; what is tapped next has the present ones. */
let isPaying = false

export function holdPrices(isHeld: boolean) {
  if (isPaying === isHeld) return
  isPaying = isHeld
  setPricer(pricer)
}

/** Goods at the price that the price lists set for a cart. */
export function pricedFor(cart: carts.Cart, goods: carts.Goods): carts.Goods {
  const line: carts.CartLine = { ...goods, key: 0, itemId: null, quantity: 1, discount: null }
  const [priced = line] = pricer?.({ ...cart, lines: [line] }).lines ?? []
  return { ...goods, unitPrice: priced.unitPrice, priceListId: priced.priceListId ?? null }
}

const isGrownTooLarge = (before: carts.Cart, after: carts.Cart) =>
  carts.isTooLarge(after) && !carts.isTooLarge(before)

/** Whether a closed tab, or a browser that was killed, may have left a cart that this new tab continues. */
let mayContinue = !hasStoredCart()

/** Stored on the device, so that the cart survives a reload and the end of a session. */
export const useCart = create<CartStore>()(
  persist(
    (set, get) => ({
      ...emptied(),
      accountId: null,
      enter: (accountId) => {
        if (get().accountId !== accountId) {
          if (get().lines.length > 0) leaveSlot()
          set({ ...emptied(), accountId })
          mayContinue = true
        }
        // A duplicated tab begins with the same empty cart, and each sells its own.
        else if (get().lines.length === 0) set({ key: newKey(), tenders: [] })
        else void dropSoldCart()
        if (mayContinue) void continueLeftCart(accountId)
      },
      change: (edit) => {
        // While the outcome of a sale is unknown, its cart does not change.
        if (get().attempt !== null || get().code !== null) return
        const edited = edit(get())
        // What was printed or partly paid keeps its prices.
        const isFixed = get().correction !== null || get().tenders.length > 0 || isPaying
        const cart = pricer === null || isFixed ? edited : pricer(edited)
        if (cart.bill?.id === get().bill?.id && isGrownTooLarge(get(), cart)) {
          set({ isFull: true })
          return
        }
        const { bill, lines } = get()
        const isBegun = lines.length === 0 && cart.lines.length > 0
        const isOtherBill = bill !== null && cart.bill !== null && cart.bill.id !== bill.id
        set({
          ...cart,
          isFull: false,
          // Another tab may have sold the cart that was emptied here.
          ...((isBegun || isOtherBill) && { key: newKey() }),
          // Without its goods nothing of a corrected sale is left to change, and nothing to pay.
          ...(cart.lines.length === 0 && { correction: null, tenders: [] }),
        })
      },
      setTenders: (tenders) => set({ tenders }),
      setAttempt: (attempt) => set({ attempt: attempt && { begunAt: serverNow(), ...attempt } }),
      setCode: (code) => set({ code }),
      correct: (cart, correction) => set({ ...emptied(), ...cart, correction }),
      clear: () => set(emptied()),
    }),
    { name: 'kasir-cart', storage: createJSONStorage(() => cartStorage) },
  ),
)

/** Whether a cart is still on the screen. If the answer to its request comes later, it changes no other cart. */
export function isOnScreen(cartKey: string): boolean {
  const { key, lines } = useCart.getState()
  return key === cartKey && lines.length > 0
}

/** After a crash the stored cart may be one that the outbox already has. */
async function dropSoldCart() {
  const { key } = useCart.getState()
  if ((await isSold(key).catch(() => false)) && useCart.getState().key === key) useCart.getState().clear()
}

/** Continues a cart that a closed tab left. An open tab keeps its own, and so does this one once it is begun. */
async function continueLeftCart(accountId: string) {
  const open = await findOpenSlots()
  const { lines, table, customer, accountId: now } = useCart.getState()
  if (lines.length > 0 || table !== null || customer !== null || now !== accountId) return
  // Another one may be left for when the register is shown again.
  mayContinue = takeLeftCart(accountId, open)
  if (!mayContinue) return
  await useCart.persist.rehydrate()
  await dropSoldCart()
}

listenToTabs((message) => {
  // An empty cart needs another key too: the next goods are another sale.
  const { key, clear } = useCart.getState()
  if (message.kind === 'sold' && message.key === key) clear()
})
