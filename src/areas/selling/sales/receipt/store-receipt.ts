import type { Db } from '../../../../platform/db/open.ts'
import { ownRows } from '../../../../platform/db/own-rows.ts'
import type { Scope } from '../../../../platform/scope.ts'

/** The name of the member or API key that made the sale; null once it no longer exists. */
export async function findCashierName(db: Db, scope: Scope, cashierId: string): Promise<string | null> {
  const row = await ownRows(db, scope, 'members')
    .select('name')
    .where('id', '=', cashierId)
    .unionAll(ownRows(db, scope, 'apiKeys').select('name').where('id', '=', cashierId))
    .executeTakeFirst()
  return row?.name ?? null
}
