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
import type { Row } from './read.ts'
import type { Found, Wanted } from './statements.ts'

/** The rows of one product: what they say of it and of its variants, and what cannot be read. */
export type Group = {
  rows: Row[]
  product: ProductCells
  category: string | null | undefined
  variants: { row: number; fields: VariantCells }[]
  faults: Fault[]
}
export type Fault = CellFault & { row: number }

/** Rows belong together while they name the same product. */
export const keyOf = ({ product_id, product }: Cells) => `${product_id ?? ''}\n${product ?? ''}`

export function groupOf(rows: Row[]): Group {
  const first = rows[0]?.cells ?? {}
  const { fields, faults } = productOf(first)
  const group: Group = {
    rows,
    product: fields,
    category: first.category === undefined ? undefined : emptyToNull(first.category),
    variants: [],
    faults: faults.map((fault) => ({ ...fault, row: rows[0]?.row ?? 0 })),
  }
  if (!first.product)
    group.faults.push({ row: rows[0]?.row ?? 0, column: 'product', problem: 'A name is needed' })
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

export const wantedOf = (groups: readonly Group[]): Wanted => ({
  ids: groups.flatMap(({ rows }) => rows[0]?.cells.product_id || []),
  skus: groups.flatMap(({ variants }) => variants.flatMap(({ fields }) => fields.sku || [])),
  barcodes: groups.flatMap(({ variants }) => variants.flatMap(({ fields }) => fields.barcode || [])),
  names: groups.flatMap(({ product }) => product.name || []),
})

export type Target = { productId: string | null; fault?: Fault }

/**
 * Which product of the workspace a group means: the one with its id, else the one that has a SKU of its rows, else a
 * barcode, else the only one of its name; null = a new one. Active variants win over inactive ones of the same code.
 */
export function targetOf(group: Group, found: readonly Found[]): Target {
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

function ownerOf(found: readonly Found[], by: 'sku' | 'barcode', value: string | null | undefined) {
  if (!value) return undefined
  const same = found.filter((one) => one.by === by && one.value === value)
  return (same.find((one) => one.live) ?? same[0])?.productId
}

/**
 * The variant a row means within its product: by SKU, else by barcode, else by name where no SKU distinguishes them.
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
    Object.entries(said).filter(([field, value]) => known[field as keyof T] !== value),
  ) as Partial<T>

/** Entries of the sent list beside the rows they come from, so that a refusal finds its row again. */
export type Patch = { patch: ProductPatch; rows: (number | null)[] }

/**
 * What a group changes of a product: null when it already is as the file says. Variants that the file does not name
 * stay as they are.
 */
export function patchOf(product: Product, group: Group, categoryId: string | null | undefined): Patch | null {
  const said = { ...group.product, ...(categoryId === undefined ? {} : { categoryId }) }
  const fields = changes<Partial<Product>>(product, said as Partial<Product>)
  const free = [...product.variants]
  const named: { item: VariantItem; row: number; changed: boolean }[] = []
  for (const { row, fields: wanted } of group.variants) {
    const known = variantFor(wanted, free)
    if (known) free.splice(free.indexOf(known), 1)
    const change: VariantItem = known ? changes<VariantCells>(known, wanted) : wanted
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

/** A product the workspace does not have yet, as its route would take it. */
export const newProductOf = (group: Group, categoryId: string | null | undefined) => ({
  ...group.product,
  ...(categoryId === undefined ? {} : { categoryId }),
  variants: group.variants.map(({ fields }) => fields as VariantIn),
})
