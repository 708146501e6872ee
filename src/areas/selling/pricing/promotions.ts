import { ApiError, notFound } from '../../../core/errors.ts'
import { sum } from '../../../core/money.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { isUniqueViolation } from '../../../platform/db/pg-errors.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { promotionCreated, promotionDeleted, promotionUpdated } from './events.ts'
import { requireSomeTime, withoutRepeats } from './rules.ts'
import {
  bundleFrom,
  NO_PROMOTION,
  type PromotionValues,
  requireKindFields,
  requireUniqueGoods,
} from './rules-promotions.ts'
import type { Promotion, PromotionIn, PromotionPatch } from './schema-promotions.ts'
import { movePrices, namedIds, requireExisting, requirePricingRoom } from './service.ts'
import type { PricingUse, Reference } from './statements.ts'
import * as store from './store-promotions.ts'

export async function getPromotion(db: Db, scope: Scope, id: string): Promise<Promotion> {
  const found = await store.find(db, scope, id)
  if (!found) throw notFound('promotion')
  return found
}

const referencesOf = (values: PromotionValues): Reference[] => [
  ...namedIds('outlet', 'outletIds', values.outletIds),
  ...namedIds('group', 'customerGroupIds', values.customerGroupIds),
  ...namedIds('variant', 'variantIds', values.variantIds),
  ...namedIds('category', 'categoryIds', values.categoryIds),
  ...(values.bundle ?? []).map(
    ({ variantId, categoryId }, index): Reference =>
      variantId === null
        ? { kind: 'category', id: categoryId ?? '', param: `bundle[${index}].categoryId` }
        : { kind: 'variant', id: variantId, param: `bundle[${index}].variantId` },
  ),
]

/** Throws 404 for a record that `values` adds and that does not exist, and 422 for contradictory fields. Returns the values to store. */
async function checked(
  tx: Tx,
  scope: Scope,
  values: PromotionValues,
  before?: PromotionValues,
): Promise<PromotionValues> {
  await requireExisting(tx, scope, referencesOf(values), before && referencesOf(before))
  requireKindFields(values)
  requireSomeTime(values)
  return withoutRepeats(values)
}

/** The code identifies one promotion of the workspace. */
async function withOwnCode<T>(write: Promise<T>): Promise<T> {
  return write.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    throw new ApiError('CONFLICT', 'Another promotion has this code: choose another one', { param: 'code' })
  })
}

const bundleIn = ({ bundle }: PromotionPatch) => (bundle ? { bundle: bundleFrom(bundle) } : {})

/** Whether every sale tries it. */
const isAutomatic = ({ isActive, code }: Pick<PromotionValues, 'isActive' | 'code'>) =>
  isActive && code === null

/** The ids and channels that count for the limit of a workspace. */
const idCountOf = (values: PromotionValues) => {
  const { variantIds, categoryIds, outletIds, customerGroupIds, channels, bundle } = values
  const lists = [variantIds, categoryIds, outletIds, customerGroupIds, channels, bundle]
  return sum(lists.map((list) => list?.length ?? 0))
}

export async function createPromotion(tx: Tx, scope: Scope, input: PromotionIn): Promise<Promotion> {
  requireUniqueGoods(input)
  const values = await checked(tx, scope, {
    ...NO_PROMOTION,
    ...input,
    ...bundleIn(input),
  } as PromotionValues)
  const id = await withOwnCode(store.insert(tx, scope, values))
  await movePrices(tx, scope, 'promotion', id)
  const kinds: (keyof PricingUse)[] = ['promotions']
  if (isAutomatic(values)) kinds.push('automatic')
  if (idCountOf(values) > 0) kinds.push('ids')
  await requirePricingRoom(tx, scope, kinds)
  const promotion = await getPromotion(tx, scope, id)
  await emit(tx, scope, promotionCreated, id, { promotion })
  return promotion
}

export async function updatePromotion(
  tx: Tx,
  scope: Scope,
  id: string,
  patch: PromotionPatch,
): Promise<Promotion> {
  const before = await store.lock(tx, scope, id)
  if (!before) throw notFound('promotion')
  if (Object.keys(patch).length === 0) return before
  requireUniqueGoods(patch)
  const { id: _id, usedCount: _used, createdAt: _created, updatedAt: _updated, ...current } = before
  const after = { ...current, ...patch, ...bundleIn(patch) } as PromotionValues
  const values = await checked(tx, scope, after, current)
  await withOwnCode(store.update(tx, scope, id, values))
  await movePrices(tx, scope, 'promotion', id)
  if (isAutomatic(values) && !isAutomatic(current)) await requirePricingRoom(tx, scope, ['automatic'])
  if (idCountOf(values) > idCountOf(current)) await requirePricingRoom(tx, scope, ['ids'])
  const promotion = await getPromotion(tx, scope, id)
  await emit(tx, scope, promotionUpdated, id, { promotion })
  return promotion
}

/** Sales keep what they froze. */
export async function deletePromotion(tx: Tx, scope: Scope, id: string) {
  const promotion = await store.lock(tx, scope, id)
  if (!promotion) throw notFound('promotion')
  await store.remove(tx, scope, id)
  await movePrices(tx, scope, 'promotion', id)
  await emit(tx, scope, promotionDeleted, id, { promotion })
  return { id, deleted: true as const }
}
