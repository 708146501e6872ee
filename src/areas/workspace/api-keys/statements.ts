import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

const MADE_BY = statement(
  'api_keys_made_by',
  `with recursive made (id) as (
      select a.id from api_keys a where a.account_id = $1 and a.created_by = $2
      union
      select b.id from api_keys b join made on made.id = b.created_by where b.account_id = $1)
    select c.id from api_keys c join made on made.id = c.id
    where c.account_id = $1 and c.revoked_at is null`,
)

/** Keys that still hold and that somebody made, by hand or through a key of theirs. */
export const idsMadeBy = async (db: Db, { accountId }: Scope, memberId: string): Promise<string[]> =>
  (await named<{ id: string }>(db, MADE_BY, [accountId, memberId])).map((row) => row.id)
