import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { LabelGoods } from './label.ts'

const goods = (db: Db, { accountId }: Scope) =>
  db
    .selectFrom('variants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .where('v.accountId', '=', accountId)
    .where('p.accountId', '=', accountId)
    .select([
      'v.id as variantId',
      'p.name as productName',
      'v.name as variantName',
      'p.categoryId',
      'v.sku',
      'v.barcode',
      'v.packs',
      'v.price',
      'v.soldBy',
    ])

type GoodsRow = Omit<LabelGoods, 'packs'> & { packs: LabelGoods['packs'] | null }
const goodsView = ({ packs, ...row }: GoodsRow): LabelGoods => ({ ...row, packs: packs ?? [] })

/** The goods among `variantIds` that exist, by their ids. */
export async function findGoods(
  db: Db,
  scope: Scope,
  variantIds: readonly string[],
): Promise<Map<string, LabelGoods>> {
  const rows = await goods(db, scope)
    .where(sql<boolean>`v.id = any(${[...variantIds]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.variantId, goodsView(row)]))
}

/** Goods on sale in order of name. */
const activeGoods = (db: Db, scope: Scope) =>
  goods(db, scope)
    .where('p.isActive', '=', true)
    .where('v.isActive', '=', true)
    .orderBy('p.name')
    .orderBy('p.id')
    .orderBy('v.sortOrder')
    .orderBy('v.id')

/** The active goods of a category in order of name, at most `limit`. */
export const listOfCategory = async (db: Db, scope: Scope, categoryId: string, limit: number) =>
  (await activeGoods(db, scope).where('p.categoryId', '=', categoryId).limit(limit).execute()).map(goodsView)

/** The active goods that were changed at an instant or later, in order of name, at most `limit`. */
export const listChanged = async (db: Db, scope: Scope, since: string, limit: number) =>
  (
    await activeGoods(db, scope)
      .where((eb) => eb.or([eb('v.updatedAt', '>=', since), eb('p.updatedAt', '>=', since)]))
      .limit(limit)
      .execute()
  ).map(goodsView)

export const categoryExists = async (db: Db, scope: Scope, id: string): Promise<boolean> =>
  (await ownRows(db, scope, 'categories').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** The items of a purchase order in their order; null if there is no such order. */
export async function listOrdered(db: Db, scope: Scope, orderId: string) {
  const order = await ownRows(db, scope, 'purchaseOrders')
    .select('id')
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!order) return null
  return ownRows(db, scope, 'purchaseOrderItems')
    .select(['variantId', 'qty', 'receivedQty', 'pack', 'soldBy'])
    .where('purchaseOrderId', '=', orderId)
    .orderBy('position')
    .execute()
}
