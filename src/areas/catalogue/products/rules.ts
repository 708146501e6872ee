import { conflict, invalid, malformed } from '../../../core/errors.ts'
import { DEFAULT_VARIANT, labelOf } from '../../../core/labels.ts'
import { sum, sumOfProducts } from '../../../core/money.ts'
import { amountOfUnits } from '../../../core/packs.ts'
import { emptyToNull } from '../../../core/text.ts'
import type { SoldBy } from '../../../core/weights.ts'
import { changedCodes, codesOf, NO_CODES, type VariantCodes } from './codes.ts'
import {
  MOST_CODES,
  MOST_IN_ALL,
  MOST_VARIANTS,
  type Variant,
  type VariantIn,
  type VariantItem,
  type VariantPatch,
} from './schema.ts'

/** The fields of a variant that a client can set. Amounts are in whole rupiah; a missing code is null. */
export type VariantFields = Pick<
  Variant,
  'name' | 'sku' | 'price' | 'soldBy' | 'cost' | 'sortOrder' | 'isActive'
> &
  VariantCodes
export type KnownVariant = VariantFields & { id: string }

/** Fills in the defaults of a new variant (B-product-9) and turns empty codes into null (B-product-3). */
export const newVariant = (input: VariantIn): VariantFields => ({
  name: input.name ?? DEFAULT_VARIANT,
  sku: emptyToNull(input.sku),
  ...changedCodes(NO_CODES, input),
  price: input.price,
  soldBy: input.soldBy ?? 'UNIT',
  cost: input.cost ?? 0,
  sortOrder: input.sortOrder ?? 0,
  isActive: input.isActive ?? true,
})

/** Applies a patch; absent keys stay unchanged (B-request-7). */
export const changedVariant = (known: VariantFields, patch: VariantPatch): VariantFields => ({
  name: patch.name ?? known.name,
  sku: patch.sku === undefined ? known.sku : emptyToNull(patch.sku),
  ...changedCodes(known, patch),
  price: patch.price ?? known.price,
  soldBy: patch.soldBy ?? known.soldBy,
  cost: patch.cost ?? known.cost,
  sortOrder: patch.sortOrder ?? known.sortOrder,
  isActive: patch.isActive ?? known.isActive,
})

/** Builds the text that a search reads: lower case, one field per line, so that no match spans two fields. */
export const searchTextOf = (
  productName: string,
  variant: Pick<VariantFields, 'name' | 'sku'> & VariantCodes,
) =>
  [productName, variant.name === DEFAULT_VARIANT ? null : variant.name, variant.sku, ...codesOf(variant)]
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase()

/** Throws 400 for an entry with neither `id` nor `price`: a new variant needs a price (B-product-1). */
export function requirePrices(items: readonly VariantItem[]) {
  items.forEach((item, index) => {
    if (item.id === undefined && item.price === undefined) {
      throw malformed(`variants[${index}].price`, `variants[${index}].price is required for a new variant`)
    }
  })
}

export type VariantChanges = {
  create: VariantFields[]
  update: KnownVariant[]
  remove: string[]
}

/**
 * Plans how to turn the variants of a product into the sent list (B-product-1).
 * - An entry with `id` changes that variant.
 * - An entry without `id` changes the variant with its SKU, preferably an active one, and activates it; without a
 * match it becomes a new variant.
 * - A variant that the list leaves out is removed.
 * Throws 422 for a repeated id. The caller has checked that every `id` belongs to `known`.
 */
export function reconcile(known: readonly KnownVariant[], items: readonly VariantItem[]): VariantChanges {
  const free = new Map(known.map((variant) => [variant.id, variant]))
  const targets = items.map((item, index) => {
    if (item.id === undefined) return null
    const target = free.get(item.id)
    if (!target) throw invalid(`variants[${index}].id`, 'This variant is in the list twice')
    free.delete(item.id)
    return target
  })
  const plan: VariantChanges = { create: [], update: [], remove: [] }
  items.forEach((item, index) => {
    const bySku = item.sku ? matchBySku([...free.values()], item.sku) : undefined
    const target = targets[index] ?? bySku
    if (!target) {
      plan.create.push(newVariant({ ...item, price: item.price ?? 0 }))
      return
    }
    free.delete(target.id)
    const revived = targets[index] ? item : { isActive: true, ...item }
    plan.update.push({ id: target.id, ...changedVariant(target, revived) })
  })
  plan.remove = [...free.keys()]
  return plan
}

/** Throws 409 if a change makes more variants active than a product may have (B-product-1). */
export function requireFewVariants(before: number, after: number) {
  if (after > MOST_VARIANTS && after > before)
    throw conflict(
      `A product has at most ${MOST_VARIANTS} active variants; deactivate or delete some, or create another product`,
    )
}

export const countActive = (variants: readonly Pick<VariantFields, 'isActive'>[]) =>
  variants.filter(({ isActive }) => isActive).length

/** The variants of a product, inactive ones included, and their packs and further barcodes. */
export type ProductSize = { variants: number; codes: number }
export const EMPTY: ProductSize = { variants: 0, codes: 0 }

export const sizeOf = (variants: readonly Pick<VariantCodes, 'otherBarcodes' | 'packs'>[]): ProductSize => ({
  variants: variants.length,
  codes: sum(variants.map(({ otherBarcodes, packs }) => (otherBarcodes?.length ?? 0) + (packs?.length ?? 0))),
})

