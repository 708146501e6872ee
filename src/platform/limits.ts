import { ApiError } from '../core/errors.ts'
import { CAPS, type Cap } from '../core/plans.ts'
import type { Tx } from './db/open.ts'
import { effectiveTierOf } from './plans.ts'
import type { Scope } from './scope.ts'

/**
 * 403 LIMIT_REACHED when one more row, or so many `more`, would pass the cap of the plan. Call it before the insert: the account row is
 * locked so that two writers cannot both take the last place. `countLive` is how the room that the cap bounds counts its
 * own: inactive rows and revoked keys do not (B-plan-1).
 */
export async function requireUnderCap(
  tx: Tx,
  scope: Scope,
  cap: Cap,
  countLive: (tx: Tx, scope: Scope) => Promise<number>,
  more = 1,
) {
  // Nothing that is paid for caps what every workspace has without a cap.
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
