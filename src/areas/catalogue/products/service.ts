import { assert } from '../../../core/assert.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { shortened } from '../../../core/events.ts'
import { newId } from '../../../core/ids.ts'
import { clearEmpty, emptyToNull } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { isForeignKeyViolation } from '../../../platform/db/pg-errors.ts'
import { inSavepoint } from '../../../platform/db/savepoint.ts'
import { emit, emitRows, eventRow } from '../../../platform/events/outbox.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import { keepReferenced } from '../../workspace/uploads/index.ts'
import { requireCategory } from '../categories/index.ts'
import { NO_CODES } from './codes.ts'
import { productCreated, productDeleted, productUpdated } from './events.ts'
import { requireCodes } from './packs.ts'
import {
  countActive,
  EMPTY,
  leavesOut,
  newVariant,
  patchedStockRules,
  reconcile,
  requireFewVariants,
  requirePrices,
  requireSize,
  sizeOf,
  stockRulesOf,
} from './rules.ts'
import type { Product, ProductIn, ProductPatch, VariantItem } from './schema.ts'
import { find, findMany } from './statements-products.ts'
import * as variantStatements from './statements-variants.ts'
import type { LockedProduct } from './store.ts'
import * as store from './store.ts'
import type { StoredVariant } from './store-variants.ts'
import * as variantStore from './store-variants.ts'
import {
  insertVariants,
  removeVariants,
  requireFreeCodes,
  requireSameMeasure,
  updateVariants,
} from './variants.ts'

export async function getProduct(db: Db, scope: Scope, id: string): Promise<Product> {
  const product = await find(db, scope, id)
  if (!product) throw notFound('product')
  return product
}

export async function createProduct(tx: Tx, scope: Scope, input: ProductIn): Promise<Product> {
  const [product] = await createProducts(tx, scope, [input])
  assert(product, 'a product that was created exists')
  return product
}

/**
 * Creates products, all or none. The number of statements does not depend on the number of products. An error can
 * name a variant of any product: to learn which product is at fault, create them one by one.
 */
export async function createProducts(tx: Tx, scope: Scope, inputs: readonly ProductIn[]): Promise<Product[]> {
  const categories = new Set(inputs.flatMap(({ categoryId }) => categoryId || []))
  for (const id of [...categories].toSorted()) await requireCategory(tx, scope, id, 'categoryId')
  const variantsOf = (input: ProductIn) => input.variants.map(newVariant)
  await requireCodes(
    tx,
    scope,
    inputs.flatMap(({ variants }) =>
      variants.map((sent, index) => ({ path: `variants[${index}].`, sent, known: NO_CODES })),
    ),
  )
  for (const input of inputs) {
    requireFewVariants(0, countActive(variantsOf(input)))
    requireSize(EMPTY, sizeOf(variantsOf(input)))
  }
  const live = inputs.filter(({ isActive = true }) => isActive)
  if (live.length > 0) await requireFreeCodes(tx, scope, live.flatMap(variantsOf), [])
  const all = inputs.map((input) => ({ product: newProduct(input), variants: variantsOf(input) }))
  if (live.length > 0)
    await requireUnderCap(tx, scope, { cap: 'products', countLive: store.countLive, more: live.length })
  const thumbnailOf = await keepReferenced(
    tx,
    scope,
    inputs.map(({ imageUrl }) => imageUrl),
  )
  const products = all.map(({ product }) => ({ ...product, thumbnailUrl: thumbnailOf(product.imageUrl) }))
  await store.insert(tx, scope, products)
  await insertVariants(tx, scope, all)
  const ids = products.map(({ id }) => id)
  const made = new Map((await findMany(tx, scope, ids)).map((product) => [product.id, product]))
  const inOrder = ids.flatMap((id) => made.get(id) ?? [])
  touchCatalogue(scope, 'product', ids)
  await emitRows(
    tx,
    scope,
    inOrder.map((product) =>
      eventRow(scope, productCreated, product.id, { product: shortened(product, 'variants') }),
    ),
  )
  return inOrder
}

