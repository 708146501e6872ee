import {
  CODES,
  type CodeColumn,
  codeKey,
  type FileIndex,
  isOnSale,
  type ProductGroup,
  type RowFault,
} from './groups.ts'
import type { FileProduct, FileVariant, ProductCells, VariantCells } from './shapes.ts'

/** The ids, codes and names by which the products of a file are looked up. */
export type ProductLookup = { ids: string[]; skus: string[]; barcodes: string[]; names: string[] }
/** A product that has an id, code or name of a file. */
export type ProductMatch = {
  productId: string
  by: 'id' | 'sku' | 'barcode' | 'name'
  value: string
  live: boolean
}

/** Lists the ids, codes and names of groups. */
export const toProductLookup = (groups: readonly ProductGroup[]): ProductLookup => ({
  ids: groups.flatMap(({ rows }) => rows[0]?.cells.product_id || []),
  skus: groups.flatMap(({ variants }) => variants.flatMap(({ fields }) => fields.sku || [])),
  barcodes: groups.flatMap(({ variants }) => variants.flatMap(({ fields }) => fields.barcode || [])),
  names: groups.flatMap(({ product }) => product.name || []),
})

/** The matching product, null for a new product, or the fault that prevents a match. */
export type Target = { productId: string | null; fault?: RowFault }

/**
 * Finds the product of the workspace that a group matches. The order is: id, SKU on sale, barcode on sale, name. Null
 * means a new product. A row that is not on sale never matches by a code: the code may be that of another product now.
 */
export function targetOf(group: ProductGroup, found: readonly ProductMatch[], index: FileIndex): Target {
  const id = group.rows[0]?.cells.product_id
  const byId = found.find(({ by, value }) => by === 'id' && value === id)
  if (byId) return { productId: byId.productId }
  for (const column of CODES) {
    const owners = new Map<string, number>()
    for (const { row, fields } of group.variants.filter(({ fields }) => isOnSale(group, fields))) {
      const owner = found.find((one) => one.live && one.by === column && one.value === fields[column])
      if (owner && !owners.has(owner.productId)) owners.set(owner.productId, row)
    }
    const [first, second] = owners
    if (first && second) {
      const fault = { row: second[1], column, problem: 'otherProduct', value: '' } as const
      return { productId: null, fault: { ...fault, otherRow: first[1] } }
    }
    if (first) return { productId: first[0] }
  }
  return targetByName(group, found, index)
}

/** Several products may have the name: the codes of the group then choose one, first among those that are inactive. */
function targetByName(group: ProductGroup, found: readonly ProductMatch[], index: FileIndex): Target {
  const codes = found.filter(
    ({ by, value }) =>
      (by === 'sku' || by === 'barcode') && group.variants.some(({ fields }) => fields[by] === value),
  )
  // An inactive product that has its own row in the file is not meant by another row.
  const named = found.filter(
    ({ by, value, live, productId }) =>
      by === 'name' && value === group.product.name && (live || !index.productIds.has(productId)),
  )
  const withCode = (matches: readonly ProductMatch[]) =>
    named.filter(({ productId }) => matches.some((match) => match.productId === productId))
  const [candidates = []] = [withCode(codes.filter(({ live }) => !live)), withCode(codes), named].filter(
    ({ length }) => length > 0,
  )
  const [first, second] = candidates
  if (first && second) {
    const value = String(candidates.length)
    const fault = { row: group.rows[0]?.row ?? 0, column: 'product', problem: 'ambiguous', value } as const
    return { productId: null, fault }
  }
  if (first) return { productId: first.productId }
  const fault = onSaleFault(group, codes, index)
  return fault ? { productId: null, fault } : { productId: null }
}

/** The fault of a new product that is not on sale but has the code of one on sale, which no other row names. */
function onSaleFault(
  group: ProductGroup,
  codes: readonly ProductMatch[],
  index: FileIndex,
): RowFault | undefined {
  if (group.variants.some(({ fields }) => isOnSale(group, fields))) return undefined
  for (const { row, fields } of group.variants) {
    for (const column of CODES) {
      const code = fields[column]
      if (!code || index.codes.has(codeKey(column, code))) continue
      if (codes.some(({ by, value, live }) => live && by === column && value === code))
        return { row, column, problem: 'onSale', value: code }
    }
  }
  return undefined
}

/** The ways in which a row matches a variant of its product, the surest first. */
const MATCHERS: readonly ((fields: VariantCells, variant: FileVariant) => boolean)[] = [
  ({ sku }, variant) => Boolean(sku) && variant.sku === sku,
  ({ barcode }, variant) => Boolean(barcode) && variant.barcode === barcode,
  ({ name = 'Default', sku }, variant) => variant.name === name && (!sku || !variant.sku),
]

/**
 * How far a variant with the code of a row is from the row: 0 is nearest. A row that is on sale means an active variant
 * first, any other row the variant with its name.
 */
