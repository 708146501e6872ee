import { type Conditions, foldCase } from '../../../core/conditions.ts'
import { invalid, malformed } from '../../../core/errors.ts'
import type { PriceEntry } from '../../../core/prices.ts'
import { epochMsOf } from '../../../core/time.ts'
import type { EntryIn } from './schema.ts'

/** The conditions of a record about which its body says nothing. */
export const NO_CONDITIONS: Conditions = {
  isActive: true,
  outletIds: null,
  orderTypes: null,
  channels: null,
  customerGroupIds: null,
  weekdays: null,
  from: null,
  to: null,
  startsAt: null,
  endsAt: null,
}

/** The values, each once: of those with the same key the first. */
function uniqueBy(values: readonly string[] | null, keyOf: (value: string) => string): string[] | null {
  if (values === null) return null
  const keys = values.map(keyOf)
  return values.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}

/** The record without repeated outlets, groups and channels: each process keeps these lists in memory. */
export const withoutRepeats = <T extends Conditions>(values: T): T => ({
  ...values,
  outletIds: uniqueBy(values.outletIds, (id) => id),
  customerGroupIds: uniqueBy(values.customerGroupIds, (id) => id),
  channels: uniqueBy(values.channels, foldCase),
})

/** Throws 422 for a window or a period that contains no moment (B-price-2). */
export function requireSomeTime({ from, to, startsAt, endsAt }: Conditions): void {
  if ((from ?? '00:00') === (to ?? '24:00'))
    throw invalid('to', 'The window is empty: choose an end that differs from the start')
  if (startsAt !== null && endsAt !== null && epochMsOf(startsAt) >= epochMsOf(endsAt))
    throw invalid('endsAt', 'The period is empty: choose an end after the start')
}

const ADJUSTMENT = 'Send either price or adjustBps'

/** The entries as they are stored. Throws 400 for an incomplete or contradictory one. */
export const entriesFrom = (sent: readonly EntryIn[]): PriceEntry[] =>
  sent.map((entry, index) => {
    const { variantId = null, categoryId = null, price = null, adjustBps = null, roundTo = null } = entry
    const path = `entries[${index}]`
    if ((variantId === null) === (categoryId === null))
      throw malformed(`${path}.variantId`, 'Name either a variant or a category')
    if ((price === null) === (adjustBps === null)) throw malformed(`${path}.price`, ADJUSTMENT)
    if (price !== null && roundTo !== null)
      throw malformed(`${path}.roundTo`, 'A fixed price is not rounded: leave out roundTo')
    return { variantId, categoryId, price, adjustBps, roundTo }
  })

/** Throws 422 for a second entry for the same goods. */
export function requireOneEntryEach(entries: readonly PriceEntry[]): void {
  const seen = new Set<string>()
  entries.forEach(({ variantId, categoryId }, index) => {
    const field = variantId === null ? 'categoryId' : 'variantId'
    const goods = `${field} ${variantId ?? categoryId}`
    if (seen.has(goods))
      throw invalid(`entries[${index}].${field}`, 'The list already has an entry for it: keep one of them')
    seen.add(goods)
  })
}
