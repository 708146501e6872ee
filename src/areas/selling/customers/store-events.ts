import type { Db } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'

/** Lists the next `limit` sales of the customer, in order of id. */
export async function listSales(
  db: Db,
  scope: Scope,
  customerId: string,
  { after, limit }: { after: string; limit: number },
) {
  const rows = await ownRows(db, scope, 'sales')
    .select('id')
    .where('customerId', '=', customerId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
