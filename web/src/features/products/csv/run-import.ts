import {
  categoriesCreate,
  categoriesList,
  isKasirError,
  productsCreate,
  productsUpdate,
  type VariantCreate,
} from 'kasir-client'
import { call } from '../../../app/service.ts'
import type { ProductStep } from './plan.ts'
import type { CsvRefusal } from './read-rows.ts'

/** Finds a category by its name, and creates it once if the workspace has none. */
async function categoryFinder() {
  const { categories } = await call(categoriesList)
  const ids = new Map(categories.map(({ name, id }) => [name, id]))
  return async (name: string | null): Promise<string | null> => {
    if (name === null) return null
    const known = ids.get(name)
    if (known !== undefined) return known
    const { category } = await call(categoriesCreate, { name })
    ids.set(name, category.id)
    return category.id
  }
}

/**
 * Writes the steps one after the other and returns the refusals of the service. A refused product is skipped
 * completely.
 * After a lost connection the same file can be imported again: stored products do not change.
 */
export async function runImport(
  steps: readonly ProductStep[],
  onProgress: (done: number) => void,
): Promise<CsvRefusal[]> {
  const refusals: CsvRefusal[] = []
  const categoryId = await categoryFinder()
  for (const [at, { row, name, id, fields, category, hasCategory, variants }] of steps.entries()) {
    try {
      const body = { ...fields, ...(hasCategory && { categoryId: await categoryId(category) }), variants }
      if (id === null) await call(productsCreate, { ...body, variants: variants as VariantCreate[] })
      else await call(productsUpdate, { ...body, id })
    } catch (error) {
      if (!isKasirError(error) || error.status === 401) throw error
      refusals.push({ row, column: error.param ?? '', product: name, problem: { sentence: error.message } })
    }
    onProgress(at + 1)
  }
  return refusals
}
