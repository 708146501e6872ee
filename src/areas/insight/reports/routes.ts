import { Type } from 'typebox'
import { notFound } from '../../../core/errors.ts'
import { isCsv } from '../../../platform/http/csv.ts'
import { route } from '../../../platform/http/route.ts'
import { Day, FilterId, IdParams, WholeQuery } from '../../../platform/http/shapes.ts'
import { listed, texts } from '../../../platform/http/whole.ts'
import { Level } from '../../stock/inventory/index.ts'
import {
  CashierRow,
  CategoryRow,
  DayRow,
  DaysQuery,
  ExpenseRow,
  HourRow,
  MarginQuery,
  MarginTotal,
  ProductMargin,
  PromotionRow,
  ReceivableRow,
  ReceivablesQuery,
  ReportQuery,
  StockValueQuery,
  StockValueRow,
  StockValueTotal,
  Summary,
  TopProduct,
  TopQuery,
} from './schema.ts'
import {
  getStockValue,
  getSummary,
  listCashiers,
  listCategories,
  listDays,
  listExpenses,
  listHours,
  listMargins,
  listPromotions,
  listTopProducts,
} from './service.ts'
import { shiftRows, titleOf } from './shift/rows.ts'
import { ShiftReport, ShiftReportQuery } from './shift/schema.ts'
import { getShiftReport } from './shift/service.ts'
import * as store from './store.ts'
import { shiftTable, summaryTable, tableOf } from './tables.ts'

const area = 'reports'
const fieldsOf = <T extends object>({ properties }: { properties: T }) =>
  Object.keys(properties) as (keyof T & string)[]
/** A table of margins has every product that a catalogue can hold. */
const ALL_PRODUCTS = 1_000_000

