import { type Expression, sql } from 'kysely'
import { type Cursor, decodeCursor } from '../../../core/cursor.ts'
import { firstIdAt, newId } from '../../../core/ids.ts'
import { SETTINGS_DEFAULTS } from '../../../core/settings.ts'
import { epochMsOf } from '../../../core/time.ts'
import type { Window } from '../../../core/window.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { insertOwn, ownRows } from '../../../platform/db/own-rows.ts'
import { walk } from '../../../platform/db/walk.ts'
import { word } from '../../../platform/db/word.ts'
import type { Scope } from '../../../platform/scope.ts'
import { MOVEMENT_TYPES, type MovementType } from './movement-types.ts'
import type { Level, Movement } from './schema.ts'
import type { Pair } from './statements-moves.ts'

/**
 * Selects levels in the form that GET returns. A composite has no level, so a row that it still has from earlier is
 * left out (B-recipe-3).
 */
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
      'v.soldBy',
      'l.quantity',
      'l.reorderPoint',
      sql<boolean>`coalesce(l.quantity <= l.reorder_point, false)`.as('isLow'),
      'l.createdAt',
      'l.updatedAt',
    ])

/** Reads the levels of these pairs, in any order. */
export const findLevels = (db: Db, scope: Scope, pairs: readonly Pair[]): Promise<Level[]> =>
  levels(db, scope)
    .where(
      sql<boolean>`(l.outlet_id, l.variant_id) in (select * from unnest(${pairs.map((p) => p.outletId)}::text[], ${pairs.map((p) => p.variantId)}::text[]))`,
    )
    .execute()

/** Sets the reorder point of a level. Creates the level if the variant has never had stock there. */
export const setReorderPoint = (tx: Tx, scope: Scope, { outletId, variantId }: Pair, reorderPoint: number) =>
  insertOwn(tx, scope, 'stockLevels', {
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

type MovementFilter = {
  outletId?: string | undefined
  variantId?: string | undefined
  cursor?: string | undefined
  type?: MovementType | undefined
  window?: Window | null
}

/** A request creates the id of a movement at or after the instant of the movement. */
const LONGEST_REQUEST_MS = 60 * 60_000
const CLOCK_STEP_MS = 2_000

const MOVEMENT = [
  'm.id',
  'm.outletId',
  'm.variantId',
  'm.type',
  'm.qtyDelta',
  'm.balanceAfter',
  'm.batchId',
  'm.transactionId',
  'm.refundId',
  'm.purchaseOrderId',
  'm.transferId',
  'm.counterOutletId',
  'm.unitCost',
  'm.reason',
  'm.reasonCode',
  'm.stockCountId',
  'm.actorId',
  'm.createdAt',
  'm.updatedAt',
] as const

/**
 * Lists movements, newest first, with one row more than the page. The index for one variant begins with the outlet,
 * so its ledger over all outlets merges the newest movements of each outlet. Every variant that has moved has a level
 * there.
 */
export function listMovements(
  db: Db,
  scope: Scope,
  { outletId, variantId, cursor, type, window = null }: MovementFilter,
  limit: number,
): Promise<Movement[]> {
  const after: Cursor | null = cursor === undefined ? null : decodeCursor(cursor, 'stockMovement')
  const newest = (source: Db, ofOutlet: Expression<string> | null) => {
    const { where, order } = walk({
      by: [
        ...(variantId === undefined ? [] : [['m.variantId', sql.val(variantId)] as const]),
        ...(ofOutlet === null ? [] : [['m.outletId', ofOutlet] as const]),
      ],
      id: 'm.id',
      ...idsWithin(window, after?.id ?? null),
    })
    return source
      .selectFrom('stockMovements as m')
      .where('m.accountId', '=', scope.accountId)
      .where(where)
      .$if(type !== undefined, (q) => q.where('m.type', '=', word(type as MovementType, MOVEMENT_TYPES)))
      .$if(window !== null, (q) =>
        q.where('m.createdAt', '>=', window?.from ?? '').where('m.createdAt', '<', window?.to ?? ''),
      )
      .select(MOVEMENT)
      .select((eb) =>
        eb
          .selectFrom('variants as v')
          .where('v.accountId', '=', scope.accountId)
          .whereRef('v.id', '=', 'm.variantId')
          .select('v.soldBy')
          .$asScalar()
          .$notNull()
          .as('soldBy'),
      )
      .orderBy(order)
      .limit(limit + 1)
  }
  if (variantId === undefined || outletId !== undefined)
    return newest(db, outletId === undefined ? null : sql.val(outletId)).execute()
  return db
    .selectFrom('stockLevels as l')
    .innerJoinLateral(newest(db, sql.ref('l.outletId')).as('m'), (join) => join.onTrue())
    .where('l.accountId', '=', scope.accountId)
    .where('l.variantId', '=', variantId)
    .select([...MOVEMENT, 'm.soldBy'])
    .orderBy('m.id', 'desc')
    .limit(limit + 1)
    .execute()
}

/**
 * Returns the range of ids for a time window. Ids contain the time, so the statement skips the history outside the
 * window.
 */
function idsWithin(window: Window | null, after: string | null) {
  if (window === null) return { from: null, before: after === null ? null : sql.val(after) }
  const end = firstIdAt('stockMovement', epochMsOf(window.to) + LONGEST_REQUEST_MS)
  return {
    from: sql.val(firstIdAt('stockMovement', epochMsOf(window.from) - CLOCK_STEP_MS)),
    before: sql.val(after !== null && after < end ? after : end),
  }
}

/** Reads whether the workspace allows negative stock; the default is ALLOW (B-stock-4). */
export async function negativeStock(db: Db, scope: Scope): Promise<'ALLOW' | 'BLOCK'> {
  const row = await ownRows(db, scope, 'settings').select('negativeStock').executeTakeFirst()
  return row?.negativeStock ?? SETTINGS_DEFAULTS.negativeStock
}

/** Locks the unit costs of variants, so that the next receipt averages with the cost that this one writes. */
export async function lockCosts(tx: Tx, scope: Scope, variantIds: readonly string[]) {
  const rows = await ownRows(tx, scope, 'variants')
    .select(['id', 'cost'])
    .where('id', 'in', variantIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row.cost]))
}

