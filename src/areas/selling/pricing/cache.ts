import { assert } from '../../../core/assert.ts'
import { sum } from '../../../core/money.ts'
import type { PriceListRule } from '../../../core/prices.ts'
import type { PromotionRule } from '../../../core/promotions.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readPricing } from './statements.ts'

/** What decides the prices of a workspace besides its catalogue. */
export type PriceBook = {
  /** Null for a workspace that never had price lists or promotions. */
  version: string | null
  lists: readonly PriceListRule[]
  /** Those without a code. */
  promotions: readonly PromotionRule[]
}

const NONE: PriceBook = { version: null, lists: [], promotions: [] }

type CachedPrices = { pricing: PriceBook; size: number }

/**
 * One version of each workspace, in the order in which they were read from the database; the oldest are dropped first. A version is
 * unique and its lists never change, so an entry is never wrong.
 */
const cache = new Map<string, CachedPrices>()
/** About 40 MB of heap. A workspace with more than that alone is still cached. */
const MAX_SIZE = 250_000
let cachedSize = 0

const lengthsOf = (...lists: readonly (readonly unknown[] | null)[]): number =>
  sum(lists.map((list) => list?.length ?? 0))

/** How much memory the prices take, counted in entries of price lists. An id, a channel and a part of a bundle count as one. */
export const sizeOf = ({ lists, promotions }: Pick<PriceBook, 'lists' | 'promotions'>): number =>
  1 +
  sum(
    lists.map(
      ({ entries, outletIds, customerGroupIds, channels }) =>
        1 + lengthsOf(entries, outletIds, customerGroupIds, channels),
    ),
  ) +
  sum(
    promotions.map(
      ({ variantIds, categoryIds, bundle, outletIds, customerGroupIds, channels }) =>
        5 + lengthsOf(variantIds, categoryIds, bundle, outletIds, customerGroupIds, channels),
    ),
  )

function drop(accountId: string): void {
  cachedSize -= cache.get(accountId)?.size ?? 0
  cache.delete(accountId)
}

function keep(accountId: string, pricing: PriceBook): void {
  drop(accountId)
  const size = sizeOf(pricing)
  for (const oldest of cache.keys()) {
    if (cachedSize + size <= MAX_SIZE) break
    drop(oldest)
  }
  cache.set(accountId, { pricing, size })
  cachedSize += size
}

/** The price lists and promotions of the workspace at `version`, from the cache; null if they are not there. */
export function cachedPricingAt(
  { accountId }: Pick<Scope, 'accountId'>,
  version: string | null,
): PriceBook | null {
  if (version === null) return NONE
  const pricing = cache.get(accountId)?.pricing
  return pricing?.version === version ? pricing : null
}

/**
 * The price lists and promotions of the workspace, which a sale reads as `version` with its settings. A workspace that never had one has no
 * version and costs no query; otherwise this process reads each version once.
 */
export async function pricingAt(
  db: Db,
  { accountId }: Pick<Scope, 'accountId'>,
  version: string | null,
): Promise<PriceBook> {
  const cached = cachedPricingAt({ accountId }, version)
  if (cached) return cached
  const row = await readPricing(db, { accountId })
  assert(row?.version, 'a version of prices is never taken back')
  // It may be newer than the one that was asked for.
  const pricing = { version: row.version, lists: row.lists, promotions: row.promotions }
  keep(accountId, pricing)
  return pricing
}
