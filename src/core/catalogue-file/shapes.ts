import type { SoldBy } from '../weights.ts'

// What the file of docs/catalogue-csv.md writes and reads. The records of service and client have these fields.

export type FilePack = {
  id: string
  name: string
  factor: number
  barcode: string | null
  price: number | null
}

export type FileVariant = {
  id: string
  name: string
  sku: string | null
  barcode: string | null
  barcodes: readonly string[]
  price: number
  cost: number
  soldBy: SoldBy
  sortOrder: number
  isActive: boolean
  packs: readonly FilePack[]
}

export type FileProduct = {
  id: string
  name: string
  categoryId: string | null
  categoryName: string | null
  kind: 'GOODS' | 'SERVICE'
  trackStock: boolean
  requiresBatch: boolean
  description: string | null
  imageUrl: string | null
  station: string | null
  taxRateBps: number | null
  isActive: boolean
  variants: readonly FileVariant[]
}

/** The fields of a product that a row names, except its category: the row has only the name of that. */
export type ProductCells = Partial<Omit<FileProduct, 'id' | 'categoryId' | 'categoryName' | 'variants'>>

export type PackFields = Omit<FilePack, 'id'> & { id?: string }

/** The fields of a variant that a row names. */
export type VariantCells = Partial<Omit<FileVariant, 'id' | 'barcodes' | 'packs'>> & {
  barcodes?: string[]
  packs?: PackFields[]
}
