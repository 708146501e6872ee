import { sql } from 'kysely'
import { type Cursor, decodeCursor } from '../../core/cursor.ts'
import { newId } from '../../core/ids.ts'
import type { Db, Tx } from '../../platform/db/open.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Level, Movement } from './schema.ts'
import type { Pair } from './store-moves.ts'

/** Levels as GET returns them. A composite carries no level of its own (spec 2.4), so a leftover row of one is not shown. */
const levels = (db: Db, scope: Scope) =>
  db
    .selectFrom('stockLevels as l')
    .innerJoin('variants as v', 'v.id', 'l.variantId')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .where('l.accountId', '=', scope.accountId)
    .where('v.accountId', '=', scope.accountId)
    .where('p.accountId', '=', scope.accountId)
    .select([
      'l.id',
      'l.outletId',
      'l.variantId',
      'v.productId',
      'p.name as productName',
      'v.name as variantName',
      'v.sku',
      'l.quantity',
      'l.reorderPoint',
      sql<boolean>`coalesce(l.quantity <= l.reorder_point, false)`.as('isLow'),
      'l.createdAt',
      'l.updatedAt',
    ])

export const listLevels = (
  db: Db,
  scope: Scope,
  filter: { outletId?: string; low?: boolean },
): Promise<Level[]> =>
  levels(db, scope)
    .where('v.isComposite', '=', false)
    .$if(filter.outletId !== undefined, (q) => q.where('l.outletId', '=', filter.outletId ?? ''))
    .$if(filter.low === true, (q) => q.whereRef('l.quantity', '<=', 'l.reorderPoint'))
    .orderBy('p.name')
    .orderBy('v.name')
    .orderBy('l.id')
    .execute()

/** The levels of these pairs, in no order. */
export const findLevels = (db: Db, scope: Scope, pairs: readonly Pair[]): Promise<Level[]> =>
  levels(db, scope)
    .where(
      sql<boolean>`(l.outlet_id, l.variant_id) in (select * from unnest(${pairs.map((p) => p.outletId)}::text[], ${pairs.map((p) => p.variantId)}::text[]))`,
    )
    .execute()

/** Sets the point below which a level is low, creating the level when goods never moved there. */
export const setReorderPoint = (tx: Tx, scope: Scope, { outletId, variantId }: Pair, reorderPoint: number) =>
  tx
    .insertInto('stockLevels')
    .values({
      accountId: scope.accountId,
      outletId,
      variantId,
      id: newId('stockLevel'),
      quantity: 0,
      reorderPoint,
      createdAt: scope.now,
      updatedAt: scope.now,
    })
    .onConflict((oc) =>
      oc.columns(['accountId', 'outletId', 'variantId']).doUpdateSet({ reorderPoint, updatedAt: scope.now }),
    )
    .execute()

type MovementFilter = { outletId?: string; variantId?: string; limit?: number; cursor?: string }

/** Newest first, one row more than asked for. */
export function listMovements(
  db: Db,
  scope: Scope,
  filter: MovementFilter,
  limit: number,
): Promise<Movement[]> {
  const after: Cursor | null = filter.cursor === undefined ? null : decodeCursor(filter.cursor)
  return db
    .selectFrom('stockMovements')
    .where('accountId', '=', scope.accountId)
    .$if(filter.outletId !== undefined, (q) => q.where('outletId', '=', filter.outletId ?? ''))
    .$if(filter.variantId !== undefined, (q) => q.where('variantId', '=', filter.variantId ?? ''))
    .$if(after !== null, (q) => q.where('id', '<', after?.id ?? ''))
    .select([
      'id',
      'outletId',
      'variantId',
      'type',
      'qtyDelta',
      'balanceAfter',
      'batchId',
      'transactionId',
      'refundId',
      'purchaseOrderId',
      'transferId',
      'unitCost',
      'reason',
      'actorId',
      'createdAt',
      'updatedAt',
    ])
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}
