import { type Db, named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { formatInstants, recordFields } from '../../../platform/db/records.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Variant } from './schema.ts'
import { releaseBarcodes, takeBarcodes } from './statements-packs.ts'
import type { StoredVariant } from './store-variants.ts'

const FIELDS = [
  'id',
  'productId',
  'name',
  'sku',
  'barcode',
  'price',
  'soldBy',
  'cost',
  'sortOrder',
  'isComposite',
  'isActive',
  'createdAt',
  'updatedAt',
] as const

/** The barcodes of the variant `v` as JSON, the first one first. */
export const BARCODES_AS_JSON = `case when v.barcode is null then '[]'::jsonb
    else jsonb_build_array(v.barcode) || coalesce(v.other_barcodes, '[]') end`

/** The columns of a variant `v`. `derivedCost` is computed as `derivedCostOf` does (B-recipe-4). */
const VARIANT = `${recordFields(FIELDS, 'v')}, ${BARCODES_AS_JSON} as barcodes, coalesce(v.packs, '[]') as packs, case when v.is_composite then (
    select least(coalesce(sum(case c.sold_by when 'WEIGHT' then (2 * c.cost * r.quantity + 1000) / 2000 else c.cost * r.quantity end), 0), ${Number.MAX_SAFE_INTEGER})::bigint
    from recipe_components r join variants c on c.account_id = $1 and c.id = r.component_variant_id
    where r.account_id = $1 and r.variant_id = v.id) end as "derivedCost"`

/**
 * The variants of a product `p` as JSON records in the order of `listOf`, for use inside a statement about products;
 * `readVariants` converts them.
 */
export const VARIANTS_OF_PRODUCT = `coalesce((select json_agg(x order by x."sortOrder", x.id) from (
    select ${VARIANT} from variants v where v.account_id = $1 and v.product_id = p.id) x), '[]')`

export const readVariants = (records: Variant[]): Variant[] =>
  formatInstants(records, ['createdAt', 'updatedAt'])

const OF_PRODUCT = statement(
  'variants_of_product',
  `select ${VARIANT} from variants v where v.account_id = $1 and v.product_id = $2 order by v.sort_order, v.id`,
)

/** Lists variants by sort order, then in order of creation: the ids of one process ascend (B-list-4). */
export const listOf = (db: Db, scope: Scope, productId: string): Promise<Variant[]> =>
  named<Variant>(db, OF_PRODUCT, [scope.accountId, productId])

const FIND = statement(
  'variant_find',
  `select ${VARIANT} from variants v where v.account_id = $1 and v.product_id = $2 and v.id = $3`,
)

export const find = async (
  db: Db,
  scope: Scope,
  productId: string,
  id: string,
): Promise<Variant | undefined> => (await named<Variant>(db, FIND, [scope.accountId, productId, id]))[0]

const FALLING_SHORT = statement(
  'variants_falling_short',
  `select 1 from stock_levels l
    left join stock_batches b on b.account_id = l.account_id and b.outlet_id = l.outlet_id and b.variant_id = l.variant_id
    where l.account_id = $1 and l.variant_id = any($2::text[])
    group by l.outlet_id, l.variant_id, l.quantity having l.quantity < coalesce(sum(b.remaining_qty), 0) limit 1`,
)

/**
 * Returns true if the level of a variant at an outlet is below zero, or below what its batches hold. The caller has
 * locked the variants.
 */
export const levelsFallShort = async (tx: Tx, scope: Scope, ids: readonly string[]): Promise<boolean> =>
  (await named(tx, FALLING_SHORT, [scope.accountId, ids])).length > 0

const CLEAR_CODES = writeStatement(
  'variants_clear_codes',
  `update variants set sku = null, barcode = null, other_barcodes = null where account_id = $1 and id = any($2::text[])`,
)
const UPDATE = writeStatement(
  'variants_update',
  `update variants v set name = r.name, sku = r.sku, barcode = r.barcode, other_barcodes = r."otherBarcodes",
      packs = r.packs, price = r.price, sold_by = r."soldBy", cost = r.cost,
      sort_order = r."sortOrder", is_active = r."isActive", is_live = r."isLive", search_text = r."searchText",
      updated_at = $2
    from jsonb_to_recordset($3::jsonb) as r(id text, name text, sku text, barcode text,
      "otherBarcodes" jsonb, packs jsonb, price bigint, "soldBy" text, cost bigint, "sortOrder" integer, "isActive" boolean, "isLive" boolean, "searchText" text)
    where v.account_id = $1 and v.id = r.id`,
)

/**
 * Writes all rows in one statement. Codes are cleared first, so that two variants may swap theirs. `recoded` are the rows
 * whose barcodes change owners. Returns false if one of these is taken.
 */
export async function update(
  tx: Tx,
  scope: Scope,
  rows: readonly StoredVariant[],
  recoded: readonly StoredVariant[],
): Promise<boolean> {
  const idsOf = (some: readonly StoredVariant[]) => some.map((row) => row.id)
  if (rows.length > 1) await namedWrite(tx, CLEAR_CODES, [scope.accountId, idsOf(rows)])
  await namedWrite(tx, UPDATE, [scope.accountId, scope.now, JSON.stringify(rows)])
  if (recoded.length === 0) return true
  await releaseBarcodes(tx, scope, idsOf(recoded))
  return takeBarcodes(tx, scope, recoded)
}

const DEACTIVATE = writeStatement(
  'variants_deactivate',
  `update variants set is_active = false, is_live = false, updated_at = $2
    where account_id = $1 and id = any($3::text[])`,
)

export async function deactivate(tx: Tx, scope: Scope, ids: readonly string[]) {
  if (ids.length === 0) return
  await namedWrite(tx, DEACTIVATE, [scope.accountId, scope.now, ids])
  await releaseBarcodes(tx, scope, ids)
}

const REMOVE = writeStatement(
  'variants_remove',
  'delete from variants where account_id = $1 and id = any($2::text[])',
)

/** Deletes the recipes of the variants first, so that a composite and its component can be deleted together. */
export async function remove(tx: Tx, scope: Scope, ids: readonly string[]) {
  await removeRecipes(tx, scope, ids)
  await namedWrite(tx, REMOVE, [scope.accountId, ids])
}

const REMOVE_RECIPES = writeStatement(
  'variants_remove_recipes',
  'delete from recipe_components where account_id = $1 and variant_id = any($2::text[])',
)

export const removeRecipes = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  namedWrite(tx, REMOVE_RECIPES, [scope.accountId, ids])

const REFERENCED = statement(
  'variants_referenced',
  `select u.id from unnest($2::text[]) as u(id)
    where exists (select 1 from sale_items s where s.account_id = $1 and s.variant_id = u.id)
      or exists (select 1 from stock_movements m where m.account_id = $1 and m.variant_id = u.id
        and m.transaction_id is not null)
      or exists (select 1 from purchase_order_items o where o.account_id = $1 and o.variant_id = u.id)
      or exists (select 1 from recipe_components r where r.account_id = $1
        and r.component_variant_id = u.id and r.variant_id <> all($3::text[]))`,
)

/**
 * Returns the variants that must stay because other records refer to them (B-product-6). Such a record is an item of
 * a sale of any status, a stock movement of a sale, an order item, or a recipe of a variant outside `excluding`.
 * Movements count because a component moves without an item, and reports read its cost.
 */
export async function referenced(
  db: Db,
  scope: Scope,
  ids: readonly string[],
  excluding: readonly string[] = [],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await named<{ id: string }>(db, REFERENCED, [scope.accountId, ids, excluding])
  return new Set(rows.map((row) => row.id))
}

const MOVED = statement(
  'variants_moved',
  'select 1 from stock_movements where account_id = $1 and variant_id = any($2::text[]) limit 1',
)

/** Returns true if stock of one of the variants has ever moved (B-product-5). */
export const haveMoved = async (db: Db, scope: Scope, ids: readonly string[]): Promise<boolean> =>
  (await named(db, MOVED, [scope.accountId, ids])).length > 0

const IN_USE = statement(
  'variants_in_use',
  `select case
      when exists (select from stock_levels l where l.account_id = $1 and l.variant_id = any($2::text[]) and l.quantity <> 0)
        then 'stock'
      when exists (select from stock_batches b where b.account_id = $1 and b.variant_id = any($2::text[]) and b.remaining_qty > 0)
        then 'batches'
      when exists (select from sale_items i join sales s on s.account_id = $1 and s.id = i.sale_id
        where i.account_id = $1 and i.variant_id = any($2::text[]) and i.is_active and s.status = 'PARKED')
        then 'open bills'
      when exists (select from purchase_order_items i join purchase_orders o on o.account_id = $1 and o.id = i.purchase_order_id
        where i.account_id = $1 and i.variant_id = any($2::text[]) and o.status in ('DRAFT', 'ORDERED', 'PARTIALLY_RECEIVED'))
        then 'open orders'
      when exists (select from stock_count_lines i join stock_counts c on c.account_id = $1 and c.id = i.count_id
        where i.account_id = $1 and i.variant_id = any($2::text[]) and c.status = 'OPEN')
        then 'lines of an open stock count'
      when exists (select from recipe_components r where r.account_id = $1 and r.component_variant_id = any($2::text[]))
        then 'recipes that use it'
      when exists (select from recipe_components r where r.account_id = $1 and r.variant_id = any($2::text[]))
        then 'components'
    end as use`,
)

/** What counts the units of these variants now, such as stock, open bills or recipes; null if there is nothing. */
export async function findUse(db: Db, scope: Scope, ids: readonly string[]): Promise<string | null> {
  const [row] = await named<{ use: string | null }>(db, IN_USE, [scope.accountId, ids])
  return row?.use ?? null
}

const COMPONENTS = statement(
  'variants_components',
  'select 1 from recipe_components where account_id = $1 and component_variant_id = any($2::text[]) limit 1',
)

export const areComponents = async (db: Db, scope: Scope, ids: readonly string[]): Promise<boolean> =>
  (await named(db, COMPONENTS, [scope.accountId, ids])).length > 0

export type TakenCode = { field: 'sku' | 'barcode'; value: string; productName: string; variantName: string }

const TAKEN = statement(
  'variants_taken',
  `select t.field, t.value, p.name as "productName", t.name as "variantName" from (
      select 'sku' as field, sku as value, name, product_id from variants
        where account_id = $1 and is_live and sku = any($2::text[]) and id <> all($4::text[])
      union all
      select 'barcode', b.barcode, v.name, v.product_id from variant_barcodes b
        join variants v on v.account_id = $1 and v.id = b.variant_id
        where b.account_id = $1 and b.barcode = any($3::text[]) and b.variant_id <> all($4::text[])
    ) t join products p on p.account_id = $1 and p.id = t.product_id limit 1`,
)

/** Finds an active variant, other than `own`, that has one of the codes. */
export async function findTaken(
  db: Db,
  scope: Scope,
  codes: { sku: readonly string[]; barcode: readonly string[] },
  own: readonly string[],
): Promise<TakenCode | undefined> {
  const [taken] = await named<TakenCode>(db, TAKEN, [scope.accountId, codes.sku, codes.barcode, own])
  return taken
}
