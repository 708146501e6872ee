import type { ReportDay } from 'kasir-client'

/** The columns of the service's own file. */
const COLUMNS = [
  'date',
  'from',
  'to',
  'salesCount',
  'refundCount',
  'voidCount',
  'gross',
  'discounts',
  'refunds',
  'tax',
  'net',
  'service',
  'rounding',
  'deliveryFees',
  'total',
] as const satisfies readonly (keyof ReportDay)[]

/**
 * The days of a table as a file in the form of B-report-10, in the address of a link. The service counts days back from
 * today, so its own file of an earlier period would hold other days.
 */
export function daysCsv(days: readonly ReportDay[], computedAt: string): string {
  // Days, instants and numbers need no quotes.
  const rows = days.map((day) => [...COLUMNS.map((column) => day[column]), computedAt])
  const lines = [[...COLUMNS, 'computedAt'], ...rows].map((row) => `${row.join(',')}\r\n`)
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${lines.join('')}`)}`
}
