import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { containing } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Product } from './schema.ts'
import * as variants from './store-variants.ts'

export type ProductFields = Pick<
  Product,
  | 'name'
  | 'description'
  | 'categoryId'
  | 'kind'
  | 'trackStock'
  | 'requiresBatch'
  | 'imageUrl'
  | 'station'
  | 'isActive'
>
export type ProductFilter = {
  categoryId?: string | undefined
  active?: boolean | undefined
  q?: string | undefined
}

const groupIds = (scope: Scope) =>
  sql<string[]>`coalesce((select json_agg(g.group_id order by g.sort_order, g.group_id)
    from product_modifier_groups g where g.account_id = ${scope.accountId} and g.product_id = p.id), '[]')`

/** Products with their variants and modifier groups, in one statement. */
const base = (db: Db, scope: Scope) =>
  db
    .selectFrom('products as p')
    .leftJoin('categories as c', (join) =>
      join.on('c.accountId', '=', scope.accountId).onRef('c.id', '=', 'p.categoryId'),
    )
    .where('p.accountId', '=', scope.accountId)
    .select([
      'p.id',
      'p.name',
      'p.description',
      'p.categoryId',
      'c.name as categoryName',
      'p.kind',
      'p.trackStock',
      'p.requiresBatch',
      'p.imageUrl',
      'p.station',
      'p.isActive',
      'p.createdAt',
      'p.updatedAt',
    ])
    .select([variants.ofProduct(scope).as('variants'), groupIds(scope).as('modifierGroupIds')])

function readProducts(rows: Product[]): Product[] {
  for (const row of rows) variants.readVariants(row.variants)
  return rows
}

function conditionsOf(scope: Scope, { categoryId, active, q }: ProductFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (categoryId !== undefined) conditions.push(sql`p.category_id = ${categoryId}`)
  if (active !== undefined) conditions.push(sql`p.is_active = ${active}`)
  if (q !== undefined) {
    const pattern = containing(q)
    const lower = containing(q.toLowerCase())
    // search_text holds every code, so its index finds the candidates among live variants and the precise test follows;
    // the few others are read by the indexes of their codes.
    conditions.push(sql`(p.name ilike ${pattern} or p.id in (
      select v.product_id from variants v where v.account_id = ${scope.accountId} and v.is_live
        and v.search_text like ${lower} and (v.sku ilike ${pattern} or v.barcode ilike ${pattern})
      union all select v.product_id from variants v where v.account_id = ${scope.accountId} and not v.is_live
        and (v.sku ilike ${pattern} or v.barcode ilike ${pattern})))`)
  }
  return conditions
}

/** In order of name and id, behind the row with the key `after`: how a list and an export walk without holding all. */
export async function list(
  db: Db,
  scope: Scope,
  filter: ProductFilter,
  { after, limit }: Span,
): Promise<Product[]> {
  const [name, id] = after ?? []
  const rows = await base(db, scope)
    .where((eb) => eb.and(conditionsOf(scope, filter)))
    .$if(after !== null, (all) => all.where(sql<boolean>`(lower(p.name), p.id) > (lower(${name}), ${id})`))
    .orderBy(orderByName('p.name'))
    .orderBy('p.id')
    .limit(limit)
    .execute()
  return readProducts(rows)
}

export async function findMany(db: Db, scope: Scope, ids: readonly string[]): Promise<Product[]> {
  const rows = await base(db, scope)
    .where(sql<boolean>`p.id = any(${[...ids]})`)
    .orderBy('p.id')
    .execute()
  return readProducts(rows)
}

export const find = async (db: Db, scope: Scope, id: string): Promise<Product | undefined> =>
  (await findMany(db, scope, [id]))[0]

export const exists = async (db: Db, scope: Scope, id: string) =>
  (await ownRows(db, scope, 'products').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export type LockedProduct = ProductFields & { id: string }

/** Every writer of a product and of its variants takes this lock first, so they follow one another. */
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
      'station',
      'isActive',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Ids of the products among `ids` that exist, locked in one order. */
export async function lockMany(tx: Tx, scope: Scope, ids: readonly string[]): Promise<string[]> {
  const rows = await ownRows(tx, scope, 'products')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]})`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}

/** The first products of a category, locked in one order. */
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

export const insert = (tx: Tx, scope: Scope, id: string, fields: ProductFields) =>
  insertOwn(tx, scope, 'products', { ...fields, id, createdAt: scope.now, updatedAt: scope.now }).execute()

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

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'products').where('id', '=', id).execute()

/** What counts towards the cap of the plan (B-plan-1). */
export async function countLive(tx: Tx, scope: Scope): Promise<number> {
  const { n } = await ownRows(tx, scope, 'products')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow()
  return n
}
