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

/** The floor a table lands on when none is named: the first of the list. */
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

/** Held until the transaction ends: no table can land on the floor while its deletion is decided. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'floors').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** One writer at a time decides whether the outlet still lacks a floor; sales at the outlet do not wait for it. */
export const lockOutlet = (tx: Tx, scope: Scope, outletId: string) =>
  ownRows(tx, scope, 'outlets').select('id').where('id', '=', outletId).forNoKeyUpdate().execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'floors').where('id', '=', id).execute()