function distanceOf({ name, isActive = true }: VariantCells, variant: FileVariant): number {
  const isRenamed = Number(name !== undefined && name !== variant.name)
  const changesState = Number(isActive !== variant.isActive)
  return isActive ? 2 * changesState + isRenamed : 2 * isRenamed + changesState
}
const DISTANCES = [0, 1, 2, 3]

type VariantRow = ProductGroup['variants'][number]

/** Finds the variant of each row; a row without one is a new variant. The nearest pairs are found first. */
function matchVariants({ variants }: FileProduct, group: ProductGroup): Map<VariantRow, FileVariant> {
  const free = new Set(variants)
  const matched = new Map<VariantRow, FileVariant>()
  for (const isMatch of MATCHERS) {
    for (const distance of DISTANCES) {
      for (const row of group.variants) {
        if (matched.has(row)) continue
        const variant = [...free].find(
          (one) => isMatch(row.fields, one) && distanceOf(row.fields, one) === distance,
        )
        if (!variant) continue
        matched.set(row, variant)
        free.delete(variant)
      }
    }
  }
  return matched
}

/** The faults of rows that would both rename a variant on sale and deactivate it: the code may be that of another one. */
export function onSaleFaults(product: FileProduct, group: ProductGroup): RowFault[] {
  if (!product.isActive) return []
  return [...matchVariants(product, group)].flatMap(([{ row, fields }, variant]): RowFault[] => {
    const isRenamed = fields.name !== undefined && fields.name !== variant.name
    if (fields.isActive !== false || !variant.isActive || !isRenamed) return []
    const column: CodeColumn = fields.sku && fields.sku === variant.sku ? 'sku' : 'barcode'
    return [{ row, column, problem: 'onSale', value: fields[column] ?? '' }]
  })
}

/** Whether two values of JSON are equal, whatever the order of their fields. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const [fields, others] = [new Map(Object.entries(one)), Object.entries(other)]
  return fields.size === others.length && others.every(([field, value]) => isSame(fields.get(field), value))
}

const changes = <T extends object>(known: T, said: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(said).filter(([field, value]) => !isSame(known[field as keyof T], value)),
  ) as Partial<T>

/** The packs of a file have no ids: each is the pack of the variant with its name, or a new one. */
function withPackIds({ packs, ...fields }: VariantCells, known: FileVariant): VariantCells {
  if (packs === undefined) return fields
  const free = [...known.packs]
  const found = packs.map((pack) => {
    const at = free.findIndex(({ name }) => name === pack.name)
    const [same] = at < 0 ? [] : free.splice(at, 1)
    return same ? { id: same.id, ...pack } : pack
  })
  return { ...fields, packs: found }
}

type VariantEntry = VariantCells & { id?: string }
/** The body of `products.update` without the id. */
export type FilePatch = ProductCells & { categoryId?: string | null; variants?: VariantEntry[] }
/** A patch with the row of each of its variants, so that an error can name the row. */
export type Patch = { patch: FilePatch; rows: (number | null)[] }

/**
 * Returns the changes that a group makes to a product, or null if the product already equals the file. Variants that
 * the file does not name stay unchanged.
 */
export function patchOf(
  product: FileProduct,
  group: ProductGroup,
  categoryId: string | null | undefined,
): Patch | null {
  const said = { ...group.product, ...(categoryId === undefined ? {} : { categoryId }) }
  const fields: FilePatch = changes<Omit<FilePatch, 'variants'>>(product, said)
  const matched = matchVariants(product, group)
  const meant = new Set(matched.values())
  const free = product.variants.filter((variant) => !meant.has(variant))
  const named: { item: VariantEntry; row: number; changed: boolean }[] = []
  for (const variant of group.variants) {
    const { row, fields: wanted } = variant
    const known = matched.get(variant)
    const change = known ? changes<object>(known, withPackIds(wanted, known)) : wanted
    const item: VariantEntry = known ? { ...change, id: known.id } : change
    // Both name the first barcode.
    if (item.barcode !== undefined && wanted.barcodes !== undefined) item.barcodes = wanted.barcodes
    named.push({ item, row, changed: Object.keys(change).length > 0 })
  }
  if (!named.some(({ changed }) => changed)) {
    return Object.keys(fields).length === 0 ? null : { patch: fields, rows: [] }
  }
  return {
    patch: { ...fields, variants: [...free.map(({ id }) => ({ id })), ...named.map(({ item }) => item)] },
    rows: [...free.map(() => null), ...named.map(({ row }) => row)],
  }
}

/** Builds the body of `products.create` for a new product; the service refuses a variant without a price. */
export const newProductOf = (group: ProductGroup, categoryId: string | null | undefined) => ({
  ...group.product,
  ...(categoryId === undefined ? {} : { categoryId }),
  variants: group.variants.map(({ fields }) => fields),
})
