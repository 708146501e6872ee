import type { Db } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'

/** The name of the member or API key that made the sale; null once it no longer exists. */
export async function findCashierName(db: Db, scope: Scope, cashierId: string): Promise<string | null> {
  const row = await db
    .selectFrom('members')
    .select('name')
    .where('accountId', '=', scope.accountId)
    .where('id', '=', cashierId)
    .unionAll(
      db
        .selectFrom('apiKeys')
        .select('name')
        .where('accountId', '=', scope.accountId)
        .where('id', '=', cashierId),
    )
    .executeTakeFirst()
  return row?.name ?? null
}
