import { useMutation } from '@tanstack/react-query'
import { type StockCount, type StockCountDetail, type StockCountLine, stockCountsCount } from 'kasir-client'
import { useMemo, useRef, useState } from 'react'
import { call } from '../../../app/service.ts'
import { type DraftStore, draftOf } from '../../../office/form/draft.ts'
import type { SoldBy } from '../../../office/goods-amounts.ts'
import { nameOf } from '../../../office/use-outlet-options.ts'
import { useShop } from '../../../offline/shop.ts'
import { shelfOf } from '../../../selling/shelf.ts'
import { beep } from '../../../ui/beep.ts'
import { useScanner } from '../../../ui/use-scanner.ts'

export type CountedGoods = { variantId: string; name: string; soldBy: SoldBy }
/** Goods in the hand of the person who counts. */
export type Counting = CountedGoods & {
  quantity: number | null
  /** The text in the field is no whole number; `quantity` is the one before. */
  isUnread?: boolean
}
/** What the service answers to counted lines: these lines alone, because a count may have thousands. */
export type Written = { stockCount: StockCount; lines: readonly StockCountLine[] }
export type CountProps = { count: StockCountDetail; onWritten(written: Written): void }
/** Why the goods scanned last are not saved: a failure, or null if they have no quantity that can be read. */
export type Refusal = { goods: Counting | null; error: unknown }
export type CountForm = ReturnType<typeof useCounting>
/** `isPaused`: a scan is refused, because the question that ends the count would leave it out. */
type CountingProps = CountProps & { isPaused: boolean }

function useShelf() {
  const { products, categories, groups } = useShop()
  return useMemo(() => shelfOf({ products, categories, groups }), [products, categories, groups])
}

/** Scans may come faster than the service answers: each waits for the one before. */
function useScans(
  scan: (code: string) => Promise<unknown>,
  onFailure: (failure: unknown) => void,
  isPaused: boolean,
) {
  const chain = useRef<Promise<unknown>>(Promise.resolve(null))
  const takeCode = (code: string) => {
    if (isPaused) return beep()
    const taken = chain.current.then(() => scan(code))
    chain.current = taken.then(
      () => null,
      (failure: unknown) => {
        onFailure(failure)
        return failure
      },
    )
  }
  useScanner(takeCode)
  /** Waits for the scans. Returns the failure of the last scan once, so that a second press posts the count. */
  const lastScan = async (): Promise<unknown> => {
    const failure = await chain.current
    chain.current = Promise.resolve(null)
    return failure
  }
  return { takeCode, lastScan }
}

const hasNoQuantity = ({ quantity, isUnread }: Counting) => quantity === null || isUnread === true
const refusalOf = (goods: Counting, saving: Promise<void>): Promise<Refusal | null> =>
  saving.then(
    () => null,
    (error: unknown) => ({ goods, error }),
  )

/** The goods of a draft. A text that was no whole number is typed again. */
function readGoods(draft: DraftStore<Counting>): Counting | null {
  const goods = draft.read()?.values ?? null
  return goods?.isUnread === true ? { ...goods, quantity: null, isUnread: false } : goods
}

/**
 * The goods in the form, kept as a draft while the till is locked. `latest` is read by a scan, which may come before the
 * next render.
 */
function useNow(countId: string) {
  const [draft] = useState(() => draftOf<Counting>(`stockCount:${countId}`))
  const [now, setNow] = useState(() => readGoods(draft))
  const latest = useRef(now)
  latest.current = now
  const set = (next: Counting | null) => {
    latest.current = next
    if (next === null) draft.drop()
    else draft.keep({ base: next, values: next })
    setNow(next)
  }
  return { now, latest, set }
}

/** The goods that are being counted. Scanning them again adds one; scanning others saves the ones before. */
export function useCounting({ count, onWritten, isPaused }: CountingProps) {
  const { now, latest, set } = useNow(count.id)
  const [unknown, setUnknown] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const { byBarcode } = useShelf()
  const save = async (goods: Counting) => {
    const { variantId, quantity } = goods
    onWritten(await call(stockCountsCount, { id: count.id, lines: [{ variantId, quantity: quantity ?? 0 }] }))
    // A scan during the request has already begun the next goods, or raised these.
    if (latest.current === goods) set(null)
  }
  const writing = useMutation({ mutationFn: save })
  const begin = (found: CountedGoods, quantity: number | null) => {
    set({ ...found, quantity })
    setUnknown(null)
  }
  const scan = async (code: string) => {
    setError(null)
    const found = byBarcode.get(code.trim())
    if (found === undefined) {
      beep()
      return setUnknown(code)
    }
    const { tile, variant, pack } = found
    const { soldBy } = variant
    // The barcode of goods sold by weight says no grams: they are weighed and typed.
    const units = pack?.factor ?? (soldBy === 'WEIGHT' ? null : 1)
    const before = latest.current
    if (before?.isUnread === true) {
      beep()
      return setRefusal({ goods: before, error: null })
    }
    if (before?.variantId === variant.id)
      return begin(before, units === null ? before.quantity : (before.quantity ?? 0) + units)
    if (before !== null && before.quantity !== null) await writing.mutateAsync(before)
    begin({ variantId: variant.id, name: nameOf(tile.product.name, variant.name), soldBy }, units)
  }
  const { takeCode, lastScan } = useScans(scan, setError, isPaused)
  const saveLast = async (): Promise<Refusal | null> => {
    const failure = await lastScan()
    const goods = latest.current
    if (failure !== null) return { goods, error: failure }
    writing.reset()
    if (goods === null) return null
    return hasNoQuantity(goods) ? { goods, error: null } : refusalOf(goods, save(goods))
  }
  const finish = async (): Promise<boolean> => {
    const refused = await saveLast()
    setRefusal(refused)
    return refused === null
  }
  return {
    now,
    set,
    begin,
    takeCode,
    unknown,
    error: writing.error ?? error,
    isBusy: writing.isPending,
    isPaused,
    write: (goods: Counting) => writing.mutate(goods),
    refusal,
    /** Saves the goods scanned last. False if they are refused. */
    finish,
  }
}
