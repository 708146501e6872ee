import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../../core/assert.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { shortened } from '../../../core/events.ts'
import { labelOf } from '../../../core/labels.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../../platform/db/pg-errors.ts'
import { inSavepoint } from '../../../platform/db/savepoint.ts'
import type { StoredPack } from '../../../platform/db/tables/catalogue.ts'
import { emit, emitRows, eventRow } from '../../../platform/events/outbox.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import { codesOf, NO_CODES } from './codes.ts'
import { productUpdated } from './events.ts'
import { requireCodes } from './packs.ts'
import {
  changedVariant,
  clash,
  countActive,
  newVariant,
  requireCodesOnce,
  requireFewVariants,
  requireSize,
  searchTextOf,
  sizeOf,
  type VariantFields,
} from './rules.ts'
import type { Variant, VariantIn, VariantPatch } from './schema.ts'
import { find, findMany } from './statements-products.ts'
import * as variantStatements from './statements-variants.ts'
import * as store from './store.ts'
import type { StoredVariant } from './store-variants.ts'
import * as variants from './store-variants.ts'

type Owner = { id: string; name: string; isActive: boolean }

/**
 * A variant is live if it and its product are active (B-product-3). Codes of live variants are unique in the
 * workspace.
 */
const derived = (product: Owner, variant: VariantFields) => ({
  isLive: product.isActive && variant.isActive,
  searchText: searchTextOf(product.name, variant),
})

export async function addVariant(
  tx: Tx,
  scope: Scope,
  productId: string,
  input: VariantIn,
): Promise<Variant> {
  const product = await lockProduct(tx, scope, productId)
  await requireCodes(tx, scope, [{ path: '', sent: input, known: NO_CODES }])
  const made = newVariant(input)
  const { active, ...before } = await variants.measure(tx, scope, productId)
  const added = sizeOf([made])
  requireFewVariants(active, active + countActive([made]))
  requireSize(before, { variants: before.variants + 1, codes: before.codes + added.codes })
  const [id = ''] = await insertVariants(tx, scope, [{ product, variants: [made] }])
  await announce(tx, scope, productId)
  return read(tx, scope, productId, id)
}

export async function updateVariant(
  tx: Tx,
  scope: Scope,
  { productId, id, patch }: { productId: string; id: string; patch: VariantPatch },
): Promise<Variant> {
  const product = await lockProduct(tx, scope, productId)
  // No sale and no order may name the variant while the meaning of its quantities changes.
  const lock = patch.soldBy === undefined ? variants.lock : variants.lockReferences
  const all = await lock(tx, scope, productId)
  const known = all.find((variant) => variant.id === id)
  if (!known) throw notFound('variant')
  await requireCodes(tx, scope, [{ path: '', sent: patch, known }])
  if (Object.keys(patch).length > 0) {
    const wanted = [{ id, ...changedVariant(known, patch) }]
    await requireSameMeasure(tx, scope, [known], wanted)
    const after = all.map((variant) => wanted.find((each) => each.id === variant.id) ?? variant)
    requireFewVariants(countActive(all), countActive(after))
    requireSize(sizeOf(all), sizeOf(after))
    await updateVariants(tx, scope, { product, known: [known], wanted })
    await announce(tx, scope, productId)
  }
  return read(tx, scope, productId, id)
}

/** Deletes a variant if no record refers to it; otherwise deactivates it (B-product-6). */
export async function deleteVariant(tx: Tx, scope: Scope, productId: string, id: string) {
  await lockProduct(tx, scope, productId)
  if (!(await variantStatements.find(tx, scope, productId, id))) throw notFound('variant')
  const kept = await removeVariants(tx, scope, productId, [id])
  await announce(tx, scope, productId)
  return kept.has(id)
    ? { variant: await read(tx, scope, productId, id), deactivated: true as const }
    : { id, deleted: true as const }
}

export type OfProduct = { product: Owner; variants: readonly VariantFields[] }

/**
 * Adds variants to products that are locked or new. Returns the ids in order. Throws 409 that names a code which is
 * already used.
 */
export async function insertVariants(tx: Tx, scope: Scope, all: readonly OfProduct[]): Promise<string[]> {
  const rows = all.flatMap(({ product, variants: fields }) =>
    fields.map((variant) => ({ ...variant, productId: product.id, ...derived(product, variant) })),
  )
  const ids = await variants.insert(tx, scope, rows)
  if (ids === null) throw await findTakenCode(tx, scope, rows, [])
  return ids
}

/**
 * Writes the variants that changed, with the columns derived from product and variant. Throws 409 that names a code
 * which is already used.
 */
export async function updateVariants(
  tx: Tx,
  scope: Scope,
  {
    product,
    known,
    wanted,
  }: { product: Owner; known: readonly StoredVariant[]; wanted: readonly (VariantFields & { id: string })[] },
) {
  const before = new Map(known.map((variant) => [variant.id, variant]))
  const rows = wanted
    .map((variant): StoredVariant => ({ ...variant, ...derived(product, variant) }))
    .filter((row) => differs(before.get(row.id), row))
  if (rows.length === 0) return
  const recoded = rows.filter((row) => isRecoded(before.get(row.id), row))
  const taken = () =>
    findTakenCode(
      tx,
      scope,
      rows,
      rows.map((row) => row.id),
    )
  const isFree = await inSavepoint(tx, () => variantStatements.update(tx, scope, rows, recoded)).catch(
    async (error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      throw await taken()
    },
  )
  if (!isFree) throw await taken()
}

