import { ApiError } from '../core/errors.ts'
import { CAPS, type Cap } from '../core/plans.ts'
import type { Tx } from './db/open.ts'
import type { Scope } from './scope.ts'

/** The table behind each cap; inactive rows and revoked keys do not count (B-plan-1). */
const COUNTED = {
  outlets: { table: 'outlets', live: 'isActive' },
  products: { table: 'products', live: 'isActive' },
  tables: { table: 'diningTables', live: 'isActive' },
  members: { table: 'members', live: null },
  apiKeys: { table: 'apiKeys', live: 'revokedAt' },
} as const
export type CountedCap = keyof typeof COUNTED & Cap

/**
 * 403 LIMIT_REACHED when one more row would pass the cap of the plan. Call it before the insert: the account row is
 * locked so that two writers cannot both take the last place.
 */
export async function requireUnderCap(tx: Tx, scope: Scope, cap: CountedCap, wanted = 1) {
  const limit = CAPS[scope.tier][cap]
  if (limit === null) return
  await tx
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '=', scope.accountId)
    .forNoKeyUpdate()
    .execute()
  const used = await count(tx, scope, cap)
  if (used + wanted <= limit) return
  throw new ApiError('LIMIT_REACHED', `The ${scope.tier} plan includes ${limit} ${cap}; ${used} are in use`, {
    param: cap,
  })
}

async function count(tx: Tx, scope: Scope, cap: CountedCap): Promise<number> {
  const { table, live } = COUNTED[cap]
  const rows = tx
    .selectFrom(table)
    .where('accountId', '=', scope.accountId)
    .select((eb) => eb.fn.countAll<number>().as('n'))
  const counted =
    live === null
      ? rows
      : live === 'revokedAt'
        ? rows.where('revokedAt' as never, 'is', null as never)
        : rows.where('isActive' as never, '=', true as never)
  return (await counted.executeTakeFirstOrThrow()).n
}
