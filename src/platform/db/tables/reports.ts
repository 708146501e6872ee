// Rows of migrations/0043_reports.sql, 0150_money_terms.sql and 0223_report_grams.sql, as Kysely sees them.
import type { Generated } from 'kysely'

export type ReportPositionsRow = {
  accountId: string
  cluster: string
  tx: string
  eventId: string
  rolledAt: string
}

export type ReportOutletsRow = {
  accountId: string
  outletId: string
  timezone: string
  since: string
}

export type ReportFiguresRow = {
  accountId: string
  outletId: string
  lens: 'DAY' | 'HOUR' | 'CASHIER'
  day: string
  key: string
  salesCount: number
  gross: number
  discounts: number
  tax: number
  includedTax: number
  deliveryFees: number
  total: number
  refundCount: number
  refundedGoods: number
  refundedTax: number
  refundedDeliveryFees: number
  voidCount: number
  service: Generated<number>
  refundedService: Generated<number>
  rounding: Generated<number>
  refundedRounding: Generated<number>
}

export type ReportMethodsRow = {
  accountId: string
  outletId: string
  day: string
  method: string
  count: number
  amount: number
  refunds: number
}

export type ReportGoodsRow = {
  accountId: string
  outletId: string
  day: string
  productId: string
  quantity: number
  revenue: number
  cost: number
  uncosted: number
  grams: Generated<number>
  returnedGrams: Generated<number>
  returnedQuantity: number
  returnedRevenue: number
  returnedCost: number
}

export type ReportTaxesRow = {
  accountId: string
  outletId: string
  day: string
  rateBps: number
  tax: number
  refundedTax: number
}

export type ReportTables = {
  reportPositions: ReportPositionsRow
  reportOutlets: ReportOutletsRow
  reportFigures: ReportFiguresRow
  reportMethods: ReportMethodsRow
  reportGoods: ReportGoodsRow
  reportTaxes: ReportTaxesRow
}
