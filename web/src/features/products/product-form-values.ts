import type { Product, ProductCreate, ProductUpdate } from 'kasir-client'
import { changesBetween } from '../../office/form/record-changes.ts'

/** A pack of a variant; without a price it costs its units. */
export type PackForm = {
  id?: string
  name: string
  factor: number | null
  barcode: string | null
  price: number | null
}

export type VariantForm = {
  id?: string
  name: string
  sku: string | null
  /** All barcodes, separated by commas. */
  barcode: string | null
  packs: readonly PackForm[]
  price: number | null
  cost: number | null
  isActive: boolean
}

/** The fields that the editor of a product changes. */
export type ProductForm = {
  [K in
    | 'name'
    | 'description'
    | 'categoryId'
    | 'kind'
    | 'trackStock'
    | 'requiresBatch'
    | 'imageUrl'
    | 'station'
    | 'taxRateBps'
    | 'isActive']: Product[K]
} & { variants: VariantForm[]; modifierGroupIds: string[] }

/** The most variants that one request takes, inactive ones included (B-product-1). */
export const MOST_VARIANTS = 250

/** How many variants the form has to lose before it can be saved; variants that are unchanged are not sent. */
export const excessOf = (initial: ProductForm, { variants }: ProductForm): number =>
  changesBetween({ variants: initial.variants }, { variants }).variants === undefined
    ? 0
    : Math.max(0, variants.length - MOST_VARIANTS)

export const newPack = (): PackForm => ({ name: '', factor: null, barcode: null, price: null })

export const newVariant = (): VariantForm => ({
  name: 'Default',
  sku: null,
  barcode: null,
  packs: [],
  price: null,
  cost: 0,
  isActive: true,
})

export const NEW_PRODUCT: ProductForm = {
  name: '',
  description: null,
  categoryId: null,
  kind: 'GOODS',
  trackStock: true,
  requiresBatch: false,
  imageUrl: null,
  station: null,
  taxRateBps: null,
  isActive: true,
  variants: [newVariant()],
  modifierGroupIds: [],
}

export const toProductForm = (product: Product): ProductForm => ({
  name: product.name,
  description: product.description,
  categoryId: product.categoryId,
  kind: product.kind,
  trackStock: product.trackStock,
  requiresBatch: product.requiresBatch,
  imageUrl: product.imageUrl,
  station: product.station,
  taxRateBps: product.taxRateBps,
  isActive: product.isActive,
  variants: product.variants.map(({ id, name, sku, barcodes, packs, price, cost, isActive }) => ({
    id,
    name,
    sku,
    barcode: barcodes.length === 0 ? null : barcodes.join(', '),
    packs,
    price,
    cost,
    isActive,
  })),
  modifierGroupIds: product.modifierGroupIds,
})

/** The barcodes of a cell, separated by commas or spaces. */
const codesIn = (text: string | null): string[] => (text ?? '').split(/[\s,;]+/).filter((code) => code !== '')

/** The service answers an empty price with its sentence about the field. */
const variantBody = ({ price, cost, barcode, packs, ...variant }: VariantForm) => ({
  ...variant,
  barcodes: codesIn(barcode),
  packs: packs.map(({ factor, ...pack }) => ({ ...pack, factor: factor as number })),
  price: price as number,
  cost: cost ?? 0,
})

export function createBody({ modifierGroupIds: _, variants, ...product }: ProductForm): ProductCreate {
  return { ...product, variants: variants.map(variantBody) }
}

export function updateBody(changes: Partial<ProductForm>): ProductUpdate {
  const { modifierGroupIds: _, variants, ...rest } = changes
  return { ...rest, ...(variants && { variants: variants.map(variantBody) }) }
}

/** The cell with a code that other goods use; the refusal names the column and the code (B-product-3, B-pack-2). */
export function takenCodeParam(
  { field, value }: Readonly<Record<string, unknown>>,
  { variants }: ProductForm,
): string | null {
  if (field !== 'sku' && field !== 'barcode') return null
  const has = (variant: VariantForm) =>
    field === 'sku' ? variant.sku === value : codesIn(variant.barcode).includes(String(value))
  const at = variants.findIndex(has)
  if (at !== -1) return `variants[${at}].${field}`
  for (const [place, { packs }] of variants.entries()) {
    const pack = packs.findIndex(({ barcode }) => barcode === value)
    if (pack !== -1) return `variants[${place}].packs[${pack}].barcode`
  }
  return null
}
