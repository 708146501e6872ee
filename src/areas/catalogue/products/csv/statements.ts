import type { ProductLookup, ProductMatch } from '../../../../core/catalogue-file/match.ts'
import { type Db, named } from '../../../../platform/db/open.ts'
import { statement } from '../../../../platform/db/statement.ts'
import type { Scope } from '../../../../platform/scope.ts'

const FIND_PRODUCTS = statement(
  'import_products',
  `select id as "productId", 'id' as by, id as value, true as live from products
      where account_id = $1 and id = any($2::text[])
    union all select product_id, 'sku', sku, true from variants
      where account_id = $1 and is_live and sku = any($3::text[])
    union all select product_id, 'sku', sku, false from variants
      where account_id = $1 and not is_live and sku = any($3::text[])
    union all select product_id, 'barcode', barcode, true from variants
      where account_id = $1 and is_live and barcode = any($4::text[])
    union all select product_id, 'barcode', barcode, false from variants
      where account_id = $1 and not is_live and barcode = any($4::text[])
    union all select id, 'name', name, is_active from products
      where account_id = $1 and name = any($5::text[])
        and lower(name) = any(array(select lower(n) from unnest($5::text[]) n))`,
)

/**
 * Finds the products that a portion of a file names by id, by a code of a variant, or by name. The statement uses
 * index scans only. Live and other variants have separate code indexes; names have an index in lower case.
 */
export const findProducts = (db: Db, scope: Scope, { ids, skus, barcodes, names }: ProductLookup) =>
  named<ProductMatch>(db, FIND_PRODUCTS, [scope.accountId, ids, skus, barcodes, names])

const FIND_CATEGORIES = statement(
  'import_categories',
  `select id, name from categories where account_id = $1 and lower(name) = any($2::text[]) order by id`,
)

/** Finds the oldest category with each name; upper and lower case are equal. */
export const findCategories = (db: Db, scope: Scope, names: readonly string[]) =>
  named<{ id: string; name: string }>(db, FIND_CATEGORIES, [
    scope.accountId,
    names.map((name) => name.toLowerCase()),
  ])

const COUNT_VARIANTS = statement(
  'import_count_variants',
  'select count(*) as n from variants where account_id = $1',
)

export async function countVariants(db: Db, scope: Scope): Promise<number> {
  const [row] = await named<{ n: number }>(db, COUNT_VARIANTS, [scope.accountId])
  return row?.n ?? 0
}
