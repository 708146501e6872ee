import { invalid, malformed } from '../../../core/errors.ts'
import type { BundlePart, PromotionKind, PromotionRule } from '../../../core/promotions.ts'
import { NO_CONDITIONS } from './rules.ts'
import type { PromotionIn, PromotionPatch } from './schema-promotions.ts'

/** A promotion without its id, as it is stored. */
export type PromotionValues = Omit<PromotionRule, 'id'> & { usageLimit: number | null }

/** The fields that a kind needs; those of the other kinds are refused (B-promo-1). */
const NEEDED = {
  PERCENT: ['percentBps'],
  AMOUNT: ['amount'],
  BUY_X_GET_Y: ['buyQuantity', 'getQuantity'],
  BUNDLE: ['bundle', 'bundlePrice'],
} as const satisfies Record<PromotionKind, readonly (keyof PromotionValues)[]>
const OF_KINDS = Object.values(NEEDED).flat()

/** The defaults of a new promotion. */
export const NO_PROMOTION: Omit<PromotionValues, 'name' | 'kind'> = {
  ...NO_CONDITIONS,
  priority: 0,
  stackable: true,
  percentBps: null,
  amount: null,
  buyQuantity: null,
  getQuantity: null,
  bundle: null,
  bundlePrice: null,
  variantIds: null,
  categoryIds: null,
  minSpend: null,
  code: null,
  usageLimit: null,
  oncePerCustomer: false,
}

/** The parts of a bundle as they are stored. Throws 400 for one that names both or neither. */
export const bundleFrom = (sent: NonNullable<PromotionIn['bundle']>): BundlePart[] =>
  sent.map(({ variantId = null, categoryId = null, quantity }, index) => {
    if ((variantId === null) === (categoryId === null))
      throw malformed(`bundle[${index}].variantId`, 'Name either a variant or a category')
    return { variantId, categoryId, quantity }
  })

/** Throws 400 for an id that `variantIds` or `categoryIds` repeats. */
export function requireUniqueGoods(sent: Pick<PromotionPatch, 'variantIds' | 'categoryIds'>): void {
  for (const field of ['variantIds', 'categoryIds'] as const) {
    const seen = new Set<string>()
    sent[field]?.forEach((id, index) => {
      if (seen.has(id)) throw malformed(`${field}[${index}]`, 'The list already has this id: send it once')
      seen.add(id)
    })
  }
}

/** Throws 422 for a field that the kind needs or cannot have, and for a limit without a code. */
export function requireKindFields(values: PromotionValues): void {
  const { kind, code, usageLimit } = values
  const needed: readonly (keyof PromotionValues)[] = NEEDED[kind]
  for (const field of needed)
    if (values[field] === null) throw invalid(field, `A promotion of the kind ${kind} needs ${field}`)
  for (const field of OF_KINDS)
    if (values[field] !== null && !needed.includes(field))
      throw invalid(field, `A promotion of the kind ${kind} has no ${field}: leave it out`)
  if (usageLimit !== null && code === null)
    throw invalid('usageLimit', 'Only a voucher has a usage limit: send a code as well')
}
