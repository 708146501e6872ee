import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Level } from './schema.ts'

type Filter = { outletId: string | undefined; low: boolean | undefined }

/**
 * Lists levels by name of product and variant, after the key `after`. Products with the same name are sorted by id. A
 * level that a composite still has from earlier is not listed (B-recipe-3).
 */
export async function listLevels(db: Db, scope: Scope, filter: Filter, span: Span): Promise<Level[]> {
  const { outletId, low } = filter
  return outletId !== undefined && (await hasFew(db, scope, outletId))
    ? collected(db, scope, { outletId, low }, span)
    : walked(db, scope, filter, span)
}

/** For an outlet with fewer levels, reading its levels is faster than walking the names of all products. */
const FEW = 200

/** Reads levels of one outlet. The range of one value makes the planner use the index that begins with the outlet. */
const levelsOf = (db: Db, scope: Scope, outletId: string) =>
  db
    .selectFrom('stockLevels as l')
    .where('l.accountId', '=', scope.accountId)
    .where(sql<boolean>`l.outlet_id between ${outletId} and ${outletId}`)
    .orderBy('l.outletId')
    .orderBy('l.variantId')
    .limit(FEW)

const hasFew = async (db: Db, scope: Scope, outletId: string) =>
  (await levelsOf(db, scope, outletId).select('l.variantId').execute()).length < FEW

/**
 * Reads the levels of an outlet with few of them, then the product of each. `offset 0` makes the planner keep this
 * order.
 */
function collected(
  db: Db,
  scope: Scope,
  { outletId, low }: { outletId: string; low: boolean | undefined },
  { after, limit }: Span,
): Promise<Level[]> {
  const [product, productId, variant, id] = after ?? []
  return db
    .selectFrom(levelsOf(db, scope, outletId).selectAll().as('l'))
    .crossJoinLateral((from) =>
      from
        .selectFrom('variants as v')
        .innerJoin('products as p', (join) =>
          join.on('p.accountId', '=', scope.accountId).onRef('p.id', '=', 'v.productId'),
        )
        .where('v.accountId', '=', scope.accountId)
        .whereRef('v.id', '=', 'l.variantId')
        .where(sql<boolean>`not v.is_composite`)
        .select(['p.id as productId', 'p.name as productName', 'p.trackStock'])
        .select(['v.name as variantName', 'v.sku', 'v.soldBy'])
        .offset(sql.lit(0))
        .as('g'),
    )
    .$if(low === true, (q) => q.where(sql<boolean>`g.track_stock and l.quantity <= l.reorder_point`))
    .$if(after !== null, (q) =>
      q.where(
        sql<boolean>`(lower(g.product_name), g.product_id, lower(g.variant_name), l.id) > (lower(${product}), ${productId}, lower(${variant}), ${id})`,
      ),
    )
    .select([
      'l.id',
      'l.outletId',
      'l.variantId',
      'g.productId',
      'g.productName',
      'g.variantName',
      'g.sku',
      'g.soldBy',
      'l.quantity',
      'l.reorderPoint',
      sql<boolean>`g.track_stock and coalesce(l.quantity <= l.reorder_point, false)`.as('isLow'),
      'l.createdAt',
      'l.updatedAt',
    ])
    .orderBy(orderByName('g.productName'))
    .orderBy('g.productId')
    .orderBy(orderByName('g.variantName'))
    .orderBy('l.id')
    .limit(limit)
    .execute()
}

/**
 * Reads products by the index of their names, then the levels of each. `offset 0` makes the planner keep this order.
 * A portion at the end of a large catalogue is therefore as cheap as the first one.
 */
function walked(db: Db, scope: Scope, { outletId, low }: Filter, { after, limit }: Span): Promise<Level[]> {
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
        .$if(low === true, (q) => q.where(sql<boolean>`p.track_stock and l.quantity <= l.reorder_point`))
        .select([
          'l.id',
          'l.outletId',
          'l.variantId',
          'v.name as variantName',
          'v.sku',
          'v.soldBy',
          'l.quantity',
          'l.reorderPoint',
          sql<boolean>`p.track_stock and coalesce(l.quantity <= l.reorder_point, false)`.as('isLow'),
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
      'l.soldBy',
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
