import { type Db } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'

/** Which of these items exist on any sale: an id of another sale is 422, one that does not exist 404 (B-ids-4). */
export async function findItemIds(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('saleItems')
    .select('id')
    .where('accountId', '=', scope.accountId)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map((row) => row.id))
}
