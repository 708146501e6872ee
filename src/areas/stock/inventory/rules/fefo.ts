import { assert } from '../../../../core/assert.ts'
import { sum } from '../../../../core/money.ts'

/** A batch with its remaining units. `expiryDate` is the last sellable day, YYYY-MM-DD in the outlet's time zone. */
export type AvailableBatch = {
  id: string
  expiryDate: string | null
  remainingQty: number
  createdAt: string | Date
}

/** Units from one batch, or unbatched units (`batchId` null). `qty` > 0. */
export type BatchPart = { batchId: string | null; qty: number }

export type ConsumeInput = {
  batches: readonly AvailableBatch[]
  /** The stock level: batched and unbatched units together. It can be negative. */
  levelQuantity: number
  /** YYYY-MM-DD in the outlet's time zone. */
  today: string
  qty: number
  mode: 'sale' | 'adjust' | 'transfer'
  requiresBatch: boolean
}

/**
 * `parts` are in order of use and add up to `qty`; missing units come last, as unbatched units. `available` is the
 * quantity that the mode can use, never negative. `shortBy` is the part of `qty` above it. `mustRefuse` marks a
 * shortage that no negative-stock policy allows: in a transfer, or for a product that requires batches.
 */
export type Consumption = { parts: BatchPart[]; available: number; shortBy: number; mustRefuse: boolean }

/** A batch can be sold through the end of its date, so only an earlier date has expired (B-batch-2). */
export const isExpired = (batch: { expiryDate: string | null }, today: string): boolean =>
  batch.expiryDate !== null && batch.expiryDate < today

const remaining = (batches: readonly AvailableBatch[]) => sum(batches.map((batch) => batch.remainingQty))

/** Returns the sellable units: the level minus the units of expired batches (B-stock-5). The result can be negative. */
export const sellable = (level: number, batches: readonly AvailableBatch[], today: string): number =>
  level - remaining(batches.filter((batch) => isExpired(batch, today)))

function compare<T>(a: T, b: T): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * Orders batches by date, those without a date last, then by age (B-batch-3). The id breaks ties, so that any two
 * runs agree.
 */
function byExpiry(a: AvailableBatch, b: AvailableBatch): number {
  if (a.expiryDate !== b.expiryDate) {
    if (a.expiryDate === null) return 1
    if (b.expiryDate === null) return -1
    return compare(a.expiryDate, b.expiryDate)
  }
  return compare(a.createdAt.valueOf(), b.createdAt.valueOf()) || compare(a.id, b.id)
}

/** Lists the sources of units for a mode, in order (adjust: B-stock-3, transfer: B-stock-7, sale: B-batch-3). */
function sourcesOf({ batches, levelQuantity, today, mode }: ConsumeInput): BatchPart[] {
  const inOrder = batches.filter((batch) => batch.remainingQty > 0).sort(byExpiry)
  const asParts = (some: readonly AvailableBatch[]) =>
    some.map((batch) => ({ batchId: batch.id, qty: batch.remainingQty }))
  const fresh = asParts(inOrder.filter((batch) => !isExpired(batch, today)))
  const unbatched = { batchId: null, qty: Math.max(0, levelQuantity - remaining(batches)) }
  // Expired batches have the earliest dates, so the order by date already puts them first.
  if (mode === 'adjust') return [unbatched, ...asParts(inOrder)]
  if (mode === 'sale') return [...fresh, unbatched]
  return [...fresh, unbatched, ...asParts(inOrder.filter((batch) => isExpired(batch, today)))]
}

function availableOf(input: ConsumeInput): number {
  const { batches, levelQuantity, today, mode, requiresBatch } = input
  if (mode !== 'sale') return Math.max(0, levelQuantity)
  // A product that requires batches is sold from batches only, so unbatched units do not count (B-batch-4).
  if (requiresBatch) return remaining(batches.filter((batch) => !isExpired(batch, today)))
  return Math.max(0, sellable(levelQuantity, batches, today))
}

/**
 * Plans from which batches `qty` (> 0) units are taken (B-stock-3, B-stock-7, B-batch-3, B-batch-4). A sale skips
 * expired batches. An adjustment takes unbatched units, then expired batches, then the rest. A transfer takes expired
 * batches last. Never throws: the caller decides by its policy and `mustRefuse`. Each source appears at most once in
 * `parts`.
 */
export function consumeFefo(input: ConsumeInput): Consumption {
  assert(input.qty > 0, 'only units above zero are consumed')
  let wanted = input.qty
  const parts: BatchPart[] = []
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

/** Returns the `take` units that follow the first `skip` units of ordered parts. */
function slice(parts: readonly BatchPart[], skip: number, take: number): BatchPart[] {
  const result: BatchPart[] = []
  let start = 0
  for (const part of parts) {
    const qty = Math.min(start + part.qty, skip + take) - Math.max(start, skip)
    if (qty > 0) result.push({ batchId: part.batchId, qty })
    start += part.qty
  }
  return result
}

/**
 * Divides consumed parts among the items that need them, in order, so that each item can list its batches
 * (B-batch-3). Σ quantities = Σ parts.
 */
export function shareParts(parts: readonly BatchPart[], quantities: readonly number[]): BatchPart[][] {
  assert(
    sum(quantities) === sum(parts.map((part) => part.qty)),
    'the items divide exactly the consumed units',
  )
  let start = 0
  return quantities.map((qty) => {
    const share = slice(parts, start, qty)
    start += qty
    return share
  })
}

/**
 * Returns the batches that receive `qty` returned units of an item. The item has used `parts`, and
 * `alreadyReturnedQty` units were returned before. Units go back to the same batches in reverse order of use
 * (B-batch-3). alreadyReturnedQty + qty ≤ Σ parts.
 */
export function returnToBatches(
  parts: readonly BatchPart[],
  alreadyReturnedQty: number,
  qty: number,
): BatchPart[] {
  assert(alreadyReturnedQty >= 0 && qty >= 0, 'returned units are not negative')
  assert(
    alreadyReturnedQty + qty <= sum(parts.map((part) => part.qty)),
    'no more units return than were used',
  )
  return slice(parts.toReversed(), alreadyReturnedQty, qty)
}
