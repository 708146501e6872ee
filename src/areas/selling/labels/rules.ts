import { invalid, malformed } from '../../../core/errors.ts'
import { unitsOf } from '../../../core/packs.ts'
import type { SoldBy } from '../../../core/weights.ts'

export const DESIGNS = ['PRICE', 'SHELF'] as const
export type Design = (typeof DESIGNS)[number]

/** The most labels of one sheet. */
export const MOST_ON_PAPER = 65
/** The most labels of one PDF, and of one request to a printer. */
export const MOST_IN_FILE = 1_000
export const MOST_PRINTED = 200

/** The labels of an item of a purchase order: one for each unit, and one for goods that are weighed when they are sold. */
export const copiesOfOrdered = (
  qty: number,
  pack: { factor: number } | null,
  soldBy: SoldBy | null,
): number => (soldBy === 'WEIGHT' ? Math.min(qty, 1) : unitsOf(qty, pack))

const SOURCES = ['items', 'categoryId', 'changedSince', 'purchaseOrderId'] as const

/** The first field that names goods. Throws 400 if there is none. */
export function requireSource(request: Readonly<Partial<Record<(typeof SOURCES)[number], unknown>>>): string {
  const first = SOURCES.find((source) => request[source] !== undefined)
  if (first === undefined)
    throw malformed('items', 'Name the goods: items, categoryId, changedSince or purchaseOrderId')
  return first
}

/** Throws 422 for no label and for more than `most`. `param` is the field that named the goods. */
export function requireSomeLabels(runs: readonly { copies: number }[], most: number, param: string) {
  const count = runs.reduce((sum, { copies }) => sum + copies, 0)
  if (count === 0) throw invalid(param, 'There are no goods to label; choose others')
  if (count > most)
    throw invalid(param, `These are ${count} labels; ask for at most ${most} and print the rest after them`)
}
