import { guarded } from '../../../../core/spreadsheet.ts'
import { emptyToNull } from '../../../../core/text.ts'
import type { Product, ProductIn, Variant, VariantIn } from '../schema.ts'

/** One row per variant; the cells of its product are repeated in each (docs/catalogue-csv.md). */
export const COLUMNS = [
  'product_id',
  'product',
  'category',
  'kind',
  'track_stock',
  'requires_batch',
  'description',
  'image_url',
  'station',
  'product_active',
  'variant',
  'sku',
  'barcode',
  'price',
  'cost',
  'sort_order',
  'active',
] as const
export type Column = (typeof COLUMNS)[number]
/** The cells of one row; a column the file does not have is absent. */
export type Cells = Partial<Record<Column, string>>

export const VARIANT_COLUMNS = ['variant', 'sku', 'barcode', 'price', 'cost', 'sort_order', 'active'] as const
export const PRODUCT_COLUMNS = COLUMNS.filter(
  (column) => !(VARIANT_COLUMNS as readonly Column[]).includes(column),
)

/** Where the service names a field in a refusal, the person sees the column. */
export const COLUMN_OF: Readonly<Record<string, Column>> = {
  name: 'product',
  categoryId: 'category',
  kind: 'kind',
  trackStock: 'track_stock',
  requiresBatch: 'requires_batch',
  description: 'description',
  imageUrl: 'image_url',
  station: 'station',
  isActive: 'product_active',
  'variants.name': 'variant',
  'variants.sku': 'sku',
  'variants.barcode': 'barcode',
  'variants.price': 'price',
  'variants.cost': 'cost',
  'variants.sortOrder': 'sort_order',
  'variants.isActive': 'active',
}

const word = (flag: boolean) => (flag ? 'yes' : 'no')

/** The row of a variant; without one, the row of a product that has none. */
export function rowOf(product: Product, variant: Variant | null): string[] {
  const cells: Record<Column, string> = {
    product_id: product.id,
    product: product.name,
    category: product.categoryName ?? '',
    kind: product.kind,
    track_stock: word(product.trackStock),
    requires_batch: word(product.requiresBatch),
    description: product.description ?? '',
    image_url: product.imageUrl ?? '',
    station: product.station ?? '',
    product_active: word(product.isActive),
    variant: variant?.name ?? '',
    sku: variant?.sku ?? '',
    barcode: variant?.barcode ?? '',
    price: String(variant?.price ?? ''),
    cost: String(variant?.cost ?? ''),
    sort_order: String(variant?.sortOrder ?? ''),
    active: variant ? word(variant.isActive) : '',
  }
  return COLUMNS.map((column) => guarded(cells[column]))
}

/** A cell that cannot be read as what its column holds. */
export type CellFault = { column: Column; problem: string }

const YES = new Set(['yes', 'y', 'true', '1', 'ya'])
const NO = new Set(['no', 'n', 'false', '0', 'tidak'])

type Read<T> = { value?: T } | CellFault
const isFault = <T>(read: Read<T>): read is CellFault => 'problem' in read

function flag(cells: Cells, column: Column): Read<boolean> {
  const text = cells[column]?.toLowerCase()
  if (text === undefined || text === '') return {}
  if (YES.has(text)) return { value: true }
  return NO.has(text) ? { value: false } : { column, problem: `"${text}" is neither yes nor no` }
}

function whole(cells: Cells, column: Column): Read<number> {
  const text = cells[column]
  if (text === undefined || text === '') return {}
  if (/^\d{1,15}$/.test(text)) return { value: Number(text) }
  return { column, problem: `"${text}" is not a whole number; write 18000, without points, commas or Rp` }
}

/** Empty clears what may be absent; a column that is not there leaves it as it is. */
const text = (cells: Cells, column: Column): Read<string | null> =>
  cells[column] === undefined ? {} : { value: emptyToNull(cells[column]) }

const filled = (cells: Cells, column: Column): Read<string> =>
  cells[column] ? { value: cells[column] ?? '' } : {}

function kind(cells: Cells): Read<'GOODS' | 'SERVICE'> {
  const said = cells.kind?.toUpperCase()
  if (!said) return {}
  if (said === 'GOODS' || said === 'SERVICE') return { value: said }
  return { column: 'kind', problem: `"${cells.kind}" is neither GOODS nor SERVICE` }
}

function collect(reads: Record<string, Read<unknown>>): { fields: object; faults: CellFault[] } {
  const faults = Object.values(reads).filter(isFault)
  const fields = Object.fromEntries(
    Object.entries(reads).flatMap(([field, read]) =>
      !isFault(read) && read.value !== undefined ? [[field, read.value]] : [],
    ),
  )
  return { fields, faults }
}

export type ProductCells = Omit<Partial<ProductIn>, 'variants' | 'categoryId'>
/** What a row says about its product, apart from its category, which the row gives by name. */
export const productOf = (cells: Cells) =>
  collect({
    name: filled(cells, 'product'),
    kind: kind(cells),
    trackStock: flag(cells, 'track_stock'),
    requiresBatch: flag(cells, 'requires_batch'),
    description: text(cells, 'description'),
    imageUrl: text(cells, 'image_url'),
    station: text(cells, 'station'),
    isActive: flag(cells, 'product_active'),
  }) as { fields: ProductCells; faults: CellFault[] }

export type VariantCells = Partial<VariantIn>
export const variantOf = (cells: Cells) =>
  collect({
    name: filled(cells, 'variant'),
    sku: text(cells, 'sku'),
    barcode: text(cells, 'barcode'),
    price: whole(cells, 'price'),
    cost: whole(cells, 'cost'),
    sortOrder: whole(cells, 'sort_order'),
    isActive: flag(cells, 'active'),
  }) as { fields: VariantCells; faults: CellFault[] }

export const hasVariant = (cells: Cells) => VARIANT_COLUMNS.some((column) => cells[column])
