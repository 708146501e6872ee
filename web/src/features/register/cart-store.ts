import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import * as carts from './cart.ts'
import type { CheckoutStep } from './checkout.ts'
import type { Tender } from './tender.ts'

/** The requests of a checkout that were not answered yet. While there are any, only they may be sent. */
export type SaleAttempt = {
  steps: readonly CheckoutStep[]
  tenders: readonly Tender[] | null
  change: number
}

type CartStore = carts.Cart & {
  accountId: string | null
  /** Tenders that were taken while others are still to come. */
  tenders: readonly Tender[]
  attempt: SaleAttempt | null
  /** The cart belongs to one workspace: another one starts empty. */
  enter(accountId: string): void
  change(edit: (cart: carts.Cart) => carts.Cart): void
  setTenders(tenders: readonly Tender[]): void
  setAttempt(attempt: SaleAttempt | null): void
  clear(): void
}

/** Kept on the device: neither a reload nor the end of a session loses what was rung up. */
export const useCart = create<CartStore>()(
  persist(
    (set, get) => ({
      ...carts.EMPTY_CART,
      accountId: null,
      tenders: [],
      attempt: null,
      enter: (accountId) => {
        if (get().accountId === accountId) return
        set({ ...carts.EMPTY_CART, accountId, tenders: [], attempt: null })
      },
      change: (edit) => {
        // While the outcome of a sale is unknown its cart stays what it was.
        if (get().attempt === null) set(edit(get()))
      },
      setTenders: (tenders) => set({ tenders }),
      setAttempt: (attempt) => set({ attempt }),
      clear: () => set({ ...carts.EMPTY_CART, tenders: [], attempt: null }),
    }),
    { name: 'kasir-cart' },
  ),
)
