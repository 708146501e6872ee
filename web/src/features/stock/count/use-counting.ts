import { useMutation } from '@tanstack/react-query'
import { type StockCount, type StockCountDetail, type StockCountLine, stockCountsCount } from 'kasir-client'
import { useMemo, useRef, useState } from 'react'
import { call } from '../../../app/service.ts'
import type { SoldBy } from '../../../office/goods-amounts.ts'
import { nameOf } from '../../../office/use-outlet-options.ts'
import { useShop } from '../../../offline/shop.ts'
import { shelfOf } from '../../../selling/shelf.ts'
import { beep } from '../../../ui/beep.ts'
import { useScanner } from '../../../ui/use-scanner.ts'

export type CountedGoods = { variantId: string; name: string; soldBy: SoldBy }
/** Goods in the hand of the person who counts. */
export type Counting = CountedGoods & { quantity: number | null }
/** What the service answers to counted lines: these lines alone, because a count may have thousands. */
export type Written = { stockCount: StockCount; lines: readonly StockCountLine[] }
export type CountProps = { count: StockCountDetail; onWritten(written: Written): void }

/** The goods that are being counted. Scanning them again adds one; scanning others saves the ones before. */
export function useCounting({ count, onWritten }: CountProps) {
  const [now, setNow] = useState<Counting | null>(null)
  const [unknown, setUnknown] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const { products, categories, groups } = useShop()
  const { byBarcode } = useMemo(
    () => shelfOf({ products, categories, groups }),
    [products, categories, groups],
  )
  const latest = useRef(now)
  latest.current = now
  const set = (next: Counting | null) => {
    latest.current = next
    setNow(next)
  }
  const writing = useMutation({
    mutationFn: ({ variantId, quantity }: Counting) =>
      call(stockCountsCount, { id: count.id, lines: [{ variantId, quantity: quantity ?? 0 }] }),
    onSuccess: (answer, written) => {
      onWritten(answer)
      // A scan during the request has already begun the next goods, or raised these.
      if (latest.current === written) set(null)
    },
  })
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
    if (before?.variantId === variant.id)
      return begin(before, units === null ? before.quantity : (before.quantity ?? 0) + units)
    if (before !== null && before.quantity !== null) await writing.mutateAsync(before)
    begin({ variantId: variant.id, name: nameOf(tile.product.name, variant.name), soldBy }, units)
  }
  // Scans may come faster than the service answers: each waits for the one before.
  const chain = useRef(Promise.resolve())
  const takeCode = (code: string) => {
    chain.current = chain.current.then(() => scan(code)).catch(setError)
  }
  useScanner(takeCode)
  return {
    now,
    set,
    begin,
    takeCode,
    unknown,
    error: writing.error ?? error,
    isBusy: writing.isPending,
    write: (goods: Counting) => writing.mutate(goods),
  }
}
