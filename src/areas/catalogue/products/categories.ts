import { notFound } from '../../../core/errors.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import { getCategory, removeCategory, requireCategory } from '../categories/index.ts'
import type { BulkCategory } from './schema.ts'
import * as store from './store.ts'
import { announceMany } from './variants.ts'

/**
 * Moves all named products to one category, or out of their categories. Moves none if one of them is unknown
 * (B-product-8).
 */
export async function setCategoryOfMany(tx: Tx, scope: Scope, { productIds, categoryId }: BulkCategory) {
  const ids = [...new Set(productIds)]
  const known = new Set(await store.lockMany(tx, scope, ids))
  const unknown = productIds.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw notFound('product', `productIds[${unknown}]`)
  if (categoryId !== null) await requireCategory(tx, scope, categoryId, 'categoryId')
  await move(tx, scope, ids, categoryId)
  return { updated: ids.length }
}

/** Products that one statement moves; also the limit of one request. */
const PORTION = 500

/** Deletes a category. Its products stay and are announced as changed (B-category-2). */
export async function deleteCategory(tx: Tx, scope: Scope, id: string) {
  await getCategory(tx, scope, id)
  for (;;) {
    const ids = await store.lockOfCategory(tx, scope, id, PORTION)
    if (ids.length === 0) break
    await move(tx, scope, ids, null)
  }
  await removeCategory(tx, scope, id)
  touchCatalogue(scope, 'category', [id])
  return { id, deleted: true as const }
}

/** The caller has locked the products. */
async function move(tx: Tx, scope: Scope, ids: readonly string[], categoryId: string | null) {
  await store.setCategory(tx, scope, ids, categoryId)
  touchCatalogue(scope, 'product', ids)
  await announceMany(tx, scope, ids)
}
