import { type Db } from '../../../../platform/db/open.ts'
import { ownRows } from '../../../../platform/db/own-rows.ts'
import type { Scope } from '../../../../platform/scope.ts'

/** Which of these items exist on any sale: an id of another sale is 422, one that does not exist 404 (B-ids-4). */
export async function findItemIds(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ownRows(db, scope, 'saleItems').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map((row) => row.id))
}
