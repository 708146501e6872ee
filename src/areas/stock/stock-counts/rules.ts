import { parse } from 'csv-parse/sync'
import { conflict, invalid } from '../../../core/errors.ts'
import { type CountStatus, MAX_COUNTED, MAX_LINES } from './schema.ts'

/** Throws 409 unless the count is open: it is posted or cancelled once (B-count-5). */
export function requireOpenCount({ status }: { status: CountStatus }): void {
  if (status === 'OPEN') return
  const word = status === 'POSTED' ? 'posted' : 'cancelled'
  throw conflict(`This stock count is already ${word}. Open a new one to count again`)
}

const MOST_NAMED = 3

/** Throws 409 if another count has corrected these products since they were counted: the difference would count twice (B-count-6). */
export function requireUnmoved(productNames: readonly string[]): void {
  if (productNames.length === 0) return
  const named = productNames.slice(0, MOST_NAMED).join(', ')
  const more = productNames.length - MOST_NAMED
  const [were, them] = productNames.length === 1 ? ['it was', 'it'] : ['they were', 'them']
  throw conflict(
    `Another stock count has corrected ${named}${more > 0 ? ` and ${more} more` : ''} since ${were} counted here. Count ${them} again, then post`,
  )
}

/** One line of a table: `key` is the value of the column `by`, `row` its row in the file. */
type CsvLine = { key: string; quantity: number; row: number }
const CSV_KEYS = ['variantId', 'sku', 'barcode'] as const
export type CsvKey = (typeof CSV_KEYS)[number]

/**
 * Reads lines from a table with a header (B-count-4). Commas or semicolons separate its columns, as in the header. Throws
 * 422 `csv` that names the row at fault.
 */
export function readCsv(text: string): { by: CsvKey; lines: CsvLine[] } {
  const [header, ...rows] = parsed(text)
  const names = (header?.record ?? []).map((name) => name.trim().toLowerCase())
  const by = CSV_KEYS.find((key) => names.includes(key.toLowerCase()))
  const quantityAt = names.indexOf('quantity')
  if (by === undefined || quantityAt < 0)
    throw invalid('csv', 'The first row must name the column quantity and one of variantId, sku and barcode')
  if (rows.length === 0) throw invalid('csv', 'The table has no rows below its header')
  if (rows.length > MAX_LINES)
    throw invalid('csv', `The table has ${rows.length} rows. Send at most ${MAX_LINES} at a time`)
  const keyAt = names.indexOf(by.toLowerCase())
  const lines = rows.map(({ record: row, info }) => {
    if (row.slice(names.length).some((cell) => cell.trim() !== ''))
      throw invalid(
        'csv',
        `Row ${info.lines} has more cells than the header. Put a cell that contains the separator in quotation marks`,
      )
    const [key = '', quantity = ''] = [row[keyAt]?.trim(), row[quantityAt]?.trim()]
    if (key === '') throw invalid('csv', `Row ${info.lines} has no ${by}`)
    if (!/^\d{1,10}$/.test(quantity) || Number(quantity) > MAX_COUNTED)
      throw invalid(
        'csv',
        `The quantity in row ${info.lines} must be a whole number from 0 to ${MAX_COUNTED}`,
      )
    return { key, quantity: Number(quantity), row: info.lines }
  })
  return { by, lines }
}

/** `lines` is the number of the row in the file, which also counts empty ones. */
type CsvRow = { record: string[]; info: { lines: number } }

/**
 * The separator that the header has more often. Only one separates the cells of a table: with both, `1,5` in a cell
 * would be read as 1.
 */
function delimiterOf(text: string): ',' | ';' {
  const header = text.split(/[\r\n]/).find((line) => line.trim() !== '') ?? ''
  return header.split(';').length > header.split(',').length ? ';' : ','
}

function parsed(text: string): CsvRow[] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
    }) as unknown as CsvRow[]
  } catch {
    throw invalid('csv', 'The table cannot be read. Check its quotation marks')
  }
}
