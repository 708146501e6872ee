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

/** Held until the transaction ends: the category cannot be deleted before a product is put in it. */
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

/** Two reorders at once must not interleave: the rows are locked in one order before any of them changes. */
export const lockAll = (tx: Tx, scope: Scope) =>
  ownRows(tx, scope, 'categories').select('id').orderBy('id').forUpdate().execute()

/** Products that name it must have left it: the key between them refuses otherwise. */
export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'categories').where('id', '=', id).execute()
