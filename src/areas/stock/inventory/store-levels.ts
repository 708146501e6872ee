import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Level } from './schema.ts'

type Filter = { outletId: string | undefined; low: boolean | undefined }

/**
 * By name of product and variant, behind the row with the key `after`; products of one name follow one another by id.
 * A composite's leftover is not shown (B-recipe-3).
 */
export async function listLevels(db: Db, scope: Scope, filter: Filter, span: Span): Promise<Level[]> {
  const { outletId, low } = filter
  return outletId !== undefined && (await hasFew(db, scope, outletId))
    ? collected(db, scope, { outletId, low }, span)
    : walked(db, scope, filter, span)
}

/** An outlet with fewer levels than this is not looked for among the names of all goods. */
const FEW = 200

/** The first of an outlet, by the index that begins with it: the range of one value keeps the planner from any other. */
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

/** Each level of a quiet outlet brings its goods (`offset 0` holds the planner to that). */
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
        .select(['p.id as productId', 'p.name as productName', 'v.name as variantName', 'v.sku'])
        .offset(sql.lit(0))
        .as('g'),
    )
    .$if(low === true, (q) => q.where(sql<boolean>`l.quantity <= l.reorder_point`))
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
      'l.quantity',
      'l.reorderPoint',
      sql<boolean>`coalesce(l.quantity <= l.reorder_point, false)`.as('isLow'),
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
 * The products are walked by the index of their names and each brings its levels (`offset 0` holds the planner to
 * that): a portion at the end of a large catalogue costs what the first one does.
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
