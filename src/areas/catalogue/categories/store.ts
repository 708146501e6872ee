import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { CategoryIn, CategoryPatch } from './schema.ts'

const withProductCount = (db: Db, scope: Scope) =>
  db
    .selectFrom('categories as c')
    .where('c.accountId', '=', scope.accountId)
    .select((eb) => [
      'c.id',
      'c.name',
      'c.sortOrder',
      'c.isActive',
      'c.station',
      'c.createdAt',
      'c.updatedAt',
      eb
        .selectFrom('products as p')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('p.accountId', '=', scope.accountId)
        .whereRef('p.categoryId', '=', 'c.id')
        .where('p.isActive', '=', true)
        .$asScalar()
        .$notNull()
        .as('productCount'),
    ])

export const list = (db: Db, scope: Scope) =>
  withProductCount(db, scope).orderBy('c.sortOrder').orderBy(orderByName('c.name')).orderBy('c.id').execute()

export const find = (db: Db, scope: Scope, id: string) =>
  withProductCount(db, scope).where('c.id', '=', id).executeTakeFirst()

/** Locks the category until the transaction ends, so that it cannot be deleted before a product is added to it. */
export const share = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'categories').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()

export async function insert(tx: Tx, scope: Scope, input: CategoryIn) {
  const id = newId('category')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'categories', { ...input, id, ...stamps }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, patch: CategoryPatch) =>
  updateOwn(tx, scope, 'categories')
    .set({ ...patch, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

/** Locks the rows in order of id before any of them changes, so that two concurrent reorders cannot interleave. */
export const lockAll = (tx: Tx, scope: Scope) =>
  ownRows(tx, scope, 'categories').select('id').orderBy('id').forUpdate().execute()

/** The caller first removes the category from its products; otherwise the foreign key rejects the deletion. */
export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'categories').where('id', '=', id).execute()