/** Throws 409 if a change makes a product larger than a product may be: each read of it takes all its variants. */
export function requireSize(before: ProductSize, after: ProductSize) {
  if (after.variants > MOST_IN_ALL && after.variants > before.variants)
    throw conflict(
      `A product has at most ${MOST_IN_ALL} variants, inactive ones included; create another product`,
    )
  if (after.codes > MOST_CODES && after.codes > before.codes)
    throw conflict(
      `A product has at most ${MOST_CODES} packs and further barcodes in all; remove some, or create another product`,
    )
}

/** True if the sent list may omit variants of the product, which `reconcile` then removes. */
export function leavesOut(
  known: readonly Pick<KnownVariant, 'id' | 'sku'>[],
  items: readonly VariantItem[],
): boolean {
  const ids = new Set(items.flatMap(({ id }) => id ?? []))
  const skus = new Set(items.flatMap(({ id, sku }) => (id === undefined && sku ? [sku] : [])))
  const matched = known.filter(({ id, sku }) => !ids.has(id) && sku !== null && skus.has(sku))
  const left = known.filter(({ id }) => !ids.has(id)).length - new Set(matched.map(({ sku }) => sku)).size
  return left > 0
}

const matchBySku = (known: readonly KnownVariant[], sku: string) => {
  const same = known.filter((variant) => variant.sku === sku)
  return same.find((variant) => variant.isActive) ?? same[0]
}

/**
 * Throws 409 if two active variants of one request share a code, or if a code is listed twice: a lookup could not tell
 * them apart (B-product-3, B-pack-2).
 */
export function requireCodesOnce(variants: readonly VariantFields[]) {
  const active = variants.filter(({ isActive }) => isActive)
  const lists = { sku: active.map(({ sku }) => (sku === null ? [] : [sku])), barcode: active.map(codesOf) }
  for (const field of ['sku', 'barcode'] as const) {
    const seen = new Set<string>()
    for (const codes of lists[field]) {
      for (const code of codes) {
        if (!seen.has(code)) seen.add(code)
        else if (codes.indexOf(code) === codes.lastIndexOf(code))
          throw clash(field, code, 'another variant of this product')
        else throw conflict(`The barcode ${code} is in the list twice`, { field, value: code })
      }
    }
  }
}

/** The 409 for a code that is already used; it names the code and its owner. */
export const clash = (field: 'sku' | 'barcode', value: string, by: string) =>
  conflict(`The ${field === 'sku' ? 'SKU' : 'barcode'} ${value} is already used by ${by}`, { field, value })

export type StockRules = { kind: 'GOODS' | 'SERVICE'; trackStock: boolean; requiresBatch: boolean }

/** Services never track stock. Throws 422 if batches are required without stock (B-product-4). */
export function stockRulesOf(wanted: StockRules): StockRules {
  const trackStock = wanted.kind === 'GOODS' && wanted.trackStock
  if (wanted.requiresBatch && !trackStock) {
    throw invalid(
      'requiresBatch',
      wanted.kind === 'SERVICE'
        ? 'A service has no stock, so it cannot require batches'
        : 'Only a product that tracks stock can require batches',
    )
  }
  return { ...wanted, trackStock }
}

/**
 * Applies a patch to the rules. A service that becomes goods tracks stock, unless the patch says otherwise
 * (B-product-4).
 */
export const patchedStockRules = (known: StockRules, patch: Partial<StockRules>): StockRules => {
  const kind = patch.kind ?? known.kind
  const becameGoods = kind === 'GOODS' && known.kind === 'SERVICE'
  return stockRulesOf({
    kind,
    trackStock: patch.trackStock ?? (becameGoods || known.trackStock),
    requiresBatch: patch.requiresBatch ?? known.requiresBatch,
  })
}

/**
 * Sums component cost × quantity, where a cost per kilogram counts by the gram (B-recipe-4). The result is capped at the
 * largest exact integer.
 */
export function derivedCostOf(
  components: readonly { cost: number; quantity: number; soldBy: SoldBy }[],
): number {
  const amounts = components.map(({ cost, quantity, soldBy }) => amountOfUnits(quantity, cost, soldBy))
  const total = sumOfProducts(amounts.map((amount) => [amount, 1]))
  return Number(total > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : total)
}

/** One stored component; `quantity` is in the stock unit of the component. */
export type RecipePart = { componentVariantId: string; quantity: number; unit: string | null }

/** Throws 422 for an empty recipe, for the variant itself, and for a repeated component (B-recipe-2). */
export function requireParts(variantId: string, parts: readonly RecipePart[]) {
  if (parts.length === 0) throw invalid('components', 'A composite needs at least one component')
  const seen = new Set<string>()
  parts.forEach(({ componentVariantId: id }, index) => {
    const param = `components[${index}].componentVariantId`
    if (id === variantId) throw invalid(param, 'A composite cannot contain itself')
    if (seen.has(id))
      throw invalid(param, 'This component is in the recipe twice; list it once with the total quantity')
    seen.add(id)
  })
}

type PartFacts = {
  isComposite: boolean
  isLive: boolean
  kind: 'GOODS' | 'SERVICE'
  productName: string
  variantName: string
}

/**
 * Throws 422 for a composite or a service. An inactive variant is accepted only if the recipe already has it
 * (B-recipe-2, B-ids-4).
 */
export function requirePart(fact: PartFacts, index: number, present: boolean) {
  const param = `components[${index}].componentVariantId`
  const name = labelOf(fact.productName, fact.variantName)
  if (fact.isComposite) throw invalid(param, `${name} is a composite; a recipe can only use plain variants`)
  if (fact.kind === 'SERVICE') throw invalid(param, `${name} is a service and has no stock to take from`)
  if (!fact.isLive && !present) throw invalid(param, `${name} is inactive; activate it first`)
}
