import type { ProductGroup, RowFault } from './groups.ts'
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
  ids: groups
    .flatMap(({ rows, sharedCodes }) => [
      rows[0]?.cells.product_id ?? '',
      ...sharedCodes.map(({ otherProductId }) => otherProductId),
    ])
    .filter(Boolean),
  skus: groups.flatMap(({ variants }) => variants.flatMap(({ fields }) => fields.sku || [])),
  barcodes: groups.flatMap(({ variants }) => variants.flatMap(({ fields }) => fields.barcode || [])),
  names: groups.flatMap(({ product }) => product.name || []),
})

/** The matching product, null for a new product, or the fault that prevents a match. */
export type Target = { productId: string | null; fault?: RowFault }

/**
 * Finds the product of the workspace that a group matches. The order is: id, SKU of a row, barcode of a row, name if
 * only one product has it. Null means a new product. An active variant wins over an inactive one with the same code.
 * A code that another product of the file has is refused unless both are found by id: by the code, one row would
 * overwrite the product of the other.
 */
export function targetOf(group: ProductGroup, found: readonly ProductMatch[]): Target {
  const row = group.rows[0]?.row ?? 0
  const matchOf = (id?: string) => found.find(({ by, value }) => by === 'id' && value === id)
  const byId = matchOf(group.rows[0]?.cells.product_id)
  const shared = group.sharedCodes.find(({ otherProductId }) => !byId || !matchOf(otherProductId))
  if (shared) return { productId: null, fault: shared.fault }
  if (byId) return { productId: byId.productId }
  for (const code of ['sku', 'barcode'] as const) {
    const owners = new Map<string, number>()
    for (const variant of group.variants) {
      const owner = ownerOf(found, code, variant.fields[code])
      if (owner && !owners.has(owner)) owners.set(owner, variant.row)
    }
    const [first, second] = owners
    if (second) {
      const fault = { row: second[1], column: code, problem: 'otherProduct', value: '' } as const
      return { productId: null, fault: { ...fault, otherRow: first?.[1] ?? row } }
    }
    if (first) return { productId: first[0] }
  }
  const named = found.filter(({ by, value }) => by === 'name' && value === group.product.name)
  if (named.length > 1) {
    const fault = { row, column: 'product', problem: 'ambiguous', value: String(named.length) } as const
    return { productId: null, fault }
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
function variantFor(fields: VariantCells, free: readonly FileVariant[]): FileVariant | undefined {
  const best = (same: FileVariant[]) => same.find((variant) => variant.isActive) ?? same[0]
  const { sku, barcode } = fields
  return (
    (sku ? best(free.filter((variant) => variant.sku === sku)) : undefined) ??
    (barcode ? best(free.filter((variant) => variant.barcode === barcode)) : undefined) ??
    best(free.filter((variant) => variant.name === (fields.name ?? 'Default') && (!sku || !variant.sku)))
  )
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
  const free = [...product.variants]
  const named: { item: VariantEntry; row: number; changed: boolean }[] = []
  for (const { row, fields: wanted } of group.variants) {
    const known = variantFor(wanted, free)
    if (known) free.splice(free.indexOf(known), 1)
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
