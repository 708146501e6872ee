import { guarded } from '../spreadsheet.ts'
import { emptyToNull } from '../text.ts'
import { SOLD_BY, type SoldBy } from '../weights.ts'
import type { FilePack, FileProduct, FileVariant, PackFields, ProductCells, VariantCells } from './shapes.ts'

export const PRODUCT_COLUMNS = [
  'product_id',
  'product',
  'category',
  'kind',
  'track_stock',
  'requires_batch',
  'description',
  'image_url',
  'station',
  'tax_rate',
  'product_active',
] as const
const VARIANT_COLUMNS = [
  'variant',
  'sku',
  'barcode',
  'price',
  'cost',
  'sort_order',
  'active',
  'more_barcodes',
  'packs',
  'sold_by',
] as const
/** The file has one row per variant. Each row repeats the cells of the product (docs/catalogue-csv.md). */
export const COLUMNS = [...PRODUCT_COLUMNS, ...VARIANT_COLUMNS] as const
export type CsvColumn = (typeof COLUMNS)[number]
/** The cells of one row. A column that is missing in the file has no entry. */
export type Cells = Partial<Record<CsvColumn, string>>

/** Maps the field that an error names to the column of the file. */
export const COLUMN_OF: Readonly<Record<string, CsvColumn>> = {
  name: 'product',
  categoryId: 'category',
  kind: 'kind',
  trackStock: 'track_stock',
  requiresBatch: 'requires_batch',
  description: 'description',
  imageUrl: 'image_url',
  station: 'station',
  taxRateBps: 'tax_rate',
  isActive: 'product_active',
  'variants.name': 'variant',
  'variants.sku': 'sku',
  'variants.barcode': 'barcode',
  'variants.price': 'price',
  'variants.cost': 'cost',
  'variants.sortOrder': 'sort_order',
  'variants.isActive': 'active',
  'variants.barcodes': 'more_barcodes',
  'variants.packs': 'packs',
  'variants.soldBy': 'sold_by',
}

/** Separates the entries of a cell with a list, and the fields of a pack. A backslash before either means the character. */
const LIST = '|'
const FIELD = ';'
const escaped = (text: string) => text.replaceAll(/[\\|;]/g, (mark) => `\\${mark}`)
const joined = (texts: readonly string[], mark: string, { isWritten = false } = {}) =>
  texts.map((text) => (isWritten ? text : escaped(text))).join(mark)

