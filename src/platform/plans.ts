import { effectiveTier, type Tier } from '../core/plans.ts'
import type { Db } from './db/open.ts'
import { ownRows } from './db/own-rows.ts'
import type { Scope } from './scope.ts'

/** The current rights of the workspace: every check of a plan calls this function (B-billing-5). */
export async function effectiveTierOf(
  db: Db,
  { accountId, defaultTier, now }: Pick<Scope, 'accountId' | 'defaultTier' | 'now'>,
): Promise<Tier> {
  const paid = await ownRows(db, { accountId }, 'billingSubscriptions')
    .select(['tier', 'status', 'currentPeriodEnd', 'following'])
    .executeTakeFirst()
  return effectiveTier(defaultTier, paid, now)
}
