import {
  categoriesCreate,
  categoriesList,
  isKasirError,
  productsCreate,
  productsGet,
  productsUpdate,
  type VariantCreate,
} from 'kasir-client'
import { isUnsettled } from '../../../app/outcome.ts'
import { call } from '../../../app/service.ts'
import { faultOf, newProductOf, patchOf } from '../../../core-catalogue.ts'
import { categoryIds, type ProductStep } from './plan.ts'
import type { CsvRefusal } from './read-rows.ts'

/** How far an import came. */
export type ImportProgress = { done: number; refusals: readonly CsvRefusal[] }

/** Finds the category of a step by its name, and creates it once if the workspace has none. */
async function categoryFinder() {
  const { categories } = await call(categoriesList)
  const ids = categoryIds(categories)
  return async ({ group: { category: name }, key }: ProductStep): Promise<string | null | undefined> => {
    if (!name) return name
    const known = ids.get(name.toLowerCase())
    if (known !== undefined) return known
    const { category } = await call(categoriesCreate, { name }, { idempotencyKey: `${key}-category` })
    ids.set(name.toLowerCase(), category.id)
    return category.id
  }
}

type CategoryFinder = Awaited<ReturnType<typeof categoryFinder>>

/** Writes one product and returns its refusal by the service, if any. Throws if the outcome is unknown. */
async function writeStep(step: ProductStep, categoryOf: CategoryFinder): Promise<CsvRefusal[]> {
  const { group, id, key } = step
  let rows: readonly (number | null)[] = group.variants.map(({ row }) => row)
  try {
    const categoryId = await categoryOf(step)
    if (id === null) {
      const { name = '', variants, ...product } = newProductOf(group, categoryId)
      const body = { ...product, name, variants: variants as VariantCreate[] }
      await call(productsCreate, body, { idempotencyKey: key })
      return []
    }
    // Another person may have changed the product since the file was chosen.
    const { product } = await call(productsGet, { id })
    const change = patchOf(product, group, categoryId)
    if (change === null) return []
    rows = change.rows
    await call(productsUpdate, { ...change.patch, id })
    return []
  } catch (error) {
    if (!isKasirError(error) || isUnsettled(error)) throw error
    const { problem, ...place } = faultOf(error, group, rows)
    return [{ ...place, product: group.product.name ?? '', problem: { sentence: problem } }]
  }
}

/**
 * Writes the steps that are not done yet, one after the other. A refused product is skipped completely. Throws if the
 * service gives no answer or cannot take the product now; the import can then continue from the last progress.
 */
export async function runImport(
  steps: readonly ProductStep[],
  { done, refusals }: ImportProgress,
  onProgress: (progress: ImportProgress) => void,
): Promise<void> {
  const categoryOf = await categoryFinder()
  let now: ImportProgress = { done, refusals }
  for (const step of steps.slice(done)) {
    const refused = await writeStep(step, categoryOf)
    now = { done: now.done + 1, refusals: [...now.refusals, ...refused] }
    onProgress(now)
  }
}
