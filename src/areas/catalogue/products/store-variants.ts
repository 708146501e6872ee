import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { VariantFields } from './rules.ts'

/** Which of the ids are variants of this workspace, whatever their product. */
export async function known(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await ownRows(db, scope, 'variants')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]})`)
    .execute()
  return new Set(rows.map((row) => row.id))
}

export type StoredVariant = VariantFields & { id: string; isLive: boolean; searchText: string }

const stored = (tx: Tx, scope: Scope, productId: string) =>
  ownRows(tx, scope, 'variants')
    .select([
      'id',
      'name',
      'sku',
      'barcode',
      'price',
      'cost',
      'sortOrder',
      'isActive',
      'isLive',
      'searchText',
    ])
    .where('productId', '=', productId)
    .orderBy('id')

/** Held against other changes of the variants (their cost, their recipe); sales are not blocked. */
export const lock = (tx: Tx, scope: Scope, productId: string): Promise<StoredVariant[]> =>
  stored(tx, scope, productId).forNoKeyUpdate().execute()

/** Held against every new reference as well: no sale, recipe or order line can name them meanwhile. */
export const lockReferences = (tx: Tx, scope: Scope, productId: string): Promise<StoredVariant[]> =>
  stored(tx, scope, productId).forUpdate().execute()

/** The same, and anything that read them before has to look again: a sale compares when they last changed. */
export async function lockAnew(tx: Tx, scope: Scope, productId: string): Promise<StoredVariant[]> {
  const rows = await lockReferences(tx, scope, productId)
  await updateOwn(tx, scope, 'variants')
    .set({ updatedAt: scope.now })
    .where('productId', '=', productId)
    .execute()
  return rows
}

export type NewVariant = VariantFields & { isLive: boolean; searchText: string }

/** The ids in order, or null when a code is taken: the statement waits for a twin in flight and then skips. */
export async function insert(
  tx: Tx,
  scope: Scope,
  productId: string,
  rows: readonly NewVariant[],
): Promise<string[] | null> {
  if (rows.length === 0) return []
  const values = rows.map((row) => ({
    ...row,
    id: newId('variant') as string,
    productId,
    createdAt: scope.now,
    updatedAt: scope.now,
  }))
  const made = await insertOwn(tx, scope, 'variants', values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return made.length === rows.length ? values.map((row) => row.id) : null
}
