import type { Db } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'

export const outletIds = async (db: Db, { accountId }: Pick<Scope, 'accountId'>) =>
  (await ownRows(db, { accountId }, 'outlets').select('id').orderBy('id').execute()).map(
    (outlet) => outlet.id,
  )

export const hasOutlet = async (db: Db, scope: Scope, id: string) =>
  (await ownRows(db, scope, 'outlets').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
