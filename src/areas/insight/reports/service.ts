import { assert } from '../../../core/assert.ts'
import { invalid, malformed, notFound } from '../../../core/errors.ts'
import { addDays, dayOf, isDay, startOfDay } from '../../../core/time.ts'
import { type Window, windowOf } from '../../../core/window.ts'
import type { Db } from '../../../platform/db/open.ts'
import { API_PREFIX } from '../../../platform/http/route.ts'
import type { Scope } from '../../../platform/scope.ts'
import {
  figuresOf,
  lastDays,
  marginOf,
  methodFigures,
  type OutletZone,
  type Sums,
  spanOf,
  spanOfDays,
} from './rules.ts'
import type {
  CashierRow,
  CategoryRow,
  DayRow,
  ExpenseRow,
  HourRow,
  MarginTotal,
  ProductMargin,
  PromotionRow,
  ReportQuery,
  StockValueRow,
  StockValueTotal,
  Summary,
} from './schema.ts'
import * as store from './store.ts'

type ReportPeriod = Pick<ReportQuery, 'outletId' | 'from' | 'to'>

/** The outlets of a report: all, or the named one; 404 `outletId` if it is unknown (B-ids-3). */
async function placesOf(db: Db, scope: Scope, outletId: string | undefined): Promise<OutletZone[]> {
  const places = await store.listPlaces(db, scope, outletId)
  if (outletId !== undefined && places.length === 0) throw notFound('outlet', 'outletId')
  return places
}

async function asked(db: Db, scope: Scope, query: ReportPeriod) {
  const places = await placesOf(db, scope, query.outletId)
  // A plain date means midnight at the outlet. For several outlets it means midnight in UTC.
  const timezone = query.outletId === undefined ? 'UTC' : (places[0]?.timezone ?? 'UTC')
  const window = windowOf(query, { now: scope.now, timezone })
  return { window, spans: places.map((place) => spanOf(place, window)) }
}

/** Sales, refunds and payments of a window (B-report-3, B-report-4). */
export async function getSummary(db: Db, scope: Scope, query: ReportPeriod): Promise<Summary> {
  const { window, spans } = await asked(db, scope, query)
  const sums = await store.findSummary(db, scope, spans)
  assert(sums, 'an aggregate always answers one row')
  const byMethod = sums.methods.map(methodFigures)
  return { ...window, ...figuresOf(sums), taxes: sums.taxes, byMethod, rows: rowsOf(query.outletId, window) }
}

/** What each promotion gave in a window (B-report-14). */
export async function listPromotions(db: Db, scope: Scope, query: ReportPeriod): Promise<PromotionRow[]> {
  const { window, spans } = await asked(db, scope, query)
  return store.listPromotions(
    db,
    scope,
    spans.map(({ id }) => id),
    window,
  )
}

/** Where the rows behind the figures of a window are listed (B-report-8). */
function rowsOf(outletId: string | undefined, { from, to }: Window): Summary['rows'] {
  const listed = (what: 'completed' | 'refunded' | 'voided') =>
    `${API_PREFIX}/sales?${new URLSearchParams({
      ...(outletId === undefined ? {} : { outletId }),
      ...(what === 'completed' ? { status: 'COMPLETED' } : {}),
      [`${what}From`]: from,
      [`${what}To`]: to,
    }).toString()}`
  return { sales: listed('completed'), refunds: listed('refunded'), voids: listed('voided') }
}

/** Each of the last `days` days, today included, by the clock of each outlet (B-report-6). */
export async function listDays(
  db: Db,
  scope: Scope,
  { outletId, days }: { outletId?: string | undefined; days: number },
): Promise<DayRow[]> {
  const places = await placesOf(db, scope, outletId)
  const dates = lastDays(places, days, scope.now)
  const spans = places.map((place) => spanOfDays(place, dates[0] ?? '', dates.at(-1) ?? ''))
  const rows = await store.listByDay(db, scope, spans)
  const found = new Map(rows.map((row) => [row.key, row]))
  const clocks = new Set(places.map(({ timezone }) => timezone))
  const [clock] = clocks
  const edges = (date: string) =>
    clock === undefined || clocks.size > 1
      ? { from: null, to: null }
      : { from: startOfDay(date, clock), to: startOfDay(addDays(date, 1), clock) }
  return dates.map((date) => {
    const { collected, avgTicket: _, ...figures } = figuresOf(found.get(date) ?? NOTHING)
    return { date, ...edges(date), ...figures, total: collected }
  })
}

