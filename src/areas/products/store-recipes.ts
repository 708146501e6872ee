import { sql } from 'kysely'
import { newId } from '../../core/ids.ts'
import type { Db, Tx } from '../../platform/db/open.ts'
import type { Scope } from '../../platform/scope.ts'
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
      'r.createdAt',
      'r.updatedAt',
    ])
    .orderBy('r.sortOrder')
    .orderBy('r.id')
    .execute()

/**
 * Locks the variants of a recipe in one order against each other's recipes, new stock and deletion. Two recipes that
 * name each other meet here, so neither can make a composite of a composite.
 */
export const lock = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  tx
    .selectFrom('variants')
    .select('id')
    .where('accountId', '=', scope.accountId)
    .where(sql<boolean>`id = any(${[...ids]})`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** What decides whether variants may be in a recipe; read after the lock. */
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

/** True while an outlet holds stock of the variant, positive or negative. Locks its levels. */
export async function hasStock(tx: Tx, scope: Scope, variantId: string): Promise<boolean> {
  const levels = await tx
    .selectFrom('stockLevels')
    .select('quantity')
    .where('accountId', '=', scope.accountId)
    .where('variantId', '=', variantId)
    .orderBy('outletId')
    .forUpdate()
    .execute()
  return levels.some((level) => level.quantity !== 0)
}

export async function replace(
  tx: Tx,
  scope: Scope,
  variantId: string,
  isComposite: boolean,
  parts: readonly RecipePart[],
) {
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await tx
    .deleteFrom('recipeComponents')
    .where('accountId', '=', scope.accountId)
    .where('variantId', '=', variantId)
    .execute()
  await tx
    .updateTable('variants')
    .set({ isComposite, updatedAt: scope.now })
    .where('accountId', '=', scope.accountId)
    .where('id', '=', variantId)
    .execute()
  if (parts.length === 0) return
  const rows = parts.map((part, sortOrder) => ({
    ...part,
    id: newId('recipeComponent'),
    accountId: scope.accountId,
    variantId,
    sortOrder,
    ...stamps,
  }))
  await tx.insertInto('recipeComponents').values(rows).execute()
}
