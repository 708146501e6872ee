import { ApiError } from '../core/errors.ts'
import { CAPS, type Cap } from '../core/plans.ts'
import type { Tx } from './db/open.ts'
import type { Scope } from './scope.ts'

/**
 * 403 LIMIT_REACHED when one more row would pass the cap of the plan. Call it before the insert: the account row is
 * locked so that two writers cannot both take the last place. `countLive` is how the room that the cap bounds counts its
 * own: inactive rows and revoked keys do not (B-plan-1).
 */
export async function requireUnderCap(
  tx: Tx,
  scope: Scope,
  cap: Cap,
  countLive: (tx: Tx, scope: Scope) => Promise<number>,
) {
  const limit = CAPS[scope.tier][cap]
  if (limit === null) return
  await tx
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '=', scope.accountId)
    .forNoKeyUpdate()
    .execute()
  const used = await countLive(tx, scope)
  if (used < limit) return
  throw new ApiError('LIMIT_REACHED', `The ${scope.tier} plan includes ${limit} ${cap}; ${used} are in use`, {
    param: cap,
  })
}