/** Splits at marks that no backslash precedes; the parts keep their backslashes. */
function split(text: string, mark: string): string[] {
  const parts = ['']
  for (const [piece] of text.matchAll(/\\[^]|[^]/g)) {
    if (piece === mark) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts.map((part) => part.trim()).filter((part, _, all) => part !== '' || all.length > 1)
}
const plain = (text: string) => text.replaceAll(/\\([^])/g, '$1')

/** A pack in the cell `packs`: name;factor;barcode;price, without empty fields at its end. */
function packCell({ name, factor, barcode, price }: FilePack): string {
  const fields = [name, String(factor), barcode ?? '', String(price ?? '')]
  // The joined text cannot be cut: a barcode may end in the mark itself.
  return joined(fields.slice(0, fields.findLastIndex((field) => field !== '') + 1), FIELD)
}

const word = (flag: boolean) => (flag ? 'yes' : 'no')

/** Returns the row of a variant, or the row of a product that has no variant. */
export function rowOf(product: FileProduct, variant: FileVariant | null): string[] {
  const cells: Record<CsvColumn, string> = {
    product_id: product.id,
    product: product.name,
    category: product.categoryName ?? '',
    kind: product.kind,
    track_stock: word(product.trackStock),
    requires_batch: word(product.requiresBatch),
    description: product.description ?? '',
    image_url: product.imageUrl ?? '',
    station: product.station ?? '',
    tax_rate: String(product.taxRateBps ?? ''),
    product_active: word(product.isActive),
    variant: variant?.name ?? '',
    sku: variant?.sku ?? '',
    barcode: variant?.barcode ?? '',
    price: String(variant?.price ?? ''),
    cost: String(variant?.cost ?? ''),
    sort_order: String(variant?.sortOrder ?? ''),
    active: variant ? word(variant.isActive) : '',
    more_barcodes: joined(variant?.barcodes.slice(1) ?? [], LIST),
    packs: joined((variant?.packs ?? []).map(packCell), LIST, { isWritten: true }),
    sold_by: variant?.soldBy ?? '',
  }
  return COLUMNS.map((column) => guarded(cells[column]))
}

/** Why a cell is refused. Service and browser have a sentence for each. */
export type CellProblem =
  | 'yesOrNo'
  | 'whole'
  | 'taxRate'
  | 'kind'
  | 'soldBy'
  | 'firstBarcode'
  | 'pack'
  | 'long'
  | 'noProduct'
  | 'moreCells'
  | 'differs'
  | 'otherProduct'
  | 'ambiguous'
  | 'onSale'
  | 'repeated'
export type CellFault = {
  column: CsvColumn
  problem: CellProblem
  /** The refused text, or the number that its sentence names. */
  value: string
  /** The row that it contradicts. */
  otherRow?: number
}

const YES = new Set(['yes', 'y', 'true', '1', 'ya'])
const NO = new Set(['no', 'n', 'false', '0', 'tidak'])

type CellResult<T> = { value?: T } | CellFault
const isFault = <T>(read: CellResult<T>): read is CellFault => 'problem' in read

function flag(cells: Cells, column: CsvColumn): CellResult<boolean> {
  const text = cells[column]?.toLowerCase()
  if (text === undefined || text === '') return {}
  if (YES.has(text)) return { value: true }
  return NO.has(text) ? { value: false } : { column, problem: 'yesOrNo', value: text }
}

function parseWhole(cells: Cells, column: CsvColumn): CellResult<number> {
  const text = cells[column]
  if (text === undefined || text === '') return {}
  if (/^\d{1,15}$/.test(text)) return { value: Number(text) }
  return { column, problem: 'whole', value: text }
}

/** Basis points; an empty cell means the rate of the outlet (B-tax-1). */
function taxRate(cells: Cells): CellResult<number | null> {
  const text = cells.tax_rate
  if (text === undefined) return {}
  if (text === '') return { value: null }
  if (/^\d{1,5}$/.test(text) && Number(text) <= 10_000) return { value: Number(text) }
  return { column: 'tax_rate', problem: 'taxRate', value: text }
}

/** An empty cell clears an optional field; a missing column leaves it unchanged. */
const text = (cells: Cells, column: CsvColumn): CellResult<string | null> =>
  cells[column] === undefined ? {} : { value: emptyToNull(cells[column]) }

const parseText = (cells: Cells, column: CsvColumn): CellResult<string> =>
  cells[column] ? { value: cells[column] ?? '' } : {}

function kind(cells: Cells): CellResult<'GOODS' | 'SERVICE'> {
  const said = cells.kind?.toUpperCase()
  if (!said) return {}
  if (said === 'GOODS' || said === 'SERVICE') return { value: said }
  return { column: 'kind', problem: 'kind', value: cells.kind ?? '' }
}

function soldBy(cells: Cells): CellResult<SoldBy> {
  const said = cells.sold_by?.toUpperCase()
  if (!said) return {}
  const value = SOLD_BY.find((one) => one === said)
  return value ? { value } : { column: 'sold_by', problem: 'soldBy', value: cells.sold_by ?? '' }
}

function collect(reads: Record<string, CellResult<unknown>>): { fields: object; faults: CellFault[] } {
  const faults = Object.values(reads).filter(isFault)
  const fields = Object.fromEntries(
    Object.entries(reads).flatMap(([field, read]) =>
      !isFault(read) && read.value !== undefined ? [[field, read.value]] : [],
    ),
  )
  return { fields, faults }
}

/** Reads the product fields of a row, except the category: the row has only its name. */
export const productOf = (cells: Cells) =>
  collect({
    name: parseText(cells, 'product'),
    kind: kind(cells),
    trackStock: flag(cells, 'track_stock'),
    requiresBatch: flag(cells, 'requires_batch'),
    description: text(cells, 'description'),
    imageUrl: text(cells, 'image_url'),
    station: text(cells, 'station'),
    taxRateBps: taxRate(cells),
    isActive: flag(cells, 'product_active'),
  }) as { fields: ProductCells; faults: CellFault[] }

/**
 * The barcodes after the first one. The column `barcode` has that one, so both are read together. A file without that
 * column changes no barcode.
 */
function barcodes(cells: Cells): CellResult<string[]> {
  const { barcode, more_barcodes: more } = cells
  if (more === undefined) return {}
  const others = split(more, LIST).map(plain)
  if (others.length === 0 && barcode === undefined) return {}
  if (others.length > 0 && !barcode) return { column: 'more_barcodes', problem: 'firstBarcode', value: '' }
  return { value: [...(barcode ? [barcode] : []), ...others] }
}

function packs(cells: Cells): CellResult<PackFields[]> {
  if (cells.packs === undefined) return {}
  const value: PackFields[] = []
  for (const entry of split(cells.packs, LIST)) {
    const [name = '', factor = '', barcode = '', price = '', ...rest] = split(entry, FIELD).map(plain)
    if (name === '' || !/^\d{1,6}$/.test(factor) || !/^\d{0,10}$/.test(price) || rest.length > 0)
      return { column: 'packs', problem: 'pack', value: entry }
    value.push({
      name,
      factor: Number(factor),
      barcode: emptyToNull(barcode),
      price: price === '' ? null : Number(price),
    })
  }
  return { value }
}

/** Reads the variant fields of a row. */
export const variantOf = (cells: Cells) =>
  collect({
    name: parseText(cells, 'variant'),
    sku: text(cells, 'sku'),
    barcode: text(cells, 'barcode'),
    price: parseWhole(cells, 'price'),
    cost: parseWhole(cells, 'cost'),
    sortOrder: parseWhole(cells, 'sort_order'),
    isActive: flag(cells, 'active'),
    barcodes: barcodes(cells),
    packs: packs(cells),
    soldBy: soldBy(cells),
  }) as { fields: VariantCells; faults: CellFault[] }

/** Whether a row has a cell of a variant; a row without one names only its product. */
export const hasVariant = (cells: Cells) => VARIANT_COLUMNS.some((column) => cells[column])
