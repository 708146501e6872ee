import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

export const insertAccount = (tx: Tx, scope: Scope, name: string) =>
  tx
    .insertInto('accounts')
    .values({ accountId: scope.accountId, name, createdAt: scope.now, updatedAt: scope.now })
    .execute()
