import { notFound } from '../../../core/errors.ts'
import { shortened } from '../../../core/events.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { emitRows, eventRow } from '../../../platform/events/outbox.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import { getCategory, removeCategory, requireCategory } from '../categories/index.ts'
import { productUpdated } from './events.ts'
import type { BulkCategory } from './schema.ts'
import { findMany } from './statements-products.ts'
import * as store from './store.ts'

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
/** Products that are read and announced together: one can have a thousand variants. */
const ANNOUNCED = 25

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
  for (let from = 0; from < ids.length; from += ANNOUNCED) {
    const products = await findMany(tx, scope, ids.slice(from, from + ANNOUNCED))
    await emitRows(
      tx,
      scope,
      products.map((product) =>
        eventRow(scope, productUpdated, product.id, { product: shortened(product, 'variants') }),
      ),
    )
  }
}
