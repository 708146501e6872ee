import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Level } from './schema.ts'

/**
 * By name of product and variant, behind the row with the key `after`; products of one name follow one another by id.
 * The products are walked by the index of their names and each brings its levels (`offset 0` holds the planner to
 * that): a portion at the end of a large catalogue costs what the first one does. A composite's leftover is not shown
 * (B-recipe-3).
 */
export function listLevels(
  db: Db,
  scope: Scope,
  { outletId, low }: { outletId: string | undefined; low: boolean | undefined },
  { after, limit }: Span,
): Promise<Level[]> {
  const [product, productId, variant, id] = after ?? []
  return db
    .selectFrom('products as p')
    .crossJoinLateral((from) =>
      from
        .selectFrom('variants as v')
        .innerJoin('stockLevels as l', (join) =>
          join.on('l.accountId', '=', scope.accountId).onRef('l.variantId', '=', 'v.id'),
        )
        .where('v.accountId', '=', scope.accountId)
        .whereRef('v.productId', '=', 'p.id')
        .where(sql<boolean>`not v.is_composite`)
        .$if(outletId !== undefined, (q) => q.where('l.outletId', '=', outletId ?? ''))
        .$if(low === true, (q) => q.where(sql<boolean>`l.quantity <= l.reorder_point`))
        .select([
          'l.id',
          'l.outletId',
          'l.variantId',
          'v.name as variantName',
          'v.sku',
          'l.quantity',
          'l.reorderPoint',
          sql<boolean>`coalesce(l.quantity <= l.reorder_point, false)`.as('isLow'),
          'l.createdAt',
          'l.updatedAt',
        ])
        .offset(sql.lit(0))
        .as('l'),
    )
    .where('p.accountId', '=', scope.accountId)
    .$if(after !== null, (q) =>
      q
        .where(sql<boolean>`(lower(p.name), p.id) >= (lower(${product}), ${productId})`)
        .where(
          sql<boolean>`(lower(p.name), p.id, lower(l.variant_name), l.id) > (lower(${product}), ${productId}, lower(${variant}), ${id})`,
        ),
    )
    .select([
      'l.id',
      'l.outletId',
      'l.variantId',
      'p.id as productId',
      'p.name as productName',
      'l.variantName',
      'l.sku',
      'l.quantity',
      'l.reorderPoint',
      'l.isLow',
      'l.createdAt',
      'l.updatedAt',
    ])
    .orderBy(orderByName('p.name'))
    .orderBy('p.id')
    .orderBy(orderByName('l.variantName'))
    .orderBy('l.id')
    .limit(limit)
    .execute()
}