const NOTHING: Sums = {
  salesCount: 0,
  gross: 0,
  discounts: 0,
  tax: 0,
  includedTax: 0,
  deliveryFees: 0,
  total: 0,
  refundCount: 0,
  refundedGoods: 0,
  refundedTax: 0,
  refundedDeliveryFees: 0,
  voidCount: 0,
  service: 0,
  refundedService: 0,
  rounding: 0,
  refundedRounding: 0,
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** The whole week by hour on the clock of each outlet: 168 rows, Monday first (B-report-5). */
export async function listHours(db: Db, scope: Scope, query: ReportPeriod): Promise<HourRow[]> {
  const { spans } = await asked(db, scope, query)
  const rows = await store.listByHour(db, scope, spans)
  const found = new Map(rows.map((row) => [row.key, row]))
  return WEEKDAYS.flatMap((weekday) =>
    HOURS.map((hour) => {
      const sums = found.get(`${weekday} ${String(hour).padStart(2, '0')}`)
      return { weekday, hour, ...figuresOf(sums ?? NOTHING) }
    }),
  )
}

/** Sales by the member who made them, refunds by the member who paid them out; highest `collected` first (B-report-5). */
export async function listCashiers(db: Db, scope: Scope, query: ReportPeriod): Promise<CashierRow[]> {
  const { spans } = await asked(db, scope, query)
  const rows = await store.listByCashier(db, scope, spans)
  const names = await store.listNames(
    db,
    scope,
    rows.map(({ key }) => key),
  )
  return rows
    .map((sums) => ({ cashierId: sums.key, name: names.get(sums.key) ?? null, ...figuresOf(sums) }))
    .sort((a, b) => b.collected - a.collected)
}

/** Best sellers by quantity, where a kilogram ranks as one unit, then revenue, then id (B-report-7). */
export async function listTopProducts(db: Db, scope: Scope, query: ReportPeriod & { limit: number }) {
  const { spans } = await asked(db, scope, query)
  return store.listTopProducts(db, scope, spans, query.limit)
}

/** Revenue and cost of each present category, the highest revenue first (B-report-7). */
export async function listCategories(db: Db, scope: Scope, query: ReportPeriod): Promise<CategoryRow[]> {
  const { spans } = await asked(db, scope, query)
  const rows = await store.listCategories(db, scope, spans)
  return rows.map(({ categoryId, name, ...sums }) => ({ categoryId, name, ...marginOf(sums) }))
}

/** Cash that was taken out of the drawers by category, the largest amount first (B-expense-3). */
export async function listExpenses(db: Db, scope: Scope, query: ReportPeriod): Promise<ExpenseRow[]> {
  const { window } = await asked(db, scope, query)
  return store.listExpenses(db, scope, query.outletId, window)
}

/** The database stores no year 0, and no shop has stock from before. */
const EARLIEST_DAY = '1970-01-01'

/**
 * The value of the stock at the end of a day, by the clock of each outlet; now for today (B-report-13). Throws 400 for
 * other texts and 422 for a day that has not begun.
 */
export async function getStockValue(
  db: Db,
  scope: Scope,
  { outletId, date, limit }: { outletId?: string | undefined; date?: string | undefined; limit: number },
): Promise<{ date: string; total: StockValueTotal; variants: StockValueRow[] }> {
  if (date !== undefined && !(isDay(date) && date >= EARLIEST_DAY))
    throw malformed('date', 'date must be a day such as 2026-11-21')
  const places = await placesOf(db, scope, outletId)
  const [today = ''] = lastDays(places, 1, scope.now)
  if (date !== undefined && date > today)
    throw invalid('date', `The day ${date} has not begun. Choose ${today} or an earlier day`)
  const day = date ?? today
  const ends = places.map(({ id, timezone }) => ({
    id,
    until: dayOf(scope.now, timezone) <= day ? null : startOfDay(addDays(day, 1), timezone),
  }))
  return { date: day, ...(await store.listStockValues(db, scope, ends, limit)) }
}

/** Revenue and cost of each product, the highest margin first, and their totals (B-report-7). */
export async function listMargins(
  db: Db,
  scope: Scope,
  query: ReportPeriod & { limit: number },
): Promise<{ products: ProductMargin[]; total: MarginTotal }> {
  const { spans } = await asked(db, scope, query)
  const rows = await store.listMargins(db, scope, spans, query.limit)
  const all = rows[0] ?? { allQuantity: 0, allGrams: 0, allRevenue: 0, allCost: 0, allUncosted: 0 }
  return {
    products: rows.map(({ productId, name, ...sums }) => ({ productId, name, ...marginOf(sums) })),
    total: marginOf({
      quantity: all.allQuantity,
      grams: all.allGrams,
      revenue: all.allRevenue,
      cost: all.allCost,
      uncosted: all.allUncosted,
    }),
  }
}
