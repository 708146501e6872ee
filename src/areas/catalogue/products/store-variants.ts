import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { ProductSize, VariantFields } from './rules.ts'
import { CODES, takeBarcodes } from './statements-packs.ts'

/** Returns the ids that belong to a variant of this workspace, of any product. */
export async function findKnownIds(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
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
      'otherBarcodes',
      'packs',
      'price',
      'soldBy',
      'cost',
      'sortOrder',
      'isActive',
      'isLive',
      'searchText',
    ])
    .where('productId', '=', productId)
    .orderBy('id')

/** Counts the variants of a product, and those that are active. The caller has locked the product. */
export const measure = (tx: Tx, scope: Scope, productId: string): Promise<ProductSize & { active: number }> =>
  ownRows(tx, scope, 'variants')
    .select([
      sql<number>`count(*)::int`.as('variants'),
      sql<number>`(count(*) filter (where is_active))::int`.as('active'),
      sql<number>`coalesce(sum(${sql.raw(CODES)}), 0)::int`.as('codes'),
    ])
    .where('productId', '=', productId)
    .executeTakeFirstOrThrow()

/** Locks the variants against other changes, for example of cost or recipe. It does not block sales. */
export const lock = (tx: Tx, scope: Scope, productId: string): Promise<StoredVariant[]> =>
  stored(tx, scope, productId).forNoKeyUpdate().execute()

/**
 * Locks the variants also against new references: no sale, recipe or order item can name them until the transaction
 * ends.
 */
export const lockReferences = (tx: Tx, scope: Scope, productId: string): Promise<StoredVariant[]> =>
  stored(tx, scope, productId).forUpdate().execute()

/**
 * Locks as `lockReferences` does and updates the time of the last change. A sale compares that time, so it reads the
 * variants again.
 */
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
    other_barcodes: 'jsonb',
    packs: 'jsonb',
    price: 'bigint',
    sold_by: 'text',
    cost: 'bigint',
    sort_order: 'integer',
    is_active: 'boolean',
    is_live: 'boolean',
    search_text: 'text',
  },
  rare: ['other_barcodes', 'packs'],
  rest: 'on conflict do nothing returning id',
})

/**
 * Inserts variants. Returns their ids in order, or null if a code is taken. The statement waits for a concurrent
 * insert of the same code, then skips the row.
 */
export async function insert(tx: Tx, scope: Scope, rows: readonly NewVariant[]): Promise<string[] | null> {
  if (rows.length === 0) return []
  const ids = rows.map((): string => newId('variant'))
  const values = rows.map((row, index) => ({ ...row, id: ids[index] ?? '' }))
  const made = await insertRows(tx, scope, values, { createdAt: scope.now, updatedAt: scope.now })
  return made.length === rows.length && (await takeBarcodes(tx, scope, values)) ? ids : null
}
