import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
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
const derivedCost = (scope: Scope) =>
  sql<number | null>`case when variants.is_composite then (
    select least(coalesce(sum(c.cost * r.quantity), 0), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint
    from recipe_components r join variants c on c.account_id = ${scope.accountId} and c.id = r.component_variant_id
    where r.account_id = ${scope.accountId} and r.variant_id = variants.id) end`

const all = (db: Db, scope: Scope) =>
  db
    .selectFrom('variants')
    .select(FIELDS)
    .select(derivedCost(scope).as('derivedCost'))
    .where('accountId', '=', scope.accountId)

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
  const rows = await db
    .selectFrom('variants')
    .select('id')
    .where('accountId', '=', scope.accountId)
    .where(sql<boolean>`id = any(${[...ids]})`)
    .execute()
  return new Set(rows.map((row) => row.id))
}

export type StoredVariant = VariantFields & { id: string; isLive: boolean; searchText: string }

const stored = (tx: Tx, scope: Scope, productId: string) =>
  tx
    .selectFrom('variants')
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
    .where('accountId', '=', scope.accountId)
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
  await tx
    .updateTable('variants')
    .set({ updatedAt: scope.now })
    .where('accountId', '=', scope.accountId)
    .where('productId', '=', productId)
    .execute()
  return rows
}

/** True when an outlet has more of a variant in its batches than on its level. The variants are locked. */
export async function batchesExceedLevels(tx: Tx, scope: Scope, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql`select 1 from stock_batches b
    left join stock_levels l on l.account_id = b.account_id and l.outlet_id = b.outlet_id and l.variant_id = b.variant_id
    where b.account_id = ${scope.accountId} and b.variant_id = any(${[...ids]})
    group by b.outlet_id, b.variant_id having sum(b.remaining_qty) > coalesce(max(l.quantity), 0) limit 1`.execute(
    tx,
  )
  return rows.length > 0
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
    accountId: scope.accountId,
    createdAt: scope.now,
    updatedAt: scope.now,
  }))
  const made = await tx
    .insertInto('variants')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return made.length === rows.length ? values.map((row) => row.id) : null
}

/** Writes all rows at once. Codes are cleared first, so that two variants may swap theirs. */
export async function update(tx: Tx, scope: Scope, rows: readonly StoredVariant[]) {
  if (rows.length === 0) return
  if (rows.length > 1) {
    await sql`update variants set sku = null, barcode = null
      where account_id = ${scope.accountId} and id = any(${rows.map((row) => row.id)})`.execute(tx)
  }
  await sql`update variants v set name = r.name, sku = r.sku, barcode = r.barcode, price = r.price, cost = r.cost,
      sort_order = r."sortOrder", is_active = r."isActive", is_live = r."isLive", search_text = r."searchText",
      updated_at = ${scope.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id text, name text, sku text, barcode text,
      price bigint, cost bigint, "sortOrder" integer, "isActive" boolean, "isLive" boolean, "searchText" text)
    where v.account_id = ${scope.accountId} and v.id = r.id`.execute(tx)
}

export const deactivate = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  sql`update variants set is_active = false, is_live = false, updated_at = ${scope.now}
    where account_id = ${scope.accountId} and id = any(${[...ids]})`.execute(tx)

/** Their own recipes go first, so that a composite and its component can go together. */
export async function remove(tx: Tx, scope: Scope, ids: readonly string[]) {
  await removeRecipes(tx, scope, ids)
  await sql`delete from variants where account_id = ${scope.accountId} and id = any(${[...ids]})`.execute(tx)
}

export const removeRecipes = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  sql`delete from recipe_components where account_id = ${scope.accountId} and variant_id = any(${[...ids]})`.execute(
    tx,
  )

/**
 * Which of the variants must stay because something refers to them: a sale row of any status (B-product-6), an order
 * line, or a recipe of a variant outside `excluding` (B-product-6).
 */
export async function referenced(
  db: Db,
  scope: Scope,
  ids: readonly string[],
  excluding: readonly string[] = [],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { accountId } = scope
  const rows = await sql<{ id: string }>`select u.id from unnest(${[...ids]}::text[]) as u(id)
    where exists (select 1 from sale_items s where s.account_id = ${accountId} and s.variant_id = u.id)
      or exists (select 1 from purchase_order_items o where o.account_id = ${accountId} and o.variant_id = u.id)
      or exists (select 1 from recipe_components r where r.account_id = ${accountId}
        and r.component_variant_id = u.id and r.variant_id <> all(${[...excluding]}::text[]))`.execute(db)
  return new Set(rows.rows.map((row) => row.id))
}

/** True once any of the variants moved stock (B-product-5). */
export async function haveMoved(db: Db, scope: Scope, ids: readonly string[]): Promise<boolean> {
  const rows = await sql`select 1 from stock_movements
    where account_id = ${scope.accountId} and variant_id = any(${[...ids]}) limit 1`.execute(db)
  return rows.rows.length > 0
}

export async function areComponents(db: Db, scope: Scope, ids: readonly string[]): Promise<boolean> {
  const rows = await sql`select 1 from recipe_components
    where account_id = ${scope.accountId} and component_variant_id = any(${[...ids]}) limit 1`.execute(db)
  return rows.rows.length > 0
}

export type Taken = { field: 'sku' | 'barcode'; value: string; productName: string; variantName: string }

/** The first active variant, other than `own`, that holds one of the codes. */
export async function findTaken(
  db: Db,
  scope: Scope,
  codes: { sku: readonly string[]; barcode: readonly string[] },
  own: readonly string[],
): Promise<Taken | undefined> {
  const { accountId } = scope
  const found =
    await sql<Taken>`select t.field, t.value, p.name as "productName", t.name as "variantName" from (
      select 'sku' as field, sku as value, name, product_id from variants
        where account_id = ${accountId} and is_live and sku = any(${[...codes.sku]}) and id <> all(${[...own]})
      union all
      select 'barcode', barcode, name, product_id from variants
        where account_id = ${accountId} and is_live and barcode = any(${[...codes.barcode]}) and id <> all(${[...own]})
    ) t join products p on p.account_id = ${accountId} and p.id = t.product_id limit 1`.execute(db)
  return found.rows[0]
}