export const reportRoutes = [
  route({
    name: 'reports.getSummary',
    method: 'GET',
    path: '/reports/summary',
    area,
    summary: 'Sales, refunds, tax and payments of some days',
    description:
      'collected = net + tax + deliveryFees + service = the sum of net over byMethod. Sales count when they were completed, refunds when the money went back; voided sales do not count.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: ReportQuery,
    returns: Summary,
    formats: { csv: summaryTable },
    handle: ({ db, scope, query }) => getSummary(db, scope, query),
  }),
  route({
    name: 'reports.listTopProducts',
    method: 'GET',
    path: '/reports/top-products',
    area,
    summary: 'The best sellers of some days, by quantity',
    description:
      'Sorted by quantity, where a kilogram ranks as one unit, then revenue. Revenue is after discounts and before tax, less refunded lines.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: TopQuery,
    returns: Type.Object({ products: Type.Array(TopProduct) }),
    formats: { csv: ({ products }) => tableOf('top-products', fieldsOf(TopProduct), products) },
    handle: async ({ db, scope, query: { limit = 10, ...query } }) => ({
      products: await listTopProducts(db, scope, { ...query, limit }),
    }),
  }),
  route({
    name: 'reports.listSalesByDay',
    method: 'GET',
    path: '/reports/sales-by-day',
    area,
    summary: 'Each of the last days, oldest first',
    description: 'Days are those of each outlet’s own clock. Days without a sale are there too.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: DaysQuery,
    returns: Type.Object({ days: Type.Array(DayRow) }),
    formats: { csv: ({ days }) => tableOf('sales-by-day', fieldsOf(DayRow), days) },
    handle: async ({ db, scope, query: { outletId, days = 30 } }) => ({
      days: await listDays(db, scope, { outletId, days }),
    }),
  }),
  route({
    name: 'reports.listPromotions',
    method: 'GET',
    path: '/reports/promotions',
    area,
    summary: 'What each promotion gave in some days',
    description:
      'The largest amount first. Sales count when they were completed; voided sales do not count, and refunds are not deducted.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: ReportQuery,
    returns: Type.Object({ promotions: Type.Array(PromotionRow) }),
    formats: { csv: ({ promotions }) => tableOf('promotions', fieldsOf(PromotionRow), promotions) },
    handle: async ({ db, scope, query }) => ({ promotions: await listPromotions(db, scope, query) }),
  }),
  route({
    name: 'reports.listHours',
    method: 'GET',
    path: '/reports/hours',
    area,
    summary: 'The hours of the week, by the outlet’s clock',
    description: '`weekday` 1 is Monday. Each outlet counts by its own clock.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: ReportQuery,
    returns: Type.Object({ hours: Type.Array(HourRow) }),
    formats: { csv: ({ hours }) => tableOf('hours', fieldsOf(HourRow), hours) },
    handle: async ({ db, scope, query }) => ({ hours: await listHours(db, scope, query) }),
  }),
  route({
    name: 'reports.listCategories',
    method: 'GET',
    path: '/reports/categories',
    area,
    summary: 'Revenue, cost and margin by category',
    description: 'Products count in the category they are in now.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: ReportQuery,
    returns: Type.Object({ categories: Type.Array(CategoryRow) }),
    formats: { csv: ({ categories }) => tableOf('categories', fieldsOf(CategoryRow), categories) },
    handle: async ({ db, scope, query }) => ({ categories: await listCategories(db, scope, query) }),
  }),
  route({
    name: 'reports.listCashiers',
    method: 'GET',
    path: '/reports/cashiers',
    area,
    summary: 'Sales, refunds and voids by cashier',
    description:
      'A sale or void counts for the cashier of the sale, a refund for the member who gave the money back.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: ReportQuery,
    returns: Type.Object({ cashiers: Type.Array(CashierRow) }),
    formats: { csv: ({ cashiers }) => tableOf('cashiers', fieldsOf(CashierRow), cashiers) },
    handle: async ({ db, scope, query }) => ({ cashiers: await listCashiers(db, scope, query) }),
  }),
  route({
    name: 'reports.listExpenses',
    method: 'GET',
    path: '/reports/expenses',
    area,
    summary: 'Cash taken out of drawers, by category',
    description:
      'Sorted by amount. The row with `category` null is cash that was taken out without a category. Cash put in counts only if it has a category.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: ReportQuery,
    returns: Type.Object({ expenses: Type.Array(ExpenseRow) }),
    formats: { csv: ({ expenses }) => tableOf('expenses', fieldsOf(ExpenseRow), expenses) },
    handle: async ({ db, scope, query }) => ({ expenses: await listExpenses(db, scope, query) }),
  }),
  route({
    name: 'reports.listReceivables',
    method: 'GET',
    path: '/reports/receivables',
    area,
    summary: 'What customers owe, by age',
    description:
      'The largest balance first. The age counts from the due date, or from the day of the sale without one.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: ReceivablesQuery,
    returns: Type.Object({ receivables: Type.Array(ReceivableRow) }),
    formats: { csv: ({ receivables }) => tableOf('receivables', fieldsOf(ReceivableRow), receivables) },
    handle: async ({ db, scope }) => ({ receivables: await store.listReceivables(db, scope) }),
  }),
  route({
    name: 'reports.getMargin',
    method: 'GET',
    path: '/reports/margin',
    area,
    summary: 'Revenue, cost and gross margin by product',
    description:
      '`cost` is what the units cost when they left stock. `revenueWithoutCost` is the revenue of items that moved no stock.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: MarginQuery,
    returns: Type.Object({ products: Type.Array(ProductMargin), total: MarginTotal }),
    formats: { csv: ({ products }) => tableOf('margin', fieldsOf(ProductMargin), products) },
    handle: ({ db, scope, query: { limit = 100, ...query } }) =>
      listMargins(db, scope, { ...query, limit: isCsv(query) ? ALL_PRODUCTS : limit }),
  }),
  route({
    name: 'reports.getStockValue',
    method: 'GET',
    path: '/reports/stock-value',
    area,
    summary: 'What the stock is worth, now or at the end of a past day',
    description:
      'Levels times the average cost that the goods had then, the largest value first. Each outlet ends the day by its own clock.',
    access: 'read',
    mayReadReplica: true,
    delegation: 'read',
    role: 'MANAGER',
    query: StockValueQuery,
    returns: Type.Object({ date: Day, total: StockValueTotal, variants: Type.Array(StockValueRow) }),
    formats: { csv: ({ variants }) => tableOf('stock-value', fieldsOf(StockValueRow), variants) },
    handle: ({ db, scope, query: { limit = 100, ...query } }) =>
      getStockValue(db, scope, { ...query, limit: isCsv(query) ? ALL_PRODUCTS : limit }),
  }),
  route({
    name: 'reports.getShift',
    method: 'GET',
    path: '/reports/shifts/{id}',
    area,
    summary: 'Every figure of a drawer: the Z report of a closed shift, the X report of an open one',
    description:
      'html is a page for any browser, text and escpos are for receipt printers; csv is a table for a spreadsheet.',
    access: 'read',
    delegation: 'read',
    role: 'MANAGER',
    params: IdParams,
    query: ShiftReportQuery,
    returns: ShiftReport,
    formats: {
      csv: shiftTable,
      paper: (report, { lang = 'id' }) => ({
        name: `shift-${report.shift.id}`,
        paged: { title: titleOf(report, lang), language: lang, rows: shiftRows(report, lang) },
      }),
    },
    handle: ({ db, scope, params }) => getShiftReport(db, scope, params.id),
  }),
  route({
    name: 'reports.listLowStock',
    method: 'GET',
    path: '/reports/low-stock',
    area,
    summary: 'List goods at or below their reorder point',
    description: 'Goods on sale that are watched, by name.',
    access: 'whole',
    delegation: 'read',
    role: 'MANAGER',
    query: Type.Object({ outletId: FilterId, ...WholeQuery }),
    returns: Type.Object({ levels: Type.Array(Level) }),
    handle: async ({ db, scope, query: { outletId, ...page } }) => {
      if (outletId !== undefined && (await store.listPlaces(db, scope, outletId)).length === 0)
        throw notFound('outlet', 'outletId')
      return listed(page, {
        name: 'low-stock',
        keyOf: ({ productName, variantName, id }) => [productName, variantName, id],
        isKey: texts(3),
        read: (span) => store.listLow(db, scope, outletId, span),
      })
    },
  }),
]
