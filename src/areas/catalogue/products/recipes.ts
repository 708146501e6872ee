import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { emptyToNull } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { derivedCostOf, type RecipePart, requirePart, requireParts } from './rules.ts'
import type { Recipe, RecipeIn } from './schema.ts'
import * as variantStatements from './statements-variants.ts'
import * as store from './store.ts'
import * as recipes from './store-recipes.ts'
import { announce } from './variants.ts'

export async function getRecipe(db: Db, scope: Scope, productId: string, id: string): Promise<Recipe> {
  const variant = await variantStatements.find(db, scope, productId, id)
  if (!variant) throw notFound('variant')
  const components = await recipes.list(db, scope, id)
  return {
    isComposite: variant.isComposite,
    components,
    derivedCost: variant.isComposite ? derivedCostOf(components) : null,
  }
}

/** Replaces the recipe of a variant (B-recipe-1, B-recipe-3). `isComposite: false` clears the recipe. */
export async function putRecipe(
  tx: Tx,
  scope: Scope,
  {
    productId,
    id,
    recipe: { isComposite, components = [] },
  }: { productId: string; id: string; recipe: RecipeIn },
): Promise<Recipe> {
  if (!(await store.lock(tx, scope, productId))) throw notFound('product')
  const parts = isComposite ? components.map(partOf) : []
  await recipes.lock(
    tx,
    scope,
    id,
    parts.map((part) => part.componentVariantId),
  )
  const variant = await variantStatements.find(tx, scope, productId, id)
  if (!variant) throw notFound('variant')
  if (isComposite) await requireRecipe(tx, scope, { id, wasComposite: variant.isComposite, parts })
  await recipes.replace(tx, scope, { variantId: id, isComposite, parts })
  await announce(tx, scope, productId)
  return getRecipe(tx, scope, productId, id)
}

const partOf = (component: NonNullable<RecipeIn['components']>[number]): RecipePart => ({
  componentVariantId: component.componentVariantId,
  quantity: component.quantity,
  unit: emptyToNull(component.unit),
})

async function requireRecipe(
  tx: Tx,
  scope: Scope,
  { id, wasComposite, parts }: { id: string; wasComposite: boolean; parts: readonly RecipePart[] },
) {
  const ids = parts.map((part) => part.componentVariantId)
  const facts = new Map((await recipes.facts(tx, scope, ids)).map((fact) => [fact.id, fact]))
  const unknown = ids.findIndex((part) => !facts.has(part))
  if (unknown >= 0) throw notFound('variant', `components[${unknown}].componentVariantId`)
  if (!wasComposite && (await recipes.hasStock(tx, scope, id))) {
    throw conflict('This variant still has stock. Count its stock to zero before you make it a composite')
  }
  requireParts(id, parts)
  const present = new Set((await recipes.list(tx, scope, id)).map((part) => part.componentVariantId))
  ids.forEach((part, index) => {
    const fact = facts.get(part)
    if (fact) requirePart(fact, index, present.has(part))
  })
  if (await variantStatements.areComponents(tx, scope, [id])) {
    throw invalid('isComposite', 'Another recipe uses this variant, so it cannot be a composite itself')
  }
}
