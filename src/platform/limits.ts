import { ApiError } from '../core/errors.ts'
import { CAPS, type Cap } from '../core/plans.ts'
import type { Tx } from './db/open.ts'
import { effectiveTierOf } from './plans.ts'
import type { Scope } from './scope.ts'

/**
 * Throws 403 LIMIT_REACHED if one more row, or `more` rows, would exceed the cap of the plan. Call it before the
 * insert: it locks the account row, so that two writers cannot both take the last place. `countLive` counts the rows
 * that the cap limits, without inactive rows and revoked keys (B-plan-1).
 */
export async function requireUnderCap(
  tx: Tx,
  scope: Scope,
  {
    cap,
    countLive,
    more = 1,
  }: { cap: Cap; countLive: (tx: Tx, scope: Scope) => Promise<number>; more?: number | undefined },
) {
  // If the default plan of the installation has no cap for a resource, a paid plan has none either.
  if (CAPS[scope.defaultTier][cap] === null) return
  await tx
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '=', scope.accountId)
    .forNoKeyUpdate()
    .execute()
  const tier = await effectiveTierOf(tx, scope)
  const limit = CAPS[tier][cap]
  if (limit === null) return
  const used = await countLive(tx, scope)
  if (used + more <= limit) return
  throw new ApiError('LIMIT_REACHED', `The ${tier} plan includes ${limit} ${cap}; ${used} are in use`, {
    param: cap,
  })
}
