import { assert } from '../../../../core/assert.ts'
import { sum } from '../../../../core/money.ts'

/** A batch with what is left of it; `expiryDate` is the last sellable day, YYYY-MM-DD in the outlet's zone. */
export type Batch = {
  id: string
  expiryDate: string | null
  remainingQty: number
  createdAt: string | Date
}

/** Some units from one batch, or unbatched units (`batchId` null). `qty` > 0. */
export type Part = { batchId: string | null; qty: number }

export type ConsumeInput = {
  batches: readonly Batch[]
  /** The stock level: batched and unbatched units together; may be negative. */
  levelQuantity: number
  /** YYYY-MM-DD in the outlet's zone. */
  today: string
  qty: number
  mode: 'sale' | 'adjust' | 'transfer'
  requiresBatch: boolean
}

/**
 * `parts` in order of use, together always `qty`, whatever is missing last from unbatched units. `available` is what
 * the mode may take, never negative, `shortBy` how much of `qty` lies above it. `mustRefuse` marks a shortage that no
 * negative-stock policy forgives: too little under a transfer, or of a product that needs batches.
 */
export type Consumption = { parts: Part[]; available: number; shortBy: number; mustRefuse: boolean }

/** Sellable through the end of its date (B-batch-2), so only an earlier date has expired. */
export const isExpired = (batch: { expiryDate: string | null }, today: string): boolean =>
  batch.expiryDate !== null && batch.expiryDate < today

const remaining = (batches: readonly Batch[]) => sum(batches.map((batch) => batch.remainingQty))

/** What may be sold: the level less what its expired batches hold (B-stock-5); may be negative. */
export const sellable = (level: number, batches: readonly Batch[], today: string): number =>
  level - remaining(batches.filter((batch) => isExpired(batch, today)))

function compare<T>(a: T, b: T): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * First expired, first out: by date, undated last, then by age (B-batch-3). Ids end ties so that any two runs agree.
 */
function byExpiry(a: Batch, b: Batch): number {
  if (a.expiryDate !== b.expiryDate) {
    if (a.expiryDate === null) return 1
    if (b.expiryDate === null) return -1
    return compare(a.expiryDate, b.expiryDate)
  }
  return compare(a.createdAt.valueOf(), b.createdAt.valueOf()) || compare(a.id, b.id)
}

/** Where a mode takes units from, in order (B-stock-3 adjust, B-stock-7 transfer, B-batch-3 sale). */
function sourcesOf({ batches, levelQuantity, today, mode }: ConsumeInput): Part[] {
  const inOrder = batches.filter((batch) => batch.remainingQty > 0).sort(byExpiry)
  const asParts = (some: readonly Batch[]) =>
    some.map((batch) => ({ batchId: batch.id, qty: batch.remainingQty }))
  const fresh = asParts(inOrder.filter((batch) => !isExpired(batch, today)))
  const unbatched = { batchId: null, qty: Math.max(0, levelQuantity - remaining(batches)) }
  // Expired dates are the earliest, so the plain order of dates already puts them first.
  if (mode === 'adjust') return [unbatched, ...asParts(inOrder)]
  if (mode === 'sale') return [...fresh, unbatched]
  return [...fresh, unbatched, ...asParts(inOrder.filter((batch) => isExpired(batch, today)))]
}

function availableOf(input: ConsumeInput): number {
  const { batches, levelQuantity, today, mode, requiresBatch } = input
  if (mode !== 'sale') return Math.max(0, levelQuantity)
  // A pharmacy sells from batches alone: units without a number count for nothing (B-batch-4).
  if (requiresBatch) return remaining(batches.filter((batch) => !isExpired(batch, today)))
  return Math.max(0, sellable(levelQuantity, batches, today))
}

/**
 * Plans where `qty` (> 0) units leave from (B-stock-3, B-stock-7, B-batch-3, B-batch-4). A sale skips expired
 * batches; an adjustment takes unbatched units, then expired batches, then the rest; a transfer takes expired batches
 * last. Never throws: the caller decides by its policy and `mustRefuse`. A source appears at most once in `parts`.
 */
export function consumeFefo(input: ConsumeInput): Consumption {
  assert(input.qty > 0, 'only units above zero are consumed')
  let wanted = input.qty
  const parts: Part[] = []
  for (const source of sourcesOf(input)) {
    const qty = Math.min(source.qty, wanted)
    if (qty === 0) continue
    parts.push({ batchId: source.batchId, qty })
    wanted -= qty
  }
  const unbatched = parts.find((part) => part.batchId === null)
  if (wanted > 0 && unbatched) unbatched.qty += wanted
  else if (wanted > 0) parts.push({ batchId: null, qty: wanted })
  const available = availableOf(input)
  const shortBy = Math.max(0, input.qty - available)
  const mustRefuse = shortBy > 0 && (input.mode === 'transfer' || input.requiresBatch)
  return { parts, available, shortBy, mustRefuse }
}

/** Cuts `take` units after the first `skip` out of parts that are already in order. */
function slice(parts: readonly Part[], skip: number, take: number): Part[] {
  const result: Part[] = []
  let start = 0
  for (const part of parts) {
    const qty = Math.min(start + part.qty, skip + take) - Math.max(start, skip)
    if (qty > 0) result.push({ batchId: part.batchId, qty })
    start += part.qty
  }
  return result
}

/**
 * Shares consumed parts out to the lines that asked for them, in order, so that each line can list its batches
 * (B-batch-3). Σ quantities = Σ parts.
 */
export function shareParts(parts: readonly Part[], quantities: readonly number[]): Part[][] {
  assert(sum(quantities) === sum(parts.map((part) => part.qty)), 'the lines share exactly what was consumed')
  let start = 0
  return quantities.map((qty) => {
    const share = slice(parts, start, qty)
    start += qty
    return share
  })
}

/**
 * What goes back where when `qty` units return of a line that used `parts` and already got `alreadyReturnedQty` back:
 * the same batches in reverse order of use (B-batch-3). alreadyReturnedQty + qty ≤ Σ parts.
 */
export function giveBack(parts: readonly Part[], alreadyReturnedQty: number, qty: number): Part[] {
  assert(alreadyReturnedQty >= 0 && qty >= 0, 'returned units are not negative')
  assert(alreadyReturnedQty + qty <= sum(parts.map((part) => part.qty)), 'no more returns than was used')
  return slice(parts.toReversed(), alreadyReturnedQty, qty)
}
