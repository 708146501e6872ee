import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Role, Scope } from '../../../platform/scope.ts'

const MADE_BY = statement(
  'api_keys_made_by',
  `with recursive made (id) as (
      select a.id from api_keys a where a.account_id = $1 and a.created_by = $2
      union
      select b.id from api_keys b join made on made.id = b.created_by where b.account_id = $1)
    select c.id, c.role from api_keys c join made on made.id = c.id
    where c.account_id = $1 and c.revoked_at is null`,
)

/** Lists valid keys that a member created, directly or through one of their keys. */
export const keysMadeBy = (db: Db, { accountId }: Scope, memberId: string) =>
  named<{ id: string; role: Role }>(db, MADE_BY, [accountId, memberId])
