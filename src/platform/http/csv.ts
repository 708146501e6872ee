import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { guarded } from '../../core/spreadsheet.ts'
import { Words } from './shapes.ts'

/** A response as a table; `name` is the file name without its extension. */
export type Csv = {
  name: string
  columns: readonly string[]
  rows: Iterable<readonly (string | number | null)[]>
}

/** The columns of a table with a line for each figure. */
export const FIGURE_COLUMNS = ['figure', 'value'] as const
const COMPUTED_AT = 'computedAt'

/** The table with the instant of its figures: one more line of figures, or one more column of any other table. */
function withTime({ name, columns, rows }: Csv, now: string): Csv {
  if (columns === FIGURE_COLUMNS) return { name, columns, rows: joined(rows, [[COMPUTED_AT, now]]) }
  const stamped = function* () {
    for (const row of rows) yield [...row, now]
  }
  return { name, columns: [...columns, COMPUTED_AT], rows: stamped() }
}

function* joined<T>(...parts: readonly Iterable<T>[]) {
  for (const part of parts) yield* part
}

/** The query parameter that selects a table instead of the envelope, on routes with `csv`. */
export const Format = Words(['json', 'csv'] as const, {
  default: 'json',
  description: 'csv answers the rows as a table for a spreadsheet (RFC 4180, UTF-8), a file to download',
})

export const isCsv = (query: unknown): boolean => (query as { format?: unknown }).format === 'csv'

/**
 * Streams a table at the reader's pace, with the instant that it was computed (B-report-10). Cells are escaped so that no
 * spreadsheet runs them as formulas.
 */
export async function sendCsv(reply: FastifyReply, csv: Csv, now: string) {
  const { name, columns, rows } = withTime(csv, now)
  const { stringify } = await import('csv-stringify')
  const cells = function* () {
    for (const row of rows) yield row.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell))
  }
  const table = stringify({ header: true, bom: true, record_delimiter: 'windows', columns: [...columns] })
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(Readable.from(cells()).pipe(table))
}
