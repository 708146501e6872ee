import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

/** Keys that still hold and that somebody made, by hand or through a key of theirs. */
export async function idsMadeBy(db: Db, { accountId }: Scope, memberId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive made (id) as (
      select a.id from api_keys a where a.account_id = ${accountId} and a.created_by = ${memberId}
      union
      select b.id from api_keys b join made on made.id = b.created_by where b.account_id = ${accountId})
    select c.id from api_keys c join made on made.id = c.id
    where c.account_id = ${accountId} and c.revoked_at is null`.execute(db)
  return rows.map((row) => row.id)
}
