import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { FloorIn, FloorPatch } from './schema.ts'

const withTableCount = (db: Db, scope: Scope) =>
  db
    .selectFrom('floors as f')
    .where('f.accountId', '=', scope.accountId)
    .select((eb) => [
      'f.id',
      'f.outletId',
      'f.name',
      'f.sortOrder',
      'f.createdAt',
      'f.updatedAt',
      eb
        .selectFrom('diningTables as t')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('t.accountId', '=', scope.accountId)
        .whereRef('t.floorId', '=', 'f.id')
        .$asScalar()
        .$notNull()
        .as('tableCount'),
    ])

export const list = (db: Db, scope: Scope, outletId: string) =>
  withTableCount(db, scope)
    .where('f.outletId', '=', outletId)
    .orderBy('f.sortOrder')
    .orderBy(orderByName('f.name'))
    .orderBy('f.id')
    .execute()

export const find = (db: Db, scope: Scope, id: string) =>
  withTableCount(db, scope).where('f.id', '=', id).executeTakeFirst()

/** Finds the first floor of the list, which receives tables without a floor. */
export const first = (db: Db, scope: Scope, outletId: string) =>
  ownRows(db, scope, 'floors')
    .select('id')
    .where('outletId', '=', outletId)
    .orderBy('sortOrder')
    .orderBy(orderByName('name'))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export async function insert(tx: Tx, scope: Scope, input: FloorIn) {
  const id = newId('floor')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'floors', { ...input, id, ...stamps }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, patch: FloorPatch) =>
  updateOwn(tx, scope, 'floors')
    .set({ ...patch, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

/** Locks the floor until the transaction ends, so that no table can be added while its deletion is decided. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'floors').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Locks the outlet, so that only one transaction at a time creates its first floor. Sales at the outlet do not wait
 * for this lock.
 */
export const lockOutlet = (tx: Tx, scope: Scope, outletId: string) =>
  ownRows(tx, scope, 'outlets').select('id').where('id', '=', outletId).forNoKeyUpdate().execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'floors').where('id', '=', id).execute()
