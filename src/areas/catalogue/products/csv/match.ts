import { isDeepStrictEqual } from 'node:util'
import { emptyToNull } from '../../../../core/text.ts'
import type { Product, ProductPatch, Variant, VariantIn, VariantItem } from '../schema.ts'
import {
  type CellFault,
  type Cells,
  hasVariant,
  PRODUCT_COLUMNS,
  type ProductCells,
  productOf,
  type VariantCells,
  variantOf,
} from './columns.ts'
import type { CsvRow } from './read.ts'
import type { ProductLookup, ProductMatch } from './statements.ts'

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

export function groupOf(rows: CsvRow[]): ProductGroup {
  const first = rows[0]?.cells ?? {}
  const { fields, faults } = productOf(first)
  const group: ProductGroup = {
    rows,
    product: fields,
    category: first.category === undefined ? undefined : emptyToNull(first.category),
    variants: [],
    faults: faults.map((fault) => ({ ...fault, row: rows[0]?.row ?? 0 })),
  }
  if (!first.product)
    group.faults.push({ row: rows[0]?.row ?? 0, column: 'product', problem: 'The name is missing' })
  if ([...(group.category ?? '')].length > 80) {
    group.faults.push({
      row: rows[0]?.row ?? 0,
      column: 'category',
      problem: 'A name can have at most 80 characters',
    })
  }
  for (const { row, cells, problem } of rows) {
    if (problem) group.faults.push({ row, column: 'product', problem })
    const other = PRODUCT_COLUMNS.find((column) => cells[column] && cells[column] !== first[column])
    if (other) {
      const problem = `Differs from row ${rows[0]?.row}; all rows of a product must agree on it`
      group.faults.push({ row, column: other, problem })
    }
    if (!hasVariant(cells)) continue
    const variant = variantOf(cells)
    group.variants.push({ row, fields: variant.fields })
    group.faults.push(...variant.faults.map((fault) => ({ ...fault, row })))
  }
  return group
}

export const toProductLookup = (groups: readonly ProductGroup[]): ProductLookup => ({
  ids: groups.flatMap(({ rows }) => rows[0]?.cells.product_id || []),
  skus: groups.flatMap(({ variants }) => variants.flatMap(({ fields }) => fields.sku || [])),
  barcodes: groups.flatMap(({ variants }) => variants.flatMap(({ fields }) => fields.barcode || [])),
  names: groups.flatMap(({ product }) => product.name || []),
})

export type Target = { productId: string | null; fault?: RowFault }

/**
 * Finds the product of the workspace that a group matches. The order is: id, SKU of a row, barcode of a row, name if
 * only one product has it. Null means a new product. An active variant wins over an inactive one with the same code.
 */
export function targetOf(group: ProductGroup, found: readonly ProductMatch[]): Target {
  const row = group.rows[0]?.row ?? 0
  const byId = found.find(({ by, value }) => by === 'id' && value === group.rows[0]?.cells.product_id)
  if (byId) return { productId: byId.productId }
  for (const code of ['sku', 'barcode'] as const) {
    const owners = new Map<string, number>()
    for (const variant of group.variants) {
      const owner = ownerOf(found, code, variant.fields[code])
      if (owner && !owners.has(owner)) owners.set(owner, variant.row)
    }
    const [first, second] = owners
    if (second) {
      const problem = `This ${code === 'sku' ? 'SKU' : 'barcode'} belongs to a different product from the one in row ${first?.[1]}`
      return { productId: null, fault: { row: second[1], column: code, problem } }
    }
    if (first) return { productId: first[0] }
  }
  const named = found.filter(({ by, value }) => by === 'name' && value === group.product.name)
  if (named.length > 1) {
    const problem = `${named.length} products have this name; add product_id or a SKU to say which`
    return { productId: null, fault: { row, column: 'product', problem } }
  }
  return { productId: named[0]?.productId ?? null }
}

function ownerOf(found: readonly ProductMatch[], by: 'sku' | 'barcode', value: string | null | undefined) {
  if (!value) return undefined
  const same = found.filter((one) => one.by === by && one.value === value)
  return (same.find((one) => one.live) ?? same[0])?.productId
}

/**
 * Finds the variant of the product that a row matches: by SKU, then by barcode, then by name if no SKU distinguishes
 * them.
 */
function variantFor(fields: VariantCells, free: readonly Variant[]): Variant | undefined {
  const best = (same: Variant[]) => same.find((variant) => variant.isActive) ?? same[0]
  const { sku, barcode } = fields
  return (
    (sku ? best(free.filter((variant) => variant.sku === sku)) : undefined) ??
    (barcode ? best(free.filter((variant) => variant.barcode === barcode)) : undefined) ??
    best(free.filter((variant) => variant.name === (fields.name ?? 'Default') && (!sku || !variant.sku)))
  )
}

const changes = <T extends object>(known: T, said: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(said).filter(([field, value]) => !isDeepStrictEqual(known[field as keyof T], value)),
  ) as Partial<T>

/** The packs of a file have no ids: each is the pack of the variant with its name, or a new one. */
function withPackIds({ packs, ...fields }: VariantCells, known: Variant): VariantCells {
  if (packs === undefined) return fields
  const free = [...known.packs]
  const found = packs.map((pack) => {
    const at = free.findIndex(({ name }) => name === pack.name)
    const [same] = at < 0 ? [] : free.splice(at, 1)
    return same ? { id: same.id, ...pack } : pack
  })
  return { ...fields, packs: found }
}

/** A patch with the row of each of its variants, so that an error can name the row. */
export type Patch = { patch: ProductPatch; rows: (number | null)[] }

/**
 * Returns the changes that a group makes to a product, or null if the product already equals the file. Variants that
 * the file does not name stay unchanged.
 */
export function patchOf(
  product: Product,
  group: ProductGroup,
  categoryId: string | null | undefined,
): Patch | null {
  const said = { ...group.product, ...(categoryId === undefined ? {} : { categoryId }) }
  const fields = changes<Partial<Product>>(product, said as Partial<Product>)
  const free = [...product.variants]
  const named: { item: VariantItem; row: number; changed: boolean }[] = []
  for (const { row, fields: wanted } of group.variants) {
    const known = variantFor(wanted, free)
    if (known) free.splice(free.indexOf(known), 1)
    const change: VariantItem = known ? changes<VariantCells>(known, withPackIds(wanted, known)) : wanted
    // Both name the first barcode.
    if (change.barcode !== undefined && wanted.barcodes !== undefined) change.barcodes = wanted.barcodes
    const changed = Object.keys(change).length > 0
    named.push({ item: known ? { ...change, id: known.id } : change, row, changed })
  }
  if (!named.some(({ changed }) => changed)) {
    return Object.keys(fields).length === 0 ? null : { patch: fields as ProductPatch, rows: [] }
  }
  return {
    patch: {
      ...(fields as ProductPatch),
      variants: [...free.map(({ id }) => ({ id })), ...named.map(({ item }) => item)],
    },
    rows: [...free.map(() => null), ...named.map(({ row }) => row)],
  }
}

/** Builds the body of `products.create` for a new product. */
export const newProductOf = (group: ProductGroup, categoryId: string | null | undefined) => ({
  ...group.product,
  ...(categoryId === undefined ? {} : { categoryId }),
  variants: group.variants.map(({ fields }) => fields as VariantIn),
})
