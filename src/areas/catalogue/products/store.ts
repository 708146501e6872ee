import { sql } from 'kysely'
import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Product } from './schema.ts'

export type ProductFields = Pick<
  Product,
  | 'name'
  | 'description'
  | 'categoryId'
  | 'kind'
  | 'trackStock'
  | 'requiresBatch'
  | 'imageUrl'
  | 'thumbnailUrl'
  | 'station'
  | 'taxRateBps'
  | 'isActive'
>

export const exists = async (db: Db, scope: Scope, id: string) =>
  (await ownRows(db, scope, 'products').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export type LockedProduct = ProductFields & { id: string }

/** Every writer of a product or of its variants takes this lock first, so writers run one after another. */
export const lock = (tx: Tx, scope: Scope, id: string): Promise<LockedProduct | undefined> =>
  ownRows(tx, scope, 'products')
    .select([
      'id',
      'name',
      'description',
      'categoryId',
      'kind',
      'trackStock',
      'requiresBatch',
      'imageUrl',
      'thumbnailUrl',
      'station',
      'taxRateBps',
      'isActive',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Locks the products among `ids` that exist, in order of id, and returns their ids. */
export async function lockMany(tx: Tx, scope: Scope, ids: readonly string[]): Promise<string[]> {
  const rows = await ownRows(tx, scope, 'products')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]})`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}

/** Locks up to `limit` products of a category, in order of id. */
export async function lockOfCategory(tx: Tx, scope: Scope, categoryId: string, limit: number) {
  const rows = await ownRows(tx, scope, 'products')
    .select('id')
    .where('categoryId', '=', categoryId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}

const insertRows = rowsInsert<LockedProduct>({
  name: 'product_insert',
  into: 'products',
  shared: { created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: {
    id: 'text',
    name: 'text',
    description: 'text',
    category_id: 'text',
    kind: 'text',
    track_stock: 'boolean',
    requires_batch: 'boolean',
    image_url: 'text',
    thumbnail_url: 'text',
    station: 'text',
    tax_rate_bps: 'int',
    is_active: 'boolean',
  },
})
export const insert = (tx: Tx, scope: Scope, rows: readonly LockedProduct[]) =>
  insertRows(tx, scope, rows, { createdAt: scope.now, updatedAt: scope.now })

export const update = (tx: Tx, scope: Scope, id: string, fields: Partial<ProductFields>) =>
  updateOwn(tx, scope, 'products')
    .set({ ...fields, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

export const setCategory = (tx: Tx, scope: Scope, ids: readonly string[], categoryId: string | null) =>
  updateOwn(tx, scope, 'products')
    .set({ categoryId, updatedAt: scope.now })
    .where(sql<boolean>`id = any(${[...ids]})`)
    .execute()

/** Updates the time of the last change. */
export const touch = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  updateOwn(tx, scope, 'products')
    .set({ updatedAt: scope.now })
    .where(sql<boolean>`id = any(${[...ids]})`)
    .execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'products').where('id', '=', id).execute()

/** Counts the active products, which the plan limits (B-plan-1). */
export async function countLive(tx: Tx, scope: Scope): Promise<number> {
  const { n } = await ownRows(tx, scope, 'products')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow()
  return n
}
