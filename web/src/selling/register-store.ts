import type { Pack, Sale, Variant } from 'kasir-client'
import { create } from 'zustand'
import type { LabelFault, LabelledWeight } from '../core.ts'
import type { OutboxRow } from '../offline/outbox-row.ts'
import { beep } from '../ui/beep.ts'
import { addGoods } from './cart.ts'
import { isOnScreen, pricedFor, useCart } from './cart-store.ts'
import type { CodeEnd } from './payment-code.ts'
import { goodsOf, needsChoice, type Tile } from './shelf.ts'

export type OpenDialog =
  | {
      kind: 'goods'
      tile: Tile
      variant: Variant | null
      pack?: Pack | null
      label?: LabelledWeight
      lineKey: number | null
      quantity: number
    }
  | { kind: 'openItem'; lineKey: number | null; quantity: number }
  /** The form of a new product keeps the barcode that it was opened for. */
  | { kind: 'create'; barcode: string }
  | { kind: 'discount' }
  | { kind: 'split' }
  | { kind: 'merge' }
  | { kind: 'customer' }
  | { kind: 'hold' }
  | { kind: 'bills' }
  | { kind: 'conflict'; sale: Sale }
  | { kind: 'keys' }

/** `row` is a sale that is on this device and perhaps not yet at the service; `sale` is the service's own record. */
export type Done = {
  sale: Sale | null
  row: OutboxRow | null
  change: number
  /** The service sold for another total than the register showed. */
  isOtherTotal?: boolean
}

/** Why the label of a scale sold nothing; `goods` names what it is of. */
export type LabelRefusal = { kind: LabelFault | 'TOO_HEAVY' | 'NOT_FOUND'; goods: string }

type RegisterStore = {
  panel: 'cart' | 'pay'
  /** The sale that was just paid: shown until the next sale begins. */
  done: Done | null
  /** On a portrait screen the cart lies over the tiles. */
  isSheetOpen: boolean
  query: string
  categoryId: string | null
  /** How many the next scan or tap adds; null means one. */
  quantity: number | null
  dialog: OpenDialog | null
  /** A barcode that no product has. */
  unknownCode: string | null
  labelRefusal: LabelRefusal | null
  /** How the QR code of the bill in the cart ended, if it did not complete the bill. */
  codeEnd: CodeEnd | null
  /** The cart whose sale is being written, also while the register is left. */
  busyKey: string | null
  show(change: Partial<Omit<RegisterStore, 'show'>>): void
}

const AFRESH = {
  panel: 'cart',
  done: null,
  isSheetOpen: false,
  query: '',
  categoryId: null,
  quantity: null,
  dialog: null,
  unknownCode: null,
  labelRefusal: null,
  codeEnd: null,
} as const

/** What the register shows. It starts afresh with every load of the page; the cart does not (cart-store.ts). */
export const useRegister = create<RegisterStore>()((set) => ({
  ...AFRESH,
  busyKey: null,
  show: (change) => set(change),
}))

// Another business sees nothing of the one before.
useCart.subscribe(({ accountId }, before) => {
  if (accountId !== before.accountId) useRegister.setState(AFRESH)
})

/** What was tapped or scanned while a sale was being written: it belongs to the next one. */
let heldPicks: (() => void)[] | null = null

/** Whether the cart waits for an answer or for the money of a QR code, and takes no goods. */
function isWaiting(): boolean {
  const { attempt, code } = useCart.getState()
  return attempt !== null || code !== null
}

/**
 * Keeps taps and scans until the returned function is called, or another cart is on the screen. If the cart still waits
 * for an answer or a payment then, the kept goods begin the next sale.
 */
export function holdPicks(): () => void {
  const picks: (() => void)[] = []
  const { key, accountId } = useCart.getState()
  heldPicks = picks
  const ringUp = () => {
    stop()
    // Another business has other goods.
    if (useCart.getState().accountId === accountId) for (const each of picks.splice(0)) each()
  }
  const stop = useCart.subscribe(() => {
    if (isOnScreen(key)) return
    heldPicks = null
    ringUp()
  })
  return () => {
    if (heldPicks === picks) heldPicks = null
    if (!isWaiting() || !isOnScreen(key)) ringUp()
  }
}

/** Adds goods to the sale, or begins the next one with them; `quantity` was typed before. */
export function ring(work: (quantity: number) => void) {
  if (heldPicks !== null) {
    heldPicks.push(() => ring(work))
    return
  }
  const { quantity, show } = useRegister.getState()
  // The sound says that nothing was added, and the cart says why.
  if (isWaiting()) {
    beep()
    return show({ isSheetOpen: true })
  }
  show({ done: null, query: '', quantity: null, unknownCode: null, labelRefusal: null })
  work(quantity ?? 1)
}

/** Adds a product that was tapped, scanned or found. It asks if there is a choice. */
export const pick = (tile: Tile, variant: Variant | null = null, pack: Pack | null = null) =>
  ring((quantity) => add(tile, { variant, pack }, quantity))

type Choice = { variant: Variant | null; pack: Pack | null }

function add(tile: Tile, { variant, pack }: Choice, quantity: number) {
  const { show } = useRegister.getState()
  if (needsChoice(tile, variant, pack)) {
    show({ dialog: { kind: 'goods', tile, variant, pack, lineKey: null, quantity } })
    return
  }
  const only = variant ?? tile.variants[0]
  if (only === undefined) return
  const goods = goodsOf(tile, only, { pack })
  useCart.getState().change((cart) => addGoods(cart, pricedFor(cart, goods), quantity))
}