/** Whether the barcodes that the variant occupies change: those of a variant that is not live are free. */
const isRecoded = (before: StoredVariant | undefined, after: StoredVariant) =>
  !before ||
  before.isLive !== after.isLive ||
  !isDeepStrictEqual([codesOf(before), before.packs], [codesOf(after), after.packs])

const differs = (before: StoredVariant | undefined, after: StoredVariant) =>
  !before ||
  (Object.keys(after) as (keyof StoredVariant)[]).some(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  )

/** Throws 409 if a variant that is in use changes between units and grams (B-weight-5). */
export async function requireSameMeasure(
  tx: Tx,
  scope: Scope,
  known: readonly StoredVariant[],
  wanted: readonly (VariantFields & { id: string })[],
) {
  const before = new Map(known.map((variant) => [variant.id, variant]))
  const changed = wanted.filter(({ id, soldBy }) => before.get(id)?.soldBy !== soldBy)
  if (changed.length === 0) return
  if (changed.some(({ id, packs }) => keepsFactor(before.get(id)?.packs ?? [], packs ?? [])))
    throw conflict(
      'The factors of packs count by soldBy; send packs with their new factors, or remove them, when you change it',
    )
  const ids = changed.map(({ id }) => id)
  const use = await variantStatements.findUse(tx, scope, ids)
  if (use)
    throw conflict(`The variant still has ${use}, which count by soldBy; clear them before you change it`)
}

/** True if a pack stays with its factor. */
const keepsFactor = (before: readonly StoredPack[], after: readonly StoredPack[]) =>
  after.some(({ id, factor }) => before.some((pack) => pack.id === id && pack.factor === factor))

/**
 * Returns the variants that must stay when all others are deleted. Recipes of deleted variants do not count
 * (B-product-6).
 */
async function referencedBeside(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const held = await variantStatements.referenced(tx, scope, ids, ids)
  // A variant that stays keeps its recipe and hence its components. Components have no recipe themselves, so one more
  // query is enough (B-recipe-2).
  return held.size === 0
    ? held
    : variantStatements.referenced(
        tx,
        scope,
        ids,
        ids.filter((id) => !held.has(id)),
      )
}

/** Deletes variants of one product. Deactivates those that other records refer to and returns their ids. */
export async function removeVariants(
  tx: Tx,
  scope: Scope,
  productId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  touchCatalogue(scope, 'variant', ids)
  // A concurrent sale of one of them has either committed before this lock, and is then visible, or waits for it.
  await variants.lockReferences(tx, scope, productId)
  const kept = await referencedBeside(tx, scope, ids)
  const gone = ids.filter((id) => !kept.has(id))
  await inSavepoint(tx, () => variantStatements.remove(tx, scope, gone)).catch((error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error
    for (const id of gone) kept.add(id)
  })
  await variantStatements.deactivate(tx, scope, [...kept])
  return kept
}

/**
 * Throws 409 if two of the rows share a code, or if a live variant other than `own` has it (B-product-3). If two
 * transactions both find a code free, the unique index decides.
 */
export async function requireFreeCodes(
  tx: Tx,
  scope: Scope,
  rows: readonly VariantFields[],
  own: readonly string[],
) {
  requireCodesOnce(rows)
  const active = rows.filter((row) => row.isActive)
  const taken = await variantStatements.findTaken(
    tx,
    scope,
    { sku: active.flatMap(({ sku }) => sku ?? []), barcode: active.flatMap(codesOf) },
    own,
  )
  if (taken) throw clash(taken.field, taken.value, labelOf(taken.productName, taken.variantName))
}

async function findTakenCode(tx: Tx, scope: Scope, rows: readonly VariantFields[], own: readonly string[]) {
  await requireFreeCodes(tx, scope, rows, own)
  return conflict('A SKU or barcode was taken a moment ago; send the request again')
}

async function lockProduct(tx: Tx, scope: Scope, id: string): Promise<Owner> {
  const product = await store.lock(tx, scope, id)
  if (!product) throw notFound('product')
  return product
}

async function read(tx: Tx, scope: Scope, productId: string, id: string): Promise<Variant> {
  const variant = await variantStatements.find(tx, scope, productId, id)
  if (!variant) throw notFound('variant')
  return variant
}

/** Announces the product as changed, after a change of a variant or a recipe (B-product-7). */
export async function announce(tx: Tx, scope: Scope, productId: string) {
  await store.update(tx, scope, productId, {})
  touchCatalogue(scope, 'product', [productId])
  const product = await find(tx, scope, productId)
  assert(product, 'a product that is locked exists')
  await emit(tx, scope, productUpdated, productId, { product: shortened(product, 'variants') })
}

/** Products that are read and announced together: one can have a thousand variants. */
const ANNOUNCED = 25

/** Announces products whose changes are written already. */
export async function announceMany(tx: Tx, scope: Scope, ids: readonly string[]) {
  for (let from = 0; from < ids.length; from += ANNOUNCED) {
    const products = await findMany(tx, scope, ids.slice(from, from + ANNOUNCED))
    await emitRows(
      tx,
      scope,
      products.map((product) =>
        eventRow(scope, productUpdated, product.id, { product: shortened(product, 'variants') }),
      ),
    )
  }
}
