import { type RefObject, useEffect, useRef } from 'react'
import { useShop } from '../../offline/shop.ts'
import { countGoods, moveSelection, removeLine, setQuantity } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { isWeighedLine } from '../../selling/quantity.ts'
import { pick, useRegister } from '../../selling/register-store.ts'
import type { Shelf } from '../../selling/shelf.ts'
import { beep } from '../../ui/beep.ts'
import { lazyModule } from '../../ui/lazy-module.ts'
import { useScanner } from '../../ui/use-scanner.ts'
import type { Checkout } from './panel-props.ts'

type RegisterKeys = {
  search: RefObject<HTMLInputElement | null>
  shelf: Shelf
  checkout: Checkout
  isSearching: boolean
  addFound(): void
  moveMark(step: 1 | -1): void
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement

const scaleLabels = lazyModule(() => import('../../selling/scale-label.ts'))

/** An unknown code is loud and stays on the screen. */
function refuseCode(unknownCode: string) {
  beep()
  useRegister.getState().show({ unknownCode, labelRefusal: null, query: '' })
}

/** Sells a scanned or typed code. Returns false if nothing in the shop is written like it. */
function sellCode(shelf: Shelf, text: string): boolean {
  const code = text.trim()
  const found = shelf.byBarcode.get(code)
  if (found) {
    pick(found.tile, found.variant, found.pack)
    return true
  }
  // A copy of the settings that an older version of this app kept has no formats.
  const formats = useShop.getState().settings?.scaleBarcodes ?? []
  const isLabel = /^\d{13}$/.test(code) && formats.some(({ prefix }) => code.startsWith(prefix))
  if (isLabel)
    void scaleLabels().then(
      ({ sellLabel }) => sellLabel(shelf, code, formats) || beep(),
      () => refuseCode(code),
    )
  return isLabel
}

/** The keyboard and the scanner of the register. Windows over it have their own keys. */
export function useRegisterKeys(keys: RegisterKeys) {
  const latest = useRef(keys)
  latest.current = keys

  useScanner((code) => {
    const { panel, dialog } = useRegister.getState()
    // A payment or a question on the screen comes first: the sound says that nothing was added.
    if (panel === 'pay' || dialog !== null) return beep()
    if (!sellCode(latest.current.shelf, code)) refuseCode(code)
  })

  const onEnter = () => {
    const { shelf, addFound } = latest.current
    const { query, panel, done, show } = useRegister.getState()
    if (query.trim() !== '' && sellCode(shelf, query)) return
    if (query.trim() !== '') return addFound()
    if (done !== null) return show({ done: null, isSheetOpen: false })
    if (panel === 'cart' && useCart.getState().lines.length > 0) show({ panel: 'pay', isSheetOpen: true })
  }
  const onArrow = (step: 1 | -1) => {
    if (latest.current.isSearching) latest.current.moveMark(step)
    else useCart.getState().change((cart) => moveSelection(cart, step))
  }

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return
      if (useRegister.getState().dialog !== null) return
      const work = actionOf(event, latest.current, { onEnter, onArrow })
      if (!work) return
      event.preventDefault()
      work()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- everything is read from `latest` when a key is pressed
  }, [])
  return { onEnter, onArrow }
}

type KeyActions = { onEnter(): void; onArrow(step: 1 | -1): void }

function actionOf(
  event: KeyboardEvent,
  { search, checkout }: RegisterKeys,
  means: KeyActions,
): (() => void) | null {
  const { panel, done, isSheetOpen, query, show } = useRegister.getState()
  const cart = useCart.getState()
  const focusSearch = () => search.current?.focus()
  if (event.key === 'Escape') {
    if (cart.code !== null) return null
    if (panel === 'pay') return () => show({ panel: 'cart', codeEnd: null })
    if (done !== null || isSheetOpen) return () => show({ done: null, isSheetOpen: false })
    return query === '' ? null : () => show({ query: '' })
  }
  if (panel === 'pay' || cart.code !== null) return null
  switch (event.key) {
    case 'F2':
      return focusSearch
    case 'F4':
      return () => show({ dialog: { kind: 'customer' } })
    case 'F8':
      if (cart.tenders.length > 0 || cart.correction !== null) return () => {}
      if (cart.table !== null && countGoods(cart) > 0) return cart.attempt === null ? checkout.hold : () => {}
      return () => show({ dialog: { kind: countGoods(cart) > 0 ? 'hold' : 'bills' } })
    case 'F9':
      return countGoods(cart) > 0 && cart.attempt === null
        ? () => show({ panel: 'pay', isSheetOpen: true })
        : () => {}
  }
  if (isField(event.target)) return null
  switch (event.key) {
    case '/':
      return focusSearch
    case '?':
      return () => show({ dialog: { kind: 'keys' } })
    case 'Enter':
      return event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement
        ? null
        : means.onEnter
    case 'ArrowDown':
      return () => means.onArrow(1)
    case 'ArrowUp':
      return () => means.onArrow(-1)
  }
  return lineAction(event.key) ?? typeIntoSearch(event, focusSearch) ?? (checkout.isBusy ? () => {} : null)
}

/** Plus, minus and Delete act on the selected line. */
function lineAction(key: string): (() => void) | null {
  const { selected, lines, change } = useCart.getState()
  const line = lines.find((each) => each.key === selected)
  if (!line) return null
  // A weight is typed, never counted.
  if ((key === '+' || key === '-') && isWeighedLine(line)) return () => {}
  if (key === '+') return () => change((cart) => setQuantity(cart, line.key, line.quantity + 1))
  if (key === '-') return () => change((cart) => setQuantity(cart, line.key, line.quantity - 1))
  if (key === 'Delete') return () => change((cart) => removeLine(cart, line.key))
  return null
}

/** A letter or digit without a field begins a search: the focus moves first, so the key lands in the field. */
function typeIntoSearch(event: KeyboardEvent, focusSearch: () => void): null {
  if (event.key.length === 1 && event.key !== ' ') focusSearch()
  return null
}
