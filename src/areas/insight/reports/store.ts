import { sql } from 'kysely'
import { firstIdAt } from '../../../core/ids.ts'
import { addMs, epochMsOf } from '../../../core/time.ts'
import type { Window } from '../../../core/window.ts'
import { type Db, named } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import type { Statement } from '../../../platform/db/statement.ts'
import type { Span as Portion } from '../../../platform/http/whole.ts'
import { clusterOf } from '../../../platform/log/edge.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { GoodsSums, MethodSums, OutletPeriod, OutletZone, Sums } from './rules.ts'
import type { ExpenseRow, PromotionRow, ReceivableRow, StockValueRow } from './schema.ts'
import * as statements from './statements-reports.ts'

/** Events are kept for 90 days, so later events of an older position may have been removed. */
const OLDEST_POSITION_MS = 60 * 86_400_000
/** A position older than this says nothing any more. */
export const oldestPosition = (now: string) => addMs(now, -OLDEST_POSITION_MS)

/** The outlets of the workspace, active or not, oldest first; or only `outletId` if it is given. */
export const listPlaces = (db: Db, scope: Scope, outletId?: string): Promise<OutletZone[]> =>
  ownRows(db, scope, 'outlets')
    .select(['id', 'timezone'])
    .$if(outletId !== undefined, (rows) => rows.where('id', '=', outletId ?? ''))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

const read = async <R extends object>(
  db: Db,
  scope: Scope,
  statement: Statement,
  { spans, more = [] }: { spans: readonly OutletPeriod[]; more?: readonly unknown[] | undefined },
) =>
  named<R>(db, statement, [
    scope.accountId,
    spans.map(({ id }) => id),
    spans.map(({ timezone }) => timezone),
    spans.map(({ dayFrom }) => dayFrom),
    spans.map(({ dayTo }) => dayTo),
    spans.map(({ from }) => from),
    spans.map(({ to }) => to),
    spans.map(({ innerFrom }) => innerFrom),
    spans.map(({ innerTo }) => innerTo),
    oldestPosition(scope.now),
    await clusterOf(db),
    ...more,
  ])

type Spans = readonly OutletPeriod[]
type TaxAtRate = { rateBps: number; tax: number }
export type KeyedSums = Sums & { key: string }
export type ProductSums = {
  productId: string | null
  name: string
  quantity: number
  grams: number
  revenue: number
}

export const listPromotions = (
  db: Db,
  scope: Scope,
  outletIds: readonly string[],
  { from, to }: Window,
): Promise<PromotionRow[]> =>
  named<PromotionRow>(db, statements.PROMOTIONS, [scope.accountId, outletIds, from, to])

/** One row, also for no outlet at all. */
export const findSummary = async (db: Db, scope: Scope, spans: Spans) => {
  const [row] = await read<Sums & { methods: MethodSums[]; taxes: TaxAtRate[] }>(
    db,
    scope,
    statements.SUMMARY,
    { spans },
  )
  return row
}
export const listByDay = (db: Db, scope: Scope, spans: Spans) =>
  read<KeyedSums>(db, scope, statements.BY_DAY, { spans })
export const listByHour = (db: Db, scope: Scope, spans: Spans) =>
  read<KeyedSums>(db, scope, statements.BY_HOUR, { spans })
export const listByCashier = (db: Db, scope: Scope, spans: Spans) =>
  read<KeyedSums>(db, scope, statements.BY_CASHIER, { spans })
export const listTopProducts = (db: Db, scope: Scope, spans: Spans, limit: number) =>
  read<ProductSums>(db, scope, statements.TOP_PRODUCTS, { spans, more: [limit] })

export const listExpenses = (
  db: Db,
  scope: Scope,
  outletId: string | undefined,
  { from, to }: Window,
): Promise<ExpenseRow[]> =>
  named<ExpenseRow>(db, statements.EXPENSES, [scope.accountId, from, to, outletId ?? null])

export const listReceivables = (db: Db, scope: Scope): Promise<ReceivableRow[]> =>
  named<ReceivableRow>(db, statements.RECEIVABLES, [scope.accountId, scope.now])

/** A request creates the id of a movement at or after the instant of the movement. */
const LONGEST_REQUEST_MS = 60 * 60_000
const CLOCK_STEP_MS = 2_000
const movementIdAt = (instant: string, ms: number) =>
  firstIdAt('stockMovement', Math.max(0, epochMsOf(instant) + ms))

type ValueRow = StockValueRow & { allQuantity: number; allGrams: number; allValue: number }

/** Stock of each outlet before the instant `until`, or now if it is null, the largest value first. */
export async function listStockValues(
  db: Db,
  scope: Scope,
  ends: readonly { id: string; until: string | null }[],
  limit: number,
) {
  const rows = await named<ValueRow>(db, statements.STOCK_VALUE, [
    scope.accountId,
    ends.map(({ id }) => id),
    ends.map(({ until }) => until),
    ends.map(({ until }) => until && movementIdAt(until, -CLOCK_STEP_MS)),
    ends.map(({ until }) => until && movementIdAt(until, LONGEST_REQUEST_MS)),
    limit,
  ])
  const nothing = { allQuantity: 0, allGrams: 0, allValue: 0 }
  const { allQuantity: quantity, allGrams: grams, allValue: value } = rows[0] ?? nothing
  return {
    total: { quantity, grams, value },
    variants: rows.map(({ allQuantity: _, allGrams: __, allValue: ___, ...row }) => row),
  }
}

export type CategorySums = GoodsSums & { categoryId: string | null; name: string | null }
export const listCategories = (db: Db, scope: Scope, spans: Spans) =>
  read<CategorySums>(db, scope, statements.CATEGORIES, { spans })

export type MarginRow = ProductSums &
  GoodsSums & {
    allQuantity: number
    allGrams: number
    allRevenue: number
    allCost: number
    allUncosted: number
  }
export const listMargins = (db: Db, scope: Scope, spans: Spans, limit: number) =>
  read<MarginRow>(db, scope, statements.MARGIN, { spans, more: [limit] })

/** Names of members and keys by id. */
export async function listNames(db: Db, scope: Scope, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await named<{ id: string; name: string }>(db, statements.NAMES, [scope.accountId, ids])
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Levels of goods that can be sold and are watched, at or below their reorder point, by name (B-report-9). */
export function listLow(db: Db, scope: Scope, outletId: string | undefined, { after, limit }: Portion) {
  const [product, variant, id] = after ?? []
  return db
    .selectFrom('stockLevels as l')
    .innerJoin('variants as v', 'v.id', 'l.variantId')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .where('l.accountId', '=', scope.accountId)
    .where('v.accountId', '=', scope.accountId)
    .where('p.accountId', '=', scope.accountId)
    .where(sql<boolean>`l.quantity <= l.reorder_point and v.is_live and not v.is_composite and p.track_stock`)
    .$if(outletId !== undefined, (rows) => rows.where('l.outletId', '=', outletId ?? ''))
    .$if(after !== null, (rows) =>
      rows.where(
        sql<boolean>`(lower(p.name), lower(v.name), l.id) > (lower(${product}), lower(${variant}), ${id})`,
      ),
    )
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
      sql<boolean>`true`.as('isLow'),
      'l.createdAt',
      'l.updatedAt',
    ])
    .orderBy(orderByName('p.name'))
    .orderBy(orderByName('v.name'))
    .orderBy('l.id')
    .limit(limit)
    .execute()
}