function newProduct(input: ProductIn): LockedProduct {
  const { kind = 'GOODS', trackStock = true, requiresBatch = false, isActive = true } = input
  return {
    id: newId('product'),
    name: input.name,
    description: emptyToNull(input.description),
    categoryId: input.categoryId ?? null,
    imageUrl: emptyToNull(input.imageUrl),
    thumbnailUrl: null,
    station: emptyToNull(input.station),
    taxRateBps: input.taxRateBps ?? null,
    isActive,
    ...stockRulesOf({ kind, trackStock, requiresBatch }),
  }
}

/**
 * Sales and stock records depend on these fields. After a change, transactions that read the old values must read
 * again.
 */
const STOCK_RULES = ['kind', 'trackStock', 'requiresBatch'] as const

/** Changes a product. If `variants` is sent, that list replaces its variants (B-product-1). */
export async function updateProduct(tx: Tx, scope: Scope, id: string, patch: ProductPatch): Promise<Product> {
  if (patch.variants) requirePrices(patch.variants)
  const known = await store.lock(tx, scope, id)
  if (!known) throw notFound('product')
  if (Object.keys(patch).length === 0) return getProduct(tx, scope, id)
  const { variants: items, ...fields } = patch
  if (fields.categoryId) await requireCategory(tx, scope, fields.categoryId, 'categoryId')
  const changesStock = STOCK_RULES.some((rule) => fields[rule] !== undefined && fields[rule] !== known[rule])
  const variants = await lockVariants(tx, scope, id, { changesStock, items })
  const foreign = items ? await findForeign(tx, scope, variants, items) : -1
  const ids = variants.map((variant) => variant.id)
  if (fields.kind !== undefined && fields.kind !== known.kind) await requireKindMayChange(tx, scope, ids)
  if (fields.requiresBatch && !known.requiresBatch) await requireBatchesFit(tx, scope, ids)
  if (foreign >= 0) throw invalid(`variants[${foreign}].id`, 'This variant belongs to another product')
  await requireCodes(tx, scope, (items ?? []).map(sentVariants(variants)))
  const plan = items
    ? reconcile(variants, items)
    : { create: [], update: variants.map(({ isLive, searchText, ...fields }) => fields), remove: [] }
  await requireSameMeasure(tx, scope, variants, plan.update)
  requireFewVariants(countActive(variants), countActive([...plan.update, ...plan.create]))
  if (fields.isActive ?? known.isActive) {
    await requireFreeCodes(tx, scope, [...plan.update, ...plan.create], ids)
  }
  const after: LockedProduct = { ...known, ...cleaned(fields), ...patchedStockRules(known, fields) }
  if (after.isActive && !known.isActive)
    await requireUnderCap(tx, scope, { cap: 'products', countLive: store.countLive })
  const { id: _, ...row } = after
  const thumbnailOf = await keepReferenced(tx, scope, [fields.imageUrl])
  if (fields.imageUrl !== undefined) row.thumbnailUrl = thumbnailOf(row.imageUrl)
  await store.update(tx, scope, id, row)
  const kept = await removeVariants(tx, scope, id, plan.remove)
  const stays = [...plan.update, ...plan.create, ...variants.filter((variant) => kept.has(variant.id))]
  requireSize(sizeOf(variants), sizeOf(stays))
  await updateVariants(tx, scope, { product: after, known: variants, wanted: plan.update })
  await insertVariants(tx, scope, [{ product: after, variants: plan.create }])
  const product = await getProduct(tx, scope, id)
  touchCatalogue(scope, 'product', [id])
  await emit(tx, scope, productUpdated, id, { product: shortened(product, 'variants') })
  return product
}

/**
 * Locks the variants of a locked product in the strongest mode that the change will need. A later upgrade of the lock
 * could deadlock with a receipt of goods. Whether variants are removed can be decided before they are locked: only a
 * transaction that locks the product adds or removes variants or changes their codes.
 */
async function lockVariants(
  tx: Tx,
  scope: Scope,
  id: string,
  { changesStock, items }: { changesStock: boolean; items: readonly VariantItem[] | undefined },
) {
  if (changesStock) return variantStore.lockAnew(tx, scope, id)
  const removes = items !== undefined && leavesOut(await variantStatements.listOf(tx, scope, id), items)
  const measures = items?.some(({ soldBy }) => soldBy !== undefined) ?? false
  return (removes || measures ? variantStore.lockReferences : variantStore.lock)(tx, scope, id)
}

