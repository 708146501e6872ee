import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'

export type Wanted = { ids: string[]; skus: string[]; barcodes: string[]; names: string[] }
export type Found = { productId: string; by: 'id' | 'sku' | 'barcode' | 'name'; value: string; live: boolean }

/**
 * Which products a portion of a file speaks of, by id, by a code of a variant, or by name. One statement, by indexes
 * only: those of codes are apart for live variants and for the others, those of names hold them in lower case.
 */
export async function findProducts(db: Db, scope: Scope, wanted: Wanted): Promise<Found[]> {
  const { accountId } = scope
  const found = await sql<Found>`
    select id as product_id, 'id' as by, id as value, true as live from products
      where account_id = ${accountId} and id = any(${wanted.ids})
    union all select product_id, 'sku', sku, true from variants
      where account_id = ${accountId} and is_live and sku = any(${wanted.skus})
    union all select product_id, 'sku', sku, false from variants
      where account_id = ${accountId} and not is_live and sku = any(${wanted.skus})
    union all select product_id, 'barcode', barcode, true from variants
      where account_id = ${accountId} and is_live and barcode = any(${wanted.barcodes})
    union all select product_id, 'barcode', barcode, false from variants
      where account_id = ${accountId} and not is_live and barcode = any(${wanted.barcodes})
    union all select id, 'name', name, is_active from products
      where account_id = ${accountId} and name = any(${wanted.names})
        and lower(name) = any(array(select lower(n) from unnest(${wanted.names}::text[]) n))`.execute(db)
  return found.rows
}

/** The oldest category of each name, whatever its case. */
export async function findCategories(db: Db, scope: Scope, names: readonly string[]) {
  const found = await sql<{ id: string; name: string }>`select id, name from categories
    where account_id = ${scope.accountId} and lower(name) = any(${names.map((name) => name.toLowerCase())})
    order by id`.execute(db)
  return found.rows
}

export async function countVariants(db: Db, scope: Scope): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from variants
    where account_id = ${scope.accountId}`.execute(db)
  return found.rows[0]?.n ?? 0
}

/** After the first portions of a large file the planner must learn that the tables are no longer empty. */
export async function refreshStatistics(db: Db) {
  await sql`analyze products`.execute(db)
  await sql`analyze variants`.execute(db)
}
