import { labelOf } from '../../../core/labels.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getOutlet } from '../../workspace/outlets/index.ts'
import { availability } from './rules/composite.ts'
import type { Composite } from './schema.ts'
import { listRecipes } from './store.ts'

/** Returns how many of each composite the outlet can make now, and which component runs out first (B-stock-9). */
export async function listComposites(db: Db, scope: Scope, outletId: string): Promise<Composite[]> {
  await getOutlet(db, scope, outletId)
  const composites = new Map<string, Composite>()
  for (const row of await listRecipes(db, scope, outletId)) {
    const { variantId, productId, productName, variantName, isActive } = row
    const composite = composites.get(variantId) ?? {
      variantId,
      name: labelOf(productName, variantName),
      productId,
      productName,
      variantName,
      isActive,
      available: null,
      limitingComponentId: null,
      components: [],
    }
    composite.components.push({
      componentVariantId: row.componentVariantId,
      name: labelOf(row.componentProductName, row.componentVariantName),
      soldBy: row.componentSoldBy,
      quantity: row.quantity,
      unit: row.unit,
      stock: row.stock,
    })
    composites.set(variantId, composite)
  }
  return [...composites.values()].map((composite) => ({
    ...composite,
    ...availability(
      composite.components.map(({ componentVariantId: id, quantity, stock }) => ({ id, quantity, stock })),
    ),
  }))
}
