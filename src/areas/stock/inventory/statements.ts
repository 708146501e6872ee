import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Level } from './schema.ts'

/**
 * By name of product and variant, behind the row with the key `after`; products of one name follow one another by id.
 * The products are walked by the index of their names and each brings its levels (`offset 0` holds the planner to
 * that): a portion at the end of a large catalogue costs what the first one does. A composite's leftover is not shown
 * (B-recipe-3).
 */
export async function listLevels(
  db: Db,
  scope: Scope,
  { outletId, low }: { outletId: string | undefined; low: boolean | undefined },
  { after, limit }: Span,
): Promise<Level[]> {
  const [product, productId, variant, id] = after ?? []
  const atOutlet = outletId === undefined ? sql`` : sql`and l.outlet_id = ${outletId}`
  const isLow = low === true ? sql`and l.quantity <= l.reorder_point` : sql``
  const behind =
    after === null
      ? sql``
      : sql`and (lower(p.name), p.id) >= (lower(${product}), ${productId})
          and (lower(p.name), p.id, lower(l."variantName"), l.id) > (lower(${product}), ${productId}, lower(${variant}), ${id})`
  const { rows } = await sql<Level>`
    select l.id, l."outletId", l."variantId", p.id as "productId", p.name as "productName", l."variantName", l.sku,
      l.quantity, l."reorderPoint", l."isLow", l."createdAt", l."updatedAt"
    from products p cross join lateral (
      select l.id, l.outlet_id as "outletId", l.variant_id as "variantId", v.name as "variantName", v.sku, l.quantity,
        l.reorder_point as "reorderPoint", coalesce(l.quantity <= l.reorder_point, false) as "isLow",
        l.created_at as "createdAt", l.updated_at as "updatedAt"
      from variants v join stock_levels l on l.account_id = ${scope.accountId} and l.variant_id = v.id
      where v.account_id = ${scope.accountId} and v.product_id = p.id and not v.is_composite ${atOutlet} ${isLow}
      offset 0) l
    where p.account_id = ${scope.accountId} ${behind}
    order by lower(p.name), p.id, lower(l."variantName"), l.id limit ${limit}`.execute(db)
  return rows
}
