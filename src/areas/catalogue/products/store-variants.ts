import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import { recordFields, spellInstants } from '../../../platform/db/records.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { VariantFields } from './rules.ts'
import type { Variant } from './schema.ts'

const FIELDS = [
  'id',
  'productId',
  'name',
  'sku',
  'barcode',
  'price',
  'cost',
  'sortOrder',
  'isComposite',
  'isActive',
  'createdAt',
  'updatedAt',
] as const

/** As `derivedCostOf`, for as many variants as a statement reads (B-recipe-4). */
const derivedCost = (scope: Scope, variants: 'variants' | 'v') =>
  sql<number | null>`case when ${sql.ref(`${variants}.isComposite`)} then (
    select least(coalesce(sum(c.cost * r.quantity), 0), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint
    from recipe_components r join variants c on c.account_id = ${scope.accountId} and c.id = r.component_variant_id
    where r.account_id = ${scope.accountId} and r.variant_id = ${sql.ref(`${variants}.id`)}) end`

const all = (db: Db, scope: Scope) =>
  ownRows(db, scope, 'variants').select(FIELDS).select(derivedCost(scope, 'variants').as('derivedCost'))

/**
 * The variants of a product `p` inside its own statement, as JSON records in the order of `listOf`; `readVariants` reads
 * them.
 */
export const ofProduct = (scope: Scope) =>
  sql<Variant[]>`coalesce((select json_agg(x order by x."sortOrder", x.id) from (
    select ${sql.raw(recordFields(FIELDS, 'v'))}, ${derivedCost(scope, 'v')} as "derivedCost"
    from variants v where v.account_id = ${scope.accountId} and v.product_id = p.id) x), '[]')`

export const readVariants = (records: Variant[]): Variant[] =>
  spellInstants(records, ['createdAt', 'updatedAt'])

/** By sort order, then as made: ids of one process rise (B-list-4). */
export const listOf = (db: Db, scope: Scope, productIds: readonly string[]): Promise<Variant[]> =>
  all(db, scope)
    .where(sql<boolean>`product_id = any(${[...productIds]})`)
    .orderBy('sortOrder')
    .orderBy('id')
    .execute()

export const find = (db: Db, scope: Scope, productId: string, id: string): Promise<Variant | undefined> =>
  all(db, scope).where('productId', '=', productId).where('id', '=', id).executeTakeFirst()

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
