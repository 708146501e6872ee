import type { Product, Variant } from 'kasir-client'
import type { CsvValue } from './cells.ts'

type CsvColumn = { name: string; value(product: Product, variant: Variant): CsvValue }

const yes = (value: boolean) => (value ? 'yes' : 'no')

/** The columns of docs/catalogue-csv.md in their order. */
export const COLUMNS: readonly CsvColumn[] = [
  { name: 'product_id', value: ({ id }) => id },
  { name: 'product', value: ({ name }) => name },
  { name: 'category', value: ({ categoryName }) => categoryName },
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'track_stock', value: ({ trackStock }) => yes(trackStock) },
  { name: 'requires_batch', value: ({ requiresBatch }) => yes(requiresBatch) },
  { name: 'description', value: ({ description }) => description },
  { name: 'image_url', value: ({ imageUrl }) => imageUrl },
  { name: 'station', value: ({ station }) => station },
  { name: 'tax_rate', value: ({ taxRateBps }) => taxRateBps },
  { name: 'product_active', value: ({ isActive }) => yes(isActive) },
  { name: 'variant', value: (_, { name }) => name },
  { name: 'sku', value: (_, { sku }) => sku },
  { name: 'barcode', value: (_, { barcode }) => barcode },
  { name: 'price', value: (_, { price }) => price },
  { name: 'cost', value: (_, { cost }) => cost },
  { name: 'sort_order', value: (_, { sortOrder }) => sortOrder },
  { name: 'active', value: (_, { isActive }) => yes(isActive) },
]
