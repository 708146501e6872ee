import { type Db, type Tx } from '../../../platform/db/open.ts'
import { ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'

export const hasOutlet = async (db: Db, scope: Scope, id: string) =>
  (await ownRows(db, scope, 'outlets').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export const findSaleOfItem = (db: Db, scope: Scope, itemId: string) =>
  ownRows(db, scope, 'saleItems').select('saleId').where('id', '=', itemId).executeTakeFirst()

/** Every step and every edit of a bill takes this lock, so steps of one ticket never interleave. */
export const lockSale = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'sales').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** A step also updates the sale, so that a ticket in progress stays on its board. */
export const writeOpen = (tx: Tx, scope: Scope, ids: readonly string[], kitchenOpen: boolean) =>
  updateOwn(tx, scope, 'sales').set({ kitchenOpen, updatedAt: scope.now }).where('id', 'in', ids).execute()
