import type { Product, VariantEntry } from 'kasir-client'
import { type CsvRefusal, type CsvRow, readRows } from './read-rows.ts'

/** The action of the import for a product. */
export type ProductStep = {
  row: number
  name: string
  /** Null creates the product. */
  id: string | null
  fields: CsvRow['product']
  category: string | null
  hasCategory: boolean
  variants: VariantEntry[]
}

export type ImportPlan = {
  steps: readonly ProductStep[]
  created: number
  changed: number
  unchanged: number
  refusals: readonly CsvRefusal[]
}

/** Adjacent rows of one product. */
function productsIn(rows: readonly CsvRow[]): CsvRow[][] {
  const products: CsvRow[][] = []
  for (const row of rows) {
    const last = products.at(-1)
    const first = last?.[0]
    const isSame =
      first !== undefined &&
      (row.productId === '' ? first.product.name === row.product.name : first.productId === row.productId)
    if (last !== undefined && isSame) last.push(row)
    else products.push([row])
  }
  return products
}

/** The products that rows may mean: by id, else by a code, else by name. */
function candidates(rows: readonly CsvRow[], catalogue: readonly Product[]): readonly Product[] {
  const byId = catalogue.filter(({ id }) => id === rows[0]?.productId)
  if (byId.length > 0) return byId
  for (const code of ['sku', 'barcode'] as const) {
    const codes = new Set(rows.map(({ variant }) => variant[code]).filter(Boolean))
    const found = catalogue.filter(({ variants }) => variants.some((each) => codes.has(each[code])))
    if (found.length > 0) return found
  }
  return catalogue.filter(({ name }) => name === rows[0]?.product.name)
}

const sameVariant = (entry: VariantEntry, variant: Product['variants'][number]): boolean => {
  if (entry.sku) return variant.sku === entry.sku
  if (entry.barcode) return variant.barcode === entry.barcode
  return variant.name === (entry.name ?? 'Default')
}

/** The whole list of variants: those of the file, then those that it does not name. */
function mergedVariants(rows: readonly CsvRow[], product: Product | undefined): VariantEntry[] {
  const now = product?.variants ?? []
  const used = new Set<string>()
  const fromFile = rows.map(({ variant }) => {
    const known = now.find((each) => !used.has(each.id) && sameVariant(variant, each))
    if (known === undefined) return variant
    used.add(known.id)
    return { ...variant, id: known.id }
  })
  return [...fromFile, ...now.filter(({ id }) => !used.has(id)).map(({ id }) => ({ id }))]
}

function isUnchanged(step: ProductStep, product: Product): boolean {
  const differs = (fields: object, record: object) =>
    Object.entries(fields).some(([key, value]) => (record as Record<string, unknown>)[key] !== value)
  if (differs(step.fields, product)) return false
  if (step.hasCategory && step.category !== product.categoryName) return false
  return step.variants.every((entry) => {
    const variant = product.variants.find(({ id }) => id === entry.id)
    return variant !== undefined && !differs(entry, variant)
  })
}

/**
 * Compares a file with the catalogue and lists the products to create and to change, and the refused rows. Stores
 * nothing.
 */
export function planImport(table: readonly (readonly string[])[], catalogue: readonly Product[]): ImportPlan {
  const { rows, refusals } = readRows(table)
  const hasCategory = (table[0] ?? []).some((name) => name.trim().toLowerCase() === 'category')
  const refusedNames = new Set(refusals.map(({ product }) => product))
  const plan = { steps: [] as ProductStep[], created: 0, changed: 0, unchanged: 0, refusals: [...refusals] }
  for (const group of productsIn(rows)) {
    const [first] = group
    // A product is imported whole or not at all.
    if (first === undefined || refusedNames.has(first.product.name)) continue
    const { row, category, product: fields } = first
    const refuse = (column: string, problem: CsvRefusal['problem']) =>
      plan.refusals.push({ row, column, problem, product: fields.name })
    const found = candidates(group, catalogue)
    if (found.length > 1) {
      refuse('product', 'csv.ambiguous')
      continue
    }
    const [known] = found
    const variants = mergedVariants(group, known)
    if (variants.some(({ id, price }) => id === undefined && price === undefined)) {
      refuse('price', 'csv.noPrice')
      continue
    }
    const step = { row, name: fields.name, id: known?.id ?? null, fields, category, hasCategory, variants }
    if (known === undefined) plan.created += 1
    else if (isUnchanged(step, known)) {
      plan.unchanged += 1
      continue
    } else plan.changed += 1
    plan.steps.push(step)
  }
  return plan
}
