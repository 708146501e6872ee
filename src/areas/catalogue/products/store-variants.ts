import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
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

export type NewVariant = VariantFields & { productId: string; isLive: boolean; searchText: string }

const insertRows = rowsInsert<NewVariant & { id: string }, { id: string }>({
  name: 'variant_insert',
  into: 'variants',
  shared: { created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: {
    id: 'text',
    product_id: 'text',
    name: 'text',
    sku: 'text',
    barcode: 'text',
    price: 'bigint',
    cost: 'bigint',
    sort_order: 'integer',
    is_active: 'boolean',
    is_live: 'boolean',
    search_text: 'text',
  },
  rest: 'on conflict do nothing returning id',
})

/** The ids in order, or null when a code is taken: the statement waits for a twin in flight and then skips. */
export async function insert(tx: Tx, scope: Scope, rows: readonly NewVariant[]): Promise<string[] | null> {
  if (rows.length === 0) return []
  const ids = rows.map((): string => newId('variant'))
  const values = rows.map((row, index) => ({ ...row, id: ids[index] ?? '' }))
  const made = await insertRows(tx, scope, values, { createdAt: scope.now, updatedAt: scope.now })
  return made.length === rows.length ? ids : null
}
