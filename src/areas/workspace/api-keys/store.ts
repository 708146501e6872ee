import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

const all = (db: Db, scope: Scope) =>
  db
    .selectFrom('apiKeys')
    .select(['id', 'name', 'prefix', 'readOnly', 'lastUsedAt', 'revokedAt', 'createdAt', 'updatedAt'])
    .where('accountId', '=', scope.accountId)

export const list = (db: Db, scope: Scope) => all(db, scope).orderBy('id', 'desc').execute()

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).where('id', '=', id).executeTakeFirst()
