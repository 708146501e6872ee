import { notFound } from '../../../core/errors.ts'
import { clearEmpty } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import { orderOf } from './rules.ts'
import type { Category, CategoryIn, CategoryPatch } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

export async function getCategory(db: Db, scope: Scope, id: string): Promise<Category> {
  const category = await store.find(db, scope, id)
  if (!category) throw notFound('category')
  return category
}

/** Throws 404 with `param` unless the category exists. The category cannot be deleted until the transaction ends. */
export async function requireCategory(tx: Tx, scope: Scope, id: string, param: string) {
  if (!(await store.share(tx, scope, id))) throw notFound('category', param)
}

export async function createCategory(tx: Tx, scope: Scope, input: CategoryIn): Promise<Category> {
  const id = await store.insert(tx, scope, clearEmpty(input, ['station']))
  touchCatalogue(scope, 'category', [id])
  return getCategory(tx, scope, id)
}

export async function updateCategory(
  tx: Tx,
  scope: Scope,
  id: string,
  patch: CategoryPatch,
): Promise<Category> {
  await getCategory(tx, scope, id)
  if (Object.keys(patch).length > 0) {
    await store.update(tx, scope, id, clearEmpty(patch, ['station']))
    touchCatalogue(scope, 'category', [id])
  }
  return getCategory(tx, scope, id)
}

export async function reorderCategories(tx: Tx, scope: Scope, ids: string[]): Promise<Category[]> {
  const known = await store.lockAll(tx, scope)
  await statements.reorder(
    tx,
    scope,
    orderOf(
      ids,
      known.map((row) => row.id),
    ),
  )
  touchCatalogue(
    scope,
    'category',
    known.map(({ id }) => id),
  )
  return store.list(tx, scope)
}
