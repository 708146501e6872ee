import type { Category, Product } from 'kasir-client'
import {
  onSaleFaults,
  type ProductGroup,
  type ProductMatch,
  patchOf,
  targetOf,
  toProductLookup,
} from '../../../core-catalogue.ts'
import { newKey } from '../../../offline/key.ts'
import { type CsvRefusal, readGroups, refusalsIn } from './read-rows.ts'

/** The action of the import for a product. */
export type ProductStep = {
  group: ProductGroup
  /** Null creates the product. */
  id: string | null
  /** The Idempotency-Key of a creation: when the import continues after a lost answer, the product is not made again. */
  key: string
}

export type ImportPlan = {
  steps: readonly ProductStep[]
  created: number
  changed: number
  unchanged: number
  refusals: readonly CsvRefusal[]
}

/** Finds the products that have an id, code or name of a group. */
function productFinder(catalogue: readonly Product[]) {
  const matches = new Map<string, ProductMatch[]>()
  const add = (productId: string, by: ProductMatch['by'], value: string | null, live: boolean) => {
    if (value === null) return
    const key = `${by} ${value}`
    matches.set(key, [...(matches.get(key) ?? []), { productId, by, value, live }])
  }
  for (const { id, name, isActive, variants } of catalogue) {
    add(id, 'id', id, true)
    add(id, 'name', name, isActive)
    for (const { sku, barcode, isActive: isSold } of variants) {
      add(id, 'sku', sku, isActive && isSold)
      add(id, 'barcode', barcode, isActive && isSold)
    }
  }
  return (group: ProductGroup): ProductMatch[] => {
    const { ids, skus, barcodes, names } = toProductLookup([group])
    const keys = Object.entries({ id: ids, sku: skus, barcode: barcodes, name: names })
    return keys.flatMap(([by, values]) => values.flatMap((value) => matches.get(`${by} ${value}`) ?? []))
  }
}

/** The ids of categories by name; upper and lower case are equal, and the oldest category wins. */
export const categoryIds = (categories: readonly Category[]): Map<string, string> =>
  new Map(
    categories
      .toSorted((a, b) => (a.id < b.id ? 1 : -1))
      .map(({ name, id }) => [name.toLowerCase(), id] as const),
  )

/** A category that the import would create: no product has it yet. */
const NEW_CATEGORY = ''

/** The variants of a new product; a file without their columns gives none, so the first one lacks its price. */
const newEntries = ({ variants }: ProductGroup): object[] =>
  variants.length === 0 ? [{}] : variants.map(({ fields }) => fields)

/** The refusal of a new variant without a price, which nothing but the file can give. */
function priceRefusals(group: ProductGroup, entries: readonly object[], rows: readonly (number | null)[]) {
  const at = entries.findIndex((entry) => !('id' in entry) && !('price' in entry))
  if (at === -1) return []
  const row = rows[at] ?? group.rows[0]?.row ?? 0
  return [{ row, column: 'price', problem: 'noPrice', product: group.product.name ?? '' } as const]
}

/**
 * Compares a file with the catalogue and lists the products to create and to change, and the refused rows. Stores
 * nothing.
 */
export function planImport(
  table: readonly (readonly string[])[],
  catalogue: readonly Product[],
  categories: readonly Category[],
): ImportPlan {
  const file = readGroups(table)
  const plan = {
    steps: [] as ProductStep[],
    created: 0,
    changed: 0,
    unchanged: 0,
    refusals: [] as CsvRefusal[],
  }
  if ('problem' in file) return { ...plan, refusals: [{ row: 1, product: '', ...file }] }
  const matchesOf = productFinder(catalogue)
  const products = new Map(catalogue.map((product) => [product.id, product]))
  const ids = categoryIds(categories)
  for (const group of file.groups) {
    const { category, variants } = group
    const { productId, fault } = targetOf(group, matchesOf(group), file.index)
    if (fault) group.faults.push(fault)
    const known = products.get(productId ?? '')
    if (known) group.faults.push(...onSaleFaults(known, group))
    const categoryId = category ? (ids.get(category.toLowerCase()) ?? NEW_CATEGORY) : category
    const change = known && patchOf(known, group, categoryId)
    const rows = change ? change.rows : variants.map(({ row }) => row)
    const entries = known ? (change?.patch.variants ?? []) : newEntries(group)
    const refusals = refusalsIn(group)
    if (refusals.length === 0) refusals.push(...priceRefusals(group, entries, rows))
    // A product is imported whole or not at all.
    plan.refusals.push(...refusals)
    if (refusals.length > 0) continue
    if (known && change === null) plan.unchanged += 1
    else {
      plan[known ? 'changed' : 'created'] += 1
      plan.steps.push({ group, id: productId, key: newKey() })
    }
  }
  return plan
}
