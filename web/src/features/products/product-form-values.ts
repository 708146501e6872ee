import type { Product, ProductCreate, ProductUpdate } from 'kasir-client'

export type VariantForm = {
  id?: string
  name: string
  sku: string | null
  barcode: string | null
  price: number | null
  cost: number | null
  isActive: boolean
}

/** What the editor of a product changes. */
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

export const newVariant = (): VariantForm => ({
  name: 'Default',
  sku: null,
  barcode: null,
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
  variants: product.variants.map(({ id, name, sku, barcode, price, cost, isActive }) => ({
    id,
    name,
    sku,
    barcode,
    price,
    cost,
    isActive,
  })),
  modifierGroupIds: product.modifierGroupIds,
})

/** The service answers an empty price with its sentence about the field. */
const variantBody = ({ price, cost, ...variant }: VariantForm) => ({
  ...variant,
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

/** The cell of a SKU or barcode that another product has: the refusal names its column and the code (B-product-3). */
export function takenCodeParam(
  { field, value }: Readonly<Record<string, unknown>>,
  { variants }: ProductForm,
): string | null {
  if (field !== 'sku' && field !== 'barcode') return null
  const at = variants.findIndex((variant) => variant[field] === value)
  return at === -1 ? null : `variants[${at}].${field}`
}