/** Adds up the units of each variant over all outlets. */
export async function onHand(db: Db, scope: Scope, variantIds: readonly string[]) {
  if (variantIds.length === 0) return new Map<string, number>()
  const rows = await ownRows(db, scope, 'stockLevels')
    .select((eb) => ['variantId', eb.fn.sum<number>('quantity').as('total')])
    .where('variantId', 'in', variantIds)
    .groupBy('variantId')
    .execute()
  return new Map(rows.map((row) => [row.variantId, row.total]))
}

/**
 * Lists the components of all composites with their stock at an outlet. Composites are sorted by name, components in
 * order of the recipe.
 */
export const listRecipes = (db: Db, scope: Scope, outletId: string) =>
  db
    .selectFrom('variants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .innerJoin('recipeComponents as r', 'r.variantId', 'v.id')
    .innerJoin('variants as cv', 'cv.id', 'r.componentVariantId')
    .innerJoin('products as cp', 'cp.id', 'cv.productId')
    .leftJoin('stockLevels as l', (join) =>
      join
        .onRef('l.variantId', '=', 'cv.id')
        .on('l.accountId', '=', scope.accountId)
        .on('l.outletId', '=', outletId),
    )
    .where('v.accountId', '=', scope.accountId)
    .where('p.accountId', '=', scope.accountId)
    .where('r.accountId', '=', scope.accountId)
    .where('cv.accountId', '=', scope.accountId)
    .where('cp.accountId', '=', scope.accountId)
    .where('v.isComposite', '=', true)
    .select([
      'v.id as variantId',
      'p.id as productId',
      'p.name as productName',
      'v.name as variantName',
      'v.isLive as isActive',
      'r.componentVariantId',
      'cp.name as componentProductName',
      'cv.name as componentVariantName',
      'cv.soldBy as componentSoldBy',
      'r.quantity',
      'r.unit',
      sql<number | null>`case when cp.track_stock then coalesce(l.quantity, 0) end`.as('stock'),
    ])
    .orderBy(orderByName('p.name'))
    .orderBy(orderByName('v.name'))
    .orderBy('v.id')
    .orderBy('r.sortOrder')
    .orderBy('r.id')
    .execute()
