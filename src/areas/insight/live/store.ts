import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

export const outletIds = async (db: Db, { accountId }: Pick<Scope, 'accountId'>) =>
  (
    await db.selectFrom('outlets').select('id').where('accountId', '=', accountId).orderBy('id').execute()
  ).map((outlet) => outlet.id)

export const hasOutlet = async (db: Db, scope: Scope, id: string) =>
  (await db
    .selectFrom('outlets')
    .select('id')
    .where('accountId', '=', scope.accountId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined
