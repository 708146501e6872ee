import type { Db } from '../../platform/db/open.ts'
import type { Scope } from '../../platform/scope.ts'

export const find = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('diningTables')
    .select(['id', 'label', 'outletId', 'isActive'])
    .where('accountId', '=', scope.accountId)
    .where('id', '=', id)
    .executeTakeFirst()
