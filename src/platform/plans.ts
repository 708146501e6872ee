import { effectiveTier, type Tier } from '../core/plans.ts'
import type { Db } from './db/open.ts'
import { ownRows } from './db/own-rows.ts'
import type { Scope } from './scope.ts'

/** What the workspace may have right now: what enforces a plan asks here and nowhere else (B-billing-5). */
export async function effectiveTierOf(
  db: Db,
  { accountId, defaultTier, now }: Pick<Scope, 'accountId' | 'defaultTier' | 'now'>,
): Promise<Tier> {
  const paid = await ownRows(db, { accountId }, 'billingSubscriptions')
    .select(['tier', 'status', 'currentPeriodEnd'])
    .executeTakeFirst()
  return effectiveTier(defaultTier, paid, now)
}
