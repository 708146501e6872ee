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

/** The rows of one product, with the parsed fields of the product and its variants, and the invalid cells. */
export type ProductGroup = {
  rows: CsvRow[]
  product: ProductCells
  category: string | null | undefined
  variants: { row: number; fields: VariantCells }[]
  faults: RowFault[]
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

/** What a whole file names: each `product_id`, and the first row that puts a code on sale. */
export type FileIndex = { productIds: Set<string>; codes: Map<string, number> }
export const newIndex = (): FileIndex => ({ productIds: new Set(), codes: new Map() })

export const CODES = ['sku', 'barcode'] as const
export type CodeColumn = (typeof CODES)[number]
export const codeKey = (column: CodeColumn, code: string) => `${column} ${code}`

/** Whether the file leaves a variant on sale. The codes of other variants are free (B-product-3). */
export const isOnSale = ({ product }: ProductGroup, fields: VariantCells) =>
  product.isActive !== false && fields.isActive !== false

/** The codes that a group puts on sale, with their rows. */
const codesOnSale = (group: ProductGroup) =>
  group.variants
    .filter(({ fields }) => isOnSale(group, fields))
    .flatMap(({ row, fields }) =>
      CODES.flatMap((column) => {
        const code = fields[column]
        return code ? [{ row, column, code, key: codeKey(column, code) }] : []
      }),
    )

export function addToIndex({ productIds, codes }: FileIndex, group: ProductGroup) {
  const id = group.rows[0]?.cells.product_id
  if (id) productIds.add(id)
  for (const { key, row } of codesOnSale(group)) if (!codes.has(key)) codes.set(key, row)
}

/** Adds a fault for each code that an earlier row of the file has: the second row would overwrite the first. */
export function addRepeats(group: ProductGroup, { codes }: FileIndex): ProductGroup {
  for (const { row, column, code, key } of codesOnSale(group)) {
    const otherRow = codes.get(key) ?? row
    if (otherRow !== row) group.faults.push({ row, column, problem: 'repeated', value: code, otherRow })
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
