import { ApiError, notFound } from '../../../core/errors.ts'
import { shortened } from '../../../core/events.ts'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import { setPricingVersion } from '../../workspace/settings/index.ts'
import { priceListCreated, priceListDeleted, priceListUpdated } from './events.ts'
import { entriesFrom, NO_CONDITIONS, requireOneEntryEach, requireSomeTime, withoutRepeats } from './rules.ts'
import type { PriceList, PriceListIn, PriceListPatch } from './schema.ts'
import { countPricing, firstMissing, type PricingUse, type Reference } from './statements.ts'
import * as store from './store.ts'

export async function getPriceList(db: Db, scope: Scope, id: string, param?: string): Promise<PriceList> {
  const found = await store.find(db, scope, id)
  if (!found) throw notFound('price list', param)
  return found
}

/** References of a list of ids. */
export const namedIds = (
  kind: Reference['kind'],
  field: string,
  ids: readonly string[] | null,
): Reference[] => (ids ?? []).map((id, index) => ({ kind, id, param: `${field}[${index}]` }))

const WHAT = { outlet: 'outlet', variant: 'product variant', category: 'category', group: 'customer group' }

/**
 * Throws 404 for the first record that does not exist. `kept` are references that were stored before: their records may have been
 * deleted since, which must not block another change (B-price-8).
 */
export async function requireExisting(
  tx: Tx,
  scope: Scope,
  references: readonly Reference[],
  kept: readonly Reference[] = [],
): Promise<void> {
  const keptIds = new Set(kept.map(({ id }) => id))
  const added = references.filter(({ id }) => !keptIds.has(id))
  const missing = await firstMissing(tx, scope, added)
  if (missing) throw notFound(WHAT[missing.kind], missing.param)
}

const referencesOf = (values: store.PriceListValues): Reference[] => [
  ...namedIds('outlet', 'outletIds', values.outletIds),
  ...namedIds('group', 'customerGroupIds', values.customerGroupIds),
  ...values.entries.map(
    ({ variantId, categoryId }, index): Reference =>
      variantId === null
        ? { kind: 'category', id: categoryId ?? '', param: `entries[${index}].categoryId` }
        : { kind: 'variant', id: variantId, param: `entries[${index}].variantId` },
  ),
]

/** Throws 404 for a record that `values` adds and that does not exist, and 422 for contradictory conditions. Returns the values to store. */
async function checked(
  tx: Tx,
  scope: Scope,
  values: store.PriceListValues,
  before?: store.PriceListValues,
): Promise<store.PriceListValues> {
  await requireExisting(tx, scope, referencesOf(values), before && referencesOf(before))
  requireSomeTime(values)
  requireOneEntryEach(values.entries)
  return withoutRepeats(values)
}

/** Sales and tills read the prices again. */
export async function movePrices(
  tx: Tx,
  scope: Scope,
  type: 'priceList' | 'promotion',
  id: string,
): Promise<void> {
  await setPricingVersion(tx, scope, newId('pricing'))
  touchCatalogue(scope, type, [id])
}

/**
 * Each process keeps the price lists and the automatic promotions of a workspace in memory, and each sale tries all of them. One answer
 * lists all promotions.
 */
const MOST: PricingUse = { lists: 200, entries: 100_000, promotions: 10_000, automatic: 500, ids: 100_000 }
const LIMITED = {
  lists: 'price lists; delete one first',
  entries: 'entries of price lists; use categories, or delete a list first',
  promotions: 'promotions and vouchers; delete one first',
  automatic: 'active promotions without a code; switch one off first',
  ids: 'products, categories, outlets, groups and channels named in its promotions and vouchers; use categories, or delete a promotion first',
}

/**
 * Throws 403 if the workspace would have too many price lists or promotions (B-price-9). Call it after `movePrices`, which
 * makes concurrent changes wait for each other.
 */
export async function requirePricingRoom(tx: Tx, scope: Scope, kinds: readonly (keyof PricingUse)[]) {
  const used = await countPricing(tx, scope)
  const full = kinds.find((kind) => used[kind] > MOST[kind])
  if (full === undefined) return
  throw new ApiError('LIMIT_REACHED', `A workspace has at most ${MOST[full]} ${LIMITED[full]}`, {
    param: full === 'lists' || full === 'entries' ? 'priceLists' : 'promotions',
  })
}

export async function createPriceList(tx: Tx, scope: Scope, input: PriceListIn): Promise<PriceList> {
  const { entries = [], priority = 0, ...sent } = input
  const values = await checked(tx, scope, {
    ...NO_CONDITIONS,
    ...sent,
    priority,
    entries: entriesFrom(entries),
  })
  const id = await store.insert(tx, scope, values)
  await movePrices(tx, scope, 'priceList', id)
  await requirePricingRoom(tx, scope, ['lists', 'entries'])
  const priceList = await getPriceList(tx, scope, id)
  await emit(tx, scope, priceListCreated, id, { priceList: shortened(priceList, 'entries') })
  return priceList
}

export async function updatePriceList(
  tx: Tx,
  scope: Scope,
  id: string,
  patch: PriceListPatch,
): Promise<PriceList> {
  const before = await store.lock(tx, scope, id)
  if (!before) throw notFound('price list')
  if (Object.keys(patch).length === 0) return before
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...current } = before
  const { entries, ...sent } = patch
  const after = {
    ...current,
    ...sent,
    entries: entries === undefined ? current.entries : entriesFrom(entries),
  }
  const values = await checked(tx, scope, after, current)
  await store.update(tx, scope, id, values)
  await movePrices(tx, scope, 'priceList', id)
  if (values.entries.length > current.entries.length) await requirePricingRoom(tx, scope, ['entries'])
  const priceList = await getPriceList(tx, scope, id)
  await emit(tx, scope, priceListUpdated, id, { priceList: shortened(priceList, 'entries') })
  return priceList
}

/** Sold items keep the id of the list. */
export async function deletePriceList(tx: Tx, scope: Scope, id: string) {
  const priceList = await store.lock(tx, scope, id)
  if (!priceList) throw notFound('price list')
  await store.remove(tx, scope, id)
  await movePrices(tx, scope, 'priceList', id)
  await emit(tx, scope, priceListDeleted, id, { priceList: shortened(priceList, 'entries') })
  return { id, deleted: true as const }
}
