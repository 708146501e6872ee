import { expect, test } from 'vitest'
import { sizeOf } from '../../../src/areas/selling/pricing/cache.ts'
import { NO_CONDITIONS } from '../../../src/areas/selling/pricing/rules.ts'
import { NO_PROMOTION } from '../../../src/areas/selling/pricing/rules-promotions.ts'
import type { PriceListRule } from '../../../src/core/prices.ts'
import type { PromotionRule } from '../../../src/core/promotions.ts'

const list: PriceListRule = { ...NO_CONDITIONS, id: 'prl_1', name: 'List', priority: 0, entries: [] }
const promotion: PromotionRule = { ...NO_PROMOTION, id: 'pro_1', name: 'Promo', kind: 'PERCENT' }
const withList = (fields: Partial<PriceListRule>) =>
  sizeOf({ lists: [{ ...list, ...fields }], promotions: [] })
const withPromotion = (fields: Partial<PromotionRule>) =>
  sizeOf({ lists: [], promotions: [{ ...promotion, ...fields }] })

const texts = Array.from({ length: 50 }, (_, place) => `text_${place}`)
const CONDITIONS = ['outletIds', 'customerGroupIds', 'channels'] as const

test.each(CONDITIONS)('the memory for cached prices includes %s of price lists and promotions', (field) => {
  expect(withList({ [field]: texts }) - withList({})).toBe(50)
  expect(withPromotion({ [field]: texts }) - withPromotion({})).toBe(50)
})

test('the memory for cached prices includes entries, goods and parts of bundles', () => {
  const part = { variantId: 'var_1', categoryId: null, quantity: 1 }
  const entry = { variantId: 'var_1', categoryId: null, price: 1, adjustBps: null, roundTo: null }
  expect(withList({ entries: [entry, entry] }) - withList({})).toBe(2)
  expect(withPromotion({ variantIds: texts, categoryIds: texts }) - withPromotion({})).toBe(100)
  expect(withPromotion({ bundle: [part, part] }) - withPromotion({})).toBe(2)
})
