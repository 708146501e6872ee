import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { RecipePart } from './rules.ts'

export const list = (db: Db, scope: Scope, variantId: string) =>
  db
    .selectFrom('recipeComponents as r')
    .innerJoin('variants as v', (join) =>
      join.on('v.accountId', '=', scope.accountId).onRef('v.id', '=', 'r.componentVariantId'),
    )
    .innerJoin('products as p', (join) =>
      join.on('p.accountId', '=', scope.accountId).onRef('p.id', '=', 'v.productId'),
    )
    .where('r.accountId', '=', scope.accountId)
    .where('r.variantId', '=', variantId)
    .select([
      'r.id',
      'r.componentVariantId',
      'r.quantity',
      'r.unit',
      'p.id as productId',
      'p.name as productName',
      'v.name as variantName',
      'v.cost',
      'v.soldBy',
      'r.createdAt',
      'r.updatedAt',
    ])
    .orderBy('r.sortOrder')
    .orderBy('r.id')
    .execute()

const inOrder = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  ownRows(tx, scope, 'variants')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]})`)
    .orderBy('id')

/**
 * Locks the variants of a recipe in order of id. The composite is locked against stock movements, sales and deletion.
 * Its components are locked only against changes of their kind, so that they can still be sold. Two recipes that name
 * each other wait for each other here, so neither can create a composite of a composite.
 */
export async function lock(tx: Tx, scope: Scope, id: string, componentIds: readonly string[]) {
  const held = (ids: readonly string[]) =>
    ids.length === 0 ? [] : inOrder(tx, scope, ids).forKeyShare().execute()
  await held(componentIds.filter((other) => other < id))
  await inOrder(tx, scope, [id]).forUpdate().execute()
  await held(componentIds.filter((other) => other > id))
}

/** The fields that decide whether variants can be in a recipe. Read them after the lock. */
export const facts = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  tx
    .selectFrom('variants as v')
    .innerJoin('products as p', (join) =>
      join.on('p.accountId', '=', scope.accountId).onRef('p.id', '=', 'v.productId'),
    )
    .where('v.accountId', '=', scope.accountId)
    .where(sql<boolean>`v.id = any(${[...ids]})`)
    .select(['v.id', 'v.isComposite', 'v.isLive', 'p.kind', 'p.name as productName', 'v.name as variantName'])
    .execute()

/**
 * Returns true while an outlet has stock of the variant, positive or negative. The levels need no lock: every stock
 * movement shares the variant first, and `lock` has waited for that.
 */
export async function hasStock(tx: Tx, scope: Scope, variantId: string): Promise<boolean> {
  const levels = await ownRows(tx, scope, 'stockLevels')
    .select('quantity')
    .where('variantId', '=', variantId)
    .execute()
  return levels.some((level) => level.quantity !== 0)
}

export async function replace(
  tx: Tx,
  scope: Scope,
  {
    variantId,
    isComposite,
    parts,
  }: { variantId: string; isComposite: boolean; parts: readonly RecipePart[] },
) {
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await deleteOwn(tx, scope, 'recipeComponents').where('variantId', '=', variantId).execute()
  await updateOwn(tx, scope, 'variants')
    .set({ isComposite, updatedAt: scope.now })
    .where('id', '=', variantId)
    .execute()
  if (parts.length === 0) return
  const rows = parts.map((part, sortOrder) => ({
    ...part,
    id: newId('recipeComponent'),
    variantId,
    sortOrder,
    ...stamps,
  }))
  await insertOwn(tx, scope, 'recipeComponents', rows).execute()
}