/** Each entry with the codes of the variant that it changes: the one with its id, else with its SKU. */
const sentVariants = (known: readonly StoredVariant[]) => (sent: VariantItem, index: number) => ({
  path: `variants[${index}].`,
  sent,
  known:
    known.find(({ id, sku }) => (sent.id === undefined ? sent.sku && sku === sent.sku : id === sent.id)) ??
    NO_CODES,
})

function cleaned(fields: Omit<ProductPatch, 'variants'>): Partial<LockedProduct> {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return clearEmpty(Object.fromEntries(sent), ['description', 'imageUrl', 'station'])
}

/**
 * Returns the index of the first entry that names a variant of another product, or -1. Throws 404 for an unknown id
 * (B-product-2).
 */
async function findForeign(
  tx: Tx,
  scope: Scope,
  own: readonly StoredVariant[],
  items: readonly VariantItem[],
): Promise<number> {
  const ownIds = new Set(own.map((variant) => variant.id))
  const strangers = items.flatMap(({ id }) => (id === undefined || ownIds.has(id) ? [] : [id]))
  if (strangers.length === 0) return -1
  const elsewhere = await variantStore.findKnownIds(tx, scope, strangers)
  const unknown = items.findIndex(({ id }) => id !== undefined && !ownIds.has(id) && !elsewhere.has(id))
  if (unknown >= 0) throw notFound('variant', `variants[${unknown}].id`)
  return items.findIndex(({ id }) => id !== undefined && !ownIds.has(id))
}

/** Throws 409 if the kind is fixed: stock has moved or a recipe uses the product (B-product-5). */
async function requireKindMayChange(tx: Tx, scope: Scope, ids: readonly string[]) {
  if (await variantStatements.haveMoved(tx, scope, ids)) {
    throw conflict('The kind can no longer change, because stock of this product has moved')
  }
  if (await variantStatements.areComponents(tx, scope, ids)) {
    throw conflict('The kind cannot change while a recipe uses this product; change the recipe first')
  }
}

/**
 * Throws 409 if a level is below zero or below its batches, which happens if goods are oversold. The next batch would
 * otherwise hold more than the level (B-product-5).
 */
async function requireBatchesFit(tx: Tx, scope: Scope, ids: readonly string[]) {
  if (await variantStatements.levelsFallShort(tx, scope, ids)) {
    throw conflict(
      'The stock level of this product is below zero, or its batches hold more than the level. Count the stock first',
    )
  }
}

/**
 * Deletes a product with its variants and their stock if no other record refers to them. Otherwise deactivates it
 * (B-product-6).
 */
export async function deleteProduct(tx: Tx, scope: Scope, id: string) {
  const known = await store.lock(tx, scope, id)
  if (!known) throw notFound('product')
  const variants = await variantStore.lockReferences(tx, scope, id)
  const ids = variants.map((variant) => variant.id)
  const before = await getProduct(tx, scope, id)
  const used = await variantStatements.referenced(tx, scope, ids, ids)
  touchCatalogue(scope, 'product', [id])
  touchCatalogue(scope, 'variant', ids)
  if (used.size === 0 && (await removed(tx, scope, id, ids))) {
    await emit(tx, scope, productDeleted, id, { product: shortened(before, 'variants') })
    return { id, deleted: true as const }
  }
  await store.update(tx, scope, id, { isActive: false })
  const kept = variants.map(({ isLive, searchText, ...fields }) => fields)
  await updateVariants(tx, scope, { product: { ...known, isActive: false }, known: variants, wanted: kept })
  const product = await getProduct(tx, scope, id)
  await emit(tx, scope, productDeleted, id, { product: shortened(product, 'variants') })
  return { product, deactivated: true as const }
}

/**
 * Deletes the product. Returns false if another transaction has added a reference to a variant meanwhile; the product
 * then stays.
 */
const removed = (tx: Tx, scope: Scope, id: string, variantIds: readonly string[]): Promise<boolean> =>
  inSavepoint(tx, async () => {
    await variantStatements.removeRecipes(tx, scope, variantIds)
    await store.remove(tx, scope, id)
    return true
  }).catch((error: unknown) => {
    if (isForeignKeyViolation(error)) return false
    throw error
  })
