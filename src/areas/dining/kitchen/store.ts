import { type Db, type Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'

export const hasOutlet = async (db: Db, scope: Scope, id: string) =>
  (await db
    .selectFrom('outlets')
    .select('id')
    .where('accountId', '=', scope.accountId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined

export const findSaleOfItem = (db: Db, scope: Scope, itemId: string) =>
  db
    .selectFrom('saleItems')
    .select('saleId')
    .where('accountId', '=', scope.accountId)
    .where('id', '=', itemId)
    .executeTakeFirst()

/** Every step and every edit of a bill waits here, so steps of one ticket never interleave. */
export const lockSale = (tx: Tx, scope: Scope, id: string) =>
  tx
    .selectFrom('sales')
    .select('id')
    .where('accountId', '=', scope.accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** A step changes the sale as well: a ticket that somebody works on stays on its board. */
export const writeOpen = (tx: Tx, scope: Scope, ids: readonly string[], kitchenOpen: boolean) =>
  tx
    .updateTable('sales')
    .set({ kitchenOpen, updatedAt: scope.now })
    .where('accountId', '=', scope.accountId)
    .where('id', 'in', ids)
    .execute()
