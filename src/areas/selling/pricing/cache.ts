import { assert } from '../../../core/assert.ts'
import type { PriceListRule } from '../../../core/prices.ts'
import type { PromotionRule } from '../../../core/promotions.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readPricing } from './statements.ts'

/** What decides the prices of a workspace besides its catalogue. */
export type PriceBook = {
  lists: readonly PriceListRule[]
  /** Those without a code. */
  promotions: readonly PromotionRule[]
}

const NONE: PriceBook = { lists: [], promotions: [] }

/** By version. A version is unique and its lists never change, so an entry is never wrong; the oldest go. */
const known = new Map<string, PriceBook>()
const MOST = 2_000

/**
 * The price lists and promotions of the workspace, which a sale reads as `version` with its settings. A workspace that never had one has no
 * version and costs no query; otherwise this process reads each version once.
 */
export async function pricingAt(
  db: Db,
  scope: Pick<Scope, 'accountId'>,
  version: string | null,
): Promise<PriceBook> {
  if (version === null) return NONE
  const cached = known.get(version)
  if (cached) return cached
  const row = await readPricing(db, scope)
  assert(row?.version, 'a version of prices is never taken back')
  // It may be newer than the one that was asked for.
  const pricing = { lists: row.lists, promotions: row.promotions }
  known.set(row.version, pricing)
  const [oldest] = known.keys()
  if (known.size > MOST && oldest !== undefined) known.delete(oldest)
  return pricing
}
