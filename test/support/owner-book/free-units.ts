import { type ExpectedPromotion, isGrams, type Line, sum } from './book.ts'

type FreeOffer = { name: string; buy: number; get: number; covers(line: Line): boolean }

/**
 * "Buy X, get Y" with a pencil: the units stand in a row, the dearest first, and the last `get` of each full group are
 * free. `left` is what earlier promotions left of each line. Null if nothing is free.
 */
export function freeUnits(
  { name, buy, get, covers }: FreeOffer,
  lines: readonly Line[],
  left: readonly number[],
): ExpectedPromotion | null {
  const row = lines.flatMap((line, n) =>
    covers(line) && !isGrams(line)
      ? Array.from({ length: line.quantity }, () => ({ n, line, worth: left[n] ?? 0 }))
      : [],
  )
  row.sort(
    (a, b) =>
      b.worth * a.line.quantity - a.worth * b.line.quantity || (a.line.good.id < b.line.good.id ? -1 : 1),
  )
  const size = buy + get
  const grouped = row.slice(0, row.length - (row.length % size))
  const free = lines.map(
    (_, n) => grouped.filter((unit, place) => unit.n === n && place % size >= buy).length,
  )
  const over = Object.fromEntries(
    free.flatMap((units, n) =>
      units === 0 ? [] : [[n, Math.floor(((left[n] ?? 0) * units) / (lines[n]?.quantity ?? 1))]],
    ),
  )
  const amount = sum(Object.values(over))
  return amount === 0 ? null : { name, amount, over }
}
