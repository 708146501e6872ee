import type { Product, ProductCreate, VariantEntry } from 'kasir-client'
import type { OfficeKey } from '../../../texts/office/texts.ts'
import { plainText } from './cells.ts'
import { COLUMNS } from './columns.ts'

export type CsvRefusal = {
  /** The row number in a spreadsheet, where the header is row 1. */
  row: number
  column: string
  product: string
  /** A text of the dictionary, or the service's own sentence. */
  problem: OfficeKey | { sentence: string }
  value?: string
}

export type CsvRow = {
  row: number
  productId: string
  product: Partial<Omit<ProductCreate, 'variants'>> & { name: string }
  category: string | null
  variant: VariantEntry
}

const YES = new Set(['yes', 'y', 'true', '1', 'ya'])
const NO = new Set(['no', 'n', 'false', '0', 'tidak'])
const MOST_RUPIAH = 1_000_000_000

type Cells = ReadonlyMap<string, string>

class CellError extends Error {
  readonly column: string
  readonly problem: OfficeKey
  readonly value: string
  constructor(column: string, problem: OfficeKey, value: string) {
    super(problem)
    this.column = column
    this.problem = problem
    this.value = value
  }
}

function yesOrNo(cells: Cells, column: string): boolean | undefined {
  const value = cells.get(column) ?? ''
  if (value === '') return undefined
  if (YES.has(value.toLowerCase())) return true
  if (NO.has(value.toLowerCase())) return false
  throw new CellError(column, 'csv.yesOrNo', value)
}

function whole(cells: Cells, column: string, most: number): number | undefined {
  const value = cells.get(column) ?? ''
  if (value === '') return undefined
  if (!/^\d+$/.test(value) || Number(value) > most) throw new CellError(column, 'csv.whole', value)
  return Number(value)
}

function text(cells: Cells, column: string, most: number): string | undefined {
  const value = cells.get(column)
  if (value !== undefined && value.length > most) throw new CellError(column, 'csv.long', value.slice(0, 40))
  return value
}

/** An empty cell of a column that exists means none. */
const orNull = (value: string | undefined) => (value === '' ? null : value)

function kindIn(cells: Cells): Product['kind'] | undefined {
  const value = (cells.get('kind') ?? '').toUpperCase()
  if (value === '' || value === 'GOODS' || value === 'SERVICE') return value || undefined
  throw new CellError('kind', 'csv.kind', value)
}

const defined = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never

function rowFrom(row: number, cells: Cells): CsvRow {
  const name = text(cells, 'product', 160) ?? ''
  if (name === '') throw new CellError('product', 'csv.noProduct', '')
  return {
    row,
    productId: cells.get('product_id') ?? '',
    category: text(cells, 'category', 80) || null,
    product: defined({
      name,
      kind: kindIn(cells),
      trackStock: yesOrNo(cells, 'track_stock'),
      requiresBatch: yesOrNo(cells, 'requires_batch'),
      description: orNull(text(cells, 'description', 2_000)),
      imageUrl: orNull(text(cells, 'image_url', 600)),
      station: orNull(text(cells, 'station', 40)),
      taxRateBps: whole(cells, 'tax_rate', 10_000),
      isActive: yesOrNo(cells, 'product_active'),
    }) as CsvRow['product'],
    variant: defined({
      name: text(cells, 'variant', 80) || undefined,
      sku: orNull(text(cells, 'sku', 64)),
      barcode: orNull(text(cells, 'barcode', 64)),
      price: whole(cells, 'price', MOST_RUPIAH),
      cost: whole(cells, 'cost', MOST_RUPIAH),
      sortOrder: whole(cells, 'sort_order', 1_000_000),
      isActive: yesOrNo(cells, 'active'),
    }) as VariantEntry,
  }
}

/** The rows of a catalogue file, and the cells that are refused. A misspelt column refuses the file. */
export function readRows(table: readonly (readonly string[])[]): { rows: CsvRow[]; refusals: CsvRefusal[] } {
  const [header = [], ...lines] = table
  const names = header.map((cell) => cell.trim().toLowerCase())
  const unknown = names.find((name) => !COLUMNS.some((column) => column.name === name))
  if (unknown !== undefined || !names.includes('product'))
    return {
      rows: [],
      refusals: [
        {
          row: 1,
          column: unknown ?? 'product',
          product: '',
          problem: unknown === undefined ? 'csv.noColumn' : 'csv.unknownColumn',
        },
      ],
    }
  const rows: CsvRow[] = []
  const refusals: CsvRefusal[] = []
  for (const [at, line] of lines.entries()) {
    const cells = new Map(names.map((name, column) => [name, plainText(line[column] ?? '')]))
    try {
      rows.push(rowFrom(at + 2, cells))
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      const { column, problem, value } = error
      refusals.push({ row: at + 2, column, problem, value, product: cells.get('product') ?? '' })
    }
  }
  return { rows, refusals }
}
