import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { type StoredVariant } from './store-variants.ts'

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
