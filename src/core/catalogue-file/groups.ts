import { unguarded } from '../spreadsheet.ts'
import { emptyToNull } from '../text.ts'
import {
  type CellFault,
  type Cells,
  COLUMN_OF,
  COLUMNS,
  type CsvColumn,
  hasVariant,
  PRODUCT_COLUMNS,
  productOf,
  variantOf,
} from './columns.ts'
import type { ProductCells, VariantCells } from './shapes.ts'

/** One row, numbered as in a spreadsheet: the header is row 1. */
export type CsvRow = { row: number; cells: Cells; hasMoreCells: boolean }

/** Why a header is refused, with the name of the column. */
export type HeaderFault = { problem: 'unknownColumn' | 'columnTwice' | 'noProductColumn'; column: string }

/** The columns that a header names, in any case, or why it is not the header of a catalogue. */
export function readHeader(record: readonly string[]): CsvColumn[] | HeaderFault {
  const names = record.map((name) => name.trim().toLowerCase())
  const unknown = names.find((name) => !(COLUMNS as readonly string[]).includes(name))
  if (unknown !== undefined) return { problem: 'unknownColumn', column: unknown }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return { problem: 'columnTwice', column: twice }
  if (!names.includes('product')) return { problem: 'noProductColumn', column: 'product' }
  return names as CsvColumn[]
}

/** The cells of a record by their column. */
export function readRow(header: readonly CsvColumn[], record: readonly string[], row: number): CsvRow {
  const cells: Cells = {}
  header.forEach((column, index) => {
    cells[column] = unguarded((record[index] ?? '').trim())
  })
  return { row, cells, hasMoreCells: record.slice(header.length).some((cell) => cell.trim() !== '') }
}

const LONGEST_CATEGORY = 80

/** A row with a code. `productId` is its cell, which may also be a text of the user. */
export type CodeUse = { row: number; productId: string; isActive: boolean }
/** A code that an earlier row of another `product_id` has, where one of the two products is inactive. */
type SharedCode = { fault: RowFault; otherProductId: string }

/** The rows of one product, with the parsed fields of the product and its variants, and the invalid cells. */
export type ProductGroup = {
  rows: CsvRow[]
  product: ProductCells
  category: string | null | undefined
  variants: { row: number; fields: VariantCells }[]
  faults: RowFault[]
  sharedCodes: SharedCode[]
}
export type RowFault = CellFault & { row: number }

/** Rows with the same key belong to one product. */
export const keyOf = ({ product_id, product }: Cells) => `${product_id ?? ''}\n${product ?? ''}`

/** Parses the rows of one product. */
export function groupOf(rows: CsvRow[]): ProductGroup {
  const { row: firstRow = 0, cells: first = {} } = rows[0] ?? {}
  const { fields, faults } = productOf(first)
  const group: ProductGroup = {
    rows,
    product: fields,
    category: first.category === undefined ? undefined : emptyToNull(first.category),
    variants: [],
    faults: faults.map((fault) => ({ ...fault, row: firstRow })),
    sharedCodes: [],
  }
  if (!first.product) group.faults.push({ row: firstRow, column: 'product', problem: 'noProduct', value: '' })
  if ([...(group.category ?? '')].length > LONGEST_CATEGORY)
    group.faults.push({ row: firstRow, column: 'category', problem: 'long', value: String(LONGEST_CATEGORY) })
  for (const { row, cells, hasMoreCells } of rows) {
    if (hasMoreCells) group.faults.push({ row, column: 'product', problem: 'moreCells', value: '' })
    const other = PRODUCT_COLUMNS.find((column) => cells[column] && cells[column] !== first[column])
    if (other) group.faults.push({ row, column: other, problem: 'differs', value: '', otherRow: firstRow })
    if (!hasVariant(cells)) continue
    const variant = variantOf(cells)
    group.variants.push({ row, fields: variant.fields })
    group.faults.push(...variant.faults.map((fault) => ({ ...fault, row })))
  }
  return group
}

/**
 * Adds a fault for each code that an earlier row of the file has: the second row would overwrite the first. The codes of
 * an inactive product are free (B-product-3), so `targetOf` decides about them when it knows which products exist.
 */
export function addRepeats(group: ProductGroup, seen: Map<string, CodeUse[]>): ProductGroup {
  const isActive = group.product.isActive !== false
  const productId = group.rows[0]?.cells.product_id ?? ''
  for (const { row, fields } of group.variants) {
    for (const column of ['sku', 'barcode'] as const) {
      const code = fields[column]
      if (!code || fields.isActive === false) continue
      const key = `${column} ${code}`
      const uses = seen.get(key) ?? []
      const toFault = (use: CodeUse): RowFault => ({
        row,
        column,
        problem: 'repeated',
        value: code,
        otherRow: use.row,
      })
      const same = uses.find((use) => use.productId === productId || (use.isActive && isActive))
      if (same) {
        group.faults.push(toFault(same))
        continue
      }
      for (const use of uses) group.sharedCodes.push({ fault: toFault(use), otherProductId: use.productId })
      seen.set(key, [...uses, { row, productId, isActive }])
    }
  }
  return group
}

/** An error of the service about a product of the file. */
type ProductError = { message: string; param?: string | undefined; details?: unknown }

/**
 * Finds the row and column of the file that an error of the service names. `rows` has the row of each variant that was
 * sent.
 */
export function faultOf(error: ProductError, group: ProductGroup, rows: readonly (number | null)[]) {
  const first = group.rows[0]?.row ?? 0
  const [, index, field] = /^variants\[(\d+)\]\.?(\w*)/.exec(error.param ?? '') ?? []
  if (index === undefined) {
    const { field: named, value } = (error.details ?? {}) as { field?: CsvColumn; value?: string }
    const column = COLUMN_OF[error.param ?? ''] ?? named ?? 'product'
    const row = group.rows.find(({ cells }) => value !== undefined && cells[column] === value)?.row ?? first
    return { row, column, problem: error.message }
  }
  const column = COLUMN_OF[`variants.${field}`] ?? 'variant'
  const problem = error.message.replace(/^variants\[\d+\]\.\w+ /, '')
  return { row: rows[Number(index)] ?? first, column, problem }
}
