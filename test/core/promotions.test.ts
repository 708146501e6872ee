import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Conditions, SaleFacts } from '../../src/core/conditions.ts'
import { splitByWeight } from '../../src/core/money.ts'
import {
  type BundlePart,
  decidePromotions,
  type PromotedItem,
  type PromotionRule,
} from '../../src/core/promotions.ts'

const ANY: Conditions = {
  isActive: true,
  outletIds: null,
  orderTypes: null,
  channels: null,
  customerGroupIds: null,
  weekdays: null,
  from: null,
  to: null,
  startsAt: null,
  endsAt: null,
}
const promotionOf = (fields: Partial<PromotionRule>): PromotionRule => ({
  ...ANY,
  id: 'pro_1',
  name: 'Promo',
  priority: 0,
  stackable: true,
  kind: 'PERCENT',
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
  oncePerCustomer: false,
  ...fields,
})
const NOON = '2026-11-23T05:00:00.000Z'
const itemOf = (
  variantId: string | null,
  quantity: number,
  net: number,
  fields: Partial<PromotedItem> = {},
) => ({
  variantId,
  categoryId: variantId === null ? null : `cat_${variantId}`,
  quantity,
  net,
  orderedAt: NOON,
  ...fields,
})
const SALE: SaleFacts = {
  outletId: 'out_1',
  timezone: 'Asia/Jakarta',
  orderType: null,
  channel: null,
  customerGroupIds: [],
}
const NO_ONE = { customerId: null, codes: [], usedIds: new Set<string>() }
const decide = (
  promotions: readonly PromotionRule[],
  items: readonly PromotedItem[],
  more: Partial<Parameters<typeof decidePromotions>[1]> = {},
) => decidePromotions(promotions, { ...SALE, ...NO_ONE, ...more, items })
const sharesOf = (promotions: readonly PromotionRule[], items: readonly PromotedItem[]) =>
  decide(promotions, items).map(({ shares }) => shares)

describe('a promotion', () => {
  test('by percentage is rounded once, half up, and shared by largest remainder', () => {
    const tenth = promotionOf({ percentBps: 1_000 })
    expect(sharesOf([tenth], [itemOf('a', 1, 1_005), itemOf('b', 1, 1_000)])).toEqual([[101, 100]])
  })

  test('of an amount is at most what its goods cost', () => {
    const amount = promotionOf({ kind: 'AMOUNT', amount: 5_000, variantIds: ['a'] })
    expect(sharesOf([amount], [itemOf('a', 2, 3_000), itemOf('b', 1, 9_000)])).toEqual([[3_000, 0]])
  })

  test.each([
    [2, 0],
    [3, 1_000],
    [5, 1_000],
    [6, 2_000],
    [7, 2_000],
  ])('buy 2 get 1 of %i equal units takes off %i: an incomplete group gets nothing', (quantity, amount) => {
    const promotion = promotionOf({ kind: 'BUY_X_GET_Y', buyQuantity: 2, getQuantity: 1 })
    const applied = decide([promotion], [itemOf('a', quantity, quantity * 1_000)])
    expect(applied.map((one) => one.amount)).toEqual(amount === 0 ? [] : [amount])
  })

  test('a group that lacks some of its free units is incomplete', () => {
    const promotion = promotionOf({ kind: 'BUY_X_GET_Y', buyQuantity: 1, getQuantity: 2 })
    expect(decide([promotion], [itemOf('a', 2, 2_000)])).toEqual([])
    expect(decide([promotion], [itemOf('a', 3, 3_000)])).toMatchObject([{ amount: 2_000 }])
  })

  test('buy X get Y frees the cheapest units of each group, the dearest units first in line', () => {
    const promotion = promotionOf({ kind: 'BUY_X_GET_Y', buyQuantity: 1, getQuantity: 1 })
    // 9, 9 | 9, 5 | 5, 2: the second of each pair is free.
    const items = [itemOf('c', 1, 2_000), itemOf('b', 2, 10_000), itemOf('a', 3, 27_000)]
    expect(sharesOf([promotion], items)).toEqual([[2_000, 5_000, 9_000]])
  })

  test('goods sold by weight have no units that are free or part of a bundle, and share in the other kinds', () => {
    const items = [itemOf('a', 2_500, 50_000, { isWeighed: true }), itemOf('b', 2, 20_000)]
    const free = promotionOf({ kind: 'BUY_X_GET_Y', buyQuantity: 1, getQuantity: 1 })
    expect(sharesOf([free], items)).toEqual([[0, 10_000]])
    const bundle = [
      { variantId: 'a', categoryId: null, quantity: 1 },
      { variantId: 'b', categoryId: null, quantity: 1 },
    ]
    const paired = promotionOf({ kind: 'BUNDLE', bundle, bundlePrice: 1_000 })
    expect(decide([paired], items)).toEqual([])
    expect(sharesOf([promotionOf({ percentBps: 1_000 })], items)).toEqual([[5_000, 2_000]])
    const amount = promotionOf({ kind: 'AMOUNT', amount: 7_000 })
    expect(sharesOf([amount], items)).toEqual([[5_000, 2_000]])
  })

  test('a bundle repeats as often as its goods allow and takes the dearest of a category', () => {
    const promotion = promotionOf({
      kind: 'BUNDLE',
      bundle: [
        { variantId: 'a', categoryId: null, quantity: 2 },
        { variantId: null, categoryId: 'cake', quantity: 1 },
      ],
      bundlePrice: 10_000,
    })
    const cake = { categoryId: 'cake' }
    const items = [itemOf('a', 5, 20_000), itemOf('b', 1, 6_000, cake), itemOf('c', 3, 24_000, cake)]
    // Twice: 2 × 4.000 and one cake at 8.000 each, 16.000 instead of 10.000.
    expect(decide([promotion], items)).toEqual([
      { id: 'pro_1', name: 'Promo', amount: 12_000, shares: [6_000, 0, 6_000] },
    ])
    expect(decide([promotion], [itemOf('a', 1, 4_000), itemOf('b', 9, 9_000, cake)])).toEqual([])
  })

  test('a bundle that costs more than its goods applies to none of them', () => {
    const bundle = [{ variantId: 'a', categoryId: null, quantity: 1 }]
    const dear = promotionOf({ kind: 'BUNDLE', bundle, bundlePrice: 2_000 })
    expect(decide([dear], [itemOf('a', 3, 6_000)])).toEqual([])
  })

  test('a bundle takes nothing off goods of which the earlier promotions left less than its price', () => {
    const pair = promotionOf({
      kind: 'BUNDLE',
      bundle: ['a', 'b'].map((variantId) => ({ variantId, categoryId: null, quantity: 1 })),
      bundlePrice: 1,
    })
    // The worth of the units is rounded down: the fourth pair is worth two rupiah more than the third, and no other is.
    expect(decide([pair], [itemOf('a', 8, 2), itemOf('b', 8, 2)])).toEqual([])
  })

  test('with a minimum spend counts all items after their own discounts', () => {
    const promotion = promotionOf({ kind: 'AMOUNT', amount: 1, minSpend: 10_000, variantIds: ['a'] })
    expect(decide([promotion], [itemOf('a', 1, 1_000), itemOf('b', 1, 8_999)])).toEqual([])
    expect(decide([promotion], [itemOf('a', 1, 1_000), itemOf('b', 1, 9_000)])).toHaveLength(1)
  })

  test('with a code applies to a sale that has it in any case', () => {
    const promotion = promotionOf({ percentBps: 1_000, code: 'Hemat' })
    expect(decide([promotion], [itemOf('a', 1, 1_000)])).toEqual([])
    expect(decide([promotion], [itemOf('a', 1, 1_000)], { codes: ['HEMAT'] })).toHaveLength(1)
  })

  test('once per customer needs a customer who has not used it', () => {
    const promotion = promotionOf({ percentBps: 1_000, oncePerCustomer: true })
    const items = [itemOf('a', 1, 1_000)]
    const usedIds = new Set(['pro_1'])
    expect(decide([promotion], items)).toEqual([])
    expect(decide([promotion], items, { customerId: 'cus_1' })).toHaveLength(1)
    expect(decide([promotion], items, { customerId: 'cus_1', usedIds })).toEqual([])
  })

  test('with a window covers the items that were ordered in it', () => {
    const promotion = promotionOf({ percentBps: 1_000, from: '12:00', to: '13:00' })
    const late = { orderedAt: '2026-11-23T06:00:00.000Z' }
    expect(sharesOf([promotion], [itemOf('a', 1, 1_000), itemOf('b', 1, 1_000, late)])).toEqual([[100, 0]])
  })

  test('an open item is a part of the order and of no goods', () => {
    const items = [itemOf(null, 1, 1_000), itemOf('a', 1, 1_000)]
    expect(sharesOf([promotionOf({ percentBps: 1_000 })], items)).toEqual([[100, 100]])
    expect(sharesOf([promotionOf({ percentBps: 1_000, variantIds: ['a'] })], items)).toEqual([[0, 100]])
  })
})

test('a promotion reads each of its ids once, for any number of items and of sales', () => {
  let reads = 0
  const counted = (ids: string[]) =>
    new Proxy(ids, {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1
        return Reflect.get(target, key)
      },
    })
  const idsOf = (kind: string) => Array.from({ length: 100 }, (_, n) => `${kind}_${n}`)
  const promotion = promotionOf({
    percentBps: 1_000,
    variantIds: counted(idsOf('var')),
    categoryIds: counted(idsOf('cat')),
  })
  const items = [
    itemOf('var_99', 1, 1_000),
    itemOf('other', 1, 1_000, { categoryId: 'cat_99' }),
    itemOf('var_100', 1, 1_000),
  ]
  expect(sharesOf([promotion], items)).toEqual([[100, 100, 0]])
  // A till copies the rules for each cart.
  expect(sharesOf([{ ...promotion }], items.toReversed())).toEqual([[0, 100, 100]])
  expect(reads).toBe(200)
})

describe('several promotions', () => {
  const half = (id: string, fields: Partial<PromotionRule> = {}) =>
    promotionOf({ id, percentBps: 5_000, ...fields })

  test('that are stackable apply by priority, each to what is left; the older one first on a tie', () => {
    const items = [itemOf('a', 1, 1_000)]
    const fixed = promotionOf({ id: 'pro_2', kind: 'AMOUNT', amount: 400 })
    expect(decide([fixed, half('pro_1')], items).map(({ amount }) => amount)).toEqual([500, 400])
    expect(decide([half('pro_3'), fixed], items).map(({ amount }) => amount)).toEqual([400, 300])
    expect(decide([half('pro_1', { priority: 1 }), fixed], items).map(({ amount }) => amount)).toEqual([
      400, 300,
    ])
  })

  test('the best exclusive one wins if it gives more than all stackable ones, and loses a tie', () => {
    const items = [itemOf('a', 1, 1_000)]
    const exclusive = (id: string, amount: number, priority = 0) =>
      promotionOf({ id, kind: 'AMOUNT', amount, stackable: false, priority })
    const names = (promotions: PromotionRule[]) => decide(promotions, items).map(({ id }) => id)
    expect(names([half('pro_1'), exclusive('pro_2', 501), exclusive('pro_3', 400, -1)])).toEqual(['pro_2'])
    expect(names([half('pro_1'), exclusive('pro_2', 500)])).toEqual(['pro_1'])
    expect(names([exclusive('pro_3', 500), exclusive('pro_2', 500)])).toEqual(['pro_2'])
    expect(names([exclusive('pro_2', 500, 1), exclusive('pro_3', 500)])).toEqual(['pro_3'])
  })
})

const GOODS = ['a', 'b', 'c', 'd', null]
const anyItem = fc
  .record({
    variantId: fc.constantFrom(...GOODS),
    quantity: fc.integer({ min: 1, max: 12 }),
    net: fc.integer({ min: 0, max: 200_000 }),
    isLate: fc.boolean(),
  })
  .map(({ variantId, quantity, net, isLate }) => ({
    ...itemOf(variantId, quantity, net),
    categoryId: variantId === null ? null : variantId < 'c' ? 'x' : 'y',
    orderedAt: isLate ? '2026-11-23T11:00:00.000Z' : NOON,
  }))
const units = fc.integer({ min: 1, max: 3 })
const part = fc.oneof(
  fc.record({ variantId: fc.constantFrom('a', 'b', 'c'), categoryId: fc.constant(null), quantity: units }),
  fc.record({ variantId: fc.constant(null), categoryId: fc.constantFrom('x', 'y'), quantity: units }),
)
const ofKind = fc.oneof(
  fc.record({ kind: fc.constant('PERCENT' as const), percentBps: fc.integer({ min: 1, max: 10_000 }) }),
  fc.record({ kind: fc.constant('AMOUNT' as const), amount: fc.integer({ min: 1, max: 300_000 }) }),
  fc.record({ kind: fc.constant('BUY_X_GET_Y' as const), buyQuantity: units, getQuantity: units }),
  fc.record({
    kind: fc.constant('BUNDLE' as const),
    bundle: fc.array(part, { minLength: 1, maxLength: 3 }),
    bundlePrice: fc.integer({ min: 0, max: 150_000 }),
  }),
)
const anyPromotions = fc
  .array(
    fc.tuple(
      ofKind,
      fc.record({
        priority: fc.integer({ min: -2, max: 2 }),
        stackable: fc.boolean(),
        variantIds: fc.option(fc.constant(['a', 'c'])),
        minSpend: fc.option(fc.integer({ min: 1, max: 100_000 })),
        to: fc.option(fc.constant('17:00')),
      }),
    ),
    { maxLength: 8 },
  )
  .map((all) =>
    all.map(([kind, fields], index) =>
      promotionOf({
        id: `pro_${index}`,
        ...fields,
        ...kind,
        ...(kind.kind === 'BUNDLE' ? { variantIds: null } : {}),
      }),
    ),
  )
const anyItems = fc.array(anyItem, { minLength: 1, maxLength: 8 })

describe('any promotions on any items', () => {
  test('never take off more than an item costs, and share each amount exactly', () => {
    fc.assert(
      fc.property(anyPromotions, anyItems, (promotions, items) => {
        const applied = decide(promotions, items)
        for (const { amount, shares } of applied) {
          expect(amount).toBeGreaterThan(0)
          expect(shares.every((share) => Number.isSafeInteger(share) && share >= 0)).toBe(true)
          expect(shares.reduce((a, b) => a + b, 0)).toBe(amount)
        }
        items.forEach(({ net }, place) => {
          const taken = applied.reduce((total, { shares }) => total + (shares[place] ?? 0), 0)
          expect(taken).toBeLessThanOrEqual(net)
        })
      }),
      { numRuns: 500 },
    )
  })

  test('give the same in any order of the items and of the promotions', () => {
    fc.assert(
      fc.property(anyPromotions, anyItems, fc.integer(), (promotions, items, seed) => {
        const order = items
          .map((_, index) => index)
          .sort((one, other) => (((one + 1) * 7919 + seed) % 13) - (((other + 1) * 7919 + seed) % 13))
        const shuffled = order.flatMap((index) => items[index] ?? [])
        const before = decide(promotions, items)
        const after = decide(promotions.toReversed(), shuffled)
        expect(after.map(({ id, amount }) => ({ id, amount }))).toEqual(
          before.map(({ id, amount }) => ({ id, amount })),
        )
        // Items that are alike may swap their shares.
        const sharesBy = (of: typeof before, list: readonly PromotedItem[]) =>
          of.map(({ shares }) => shares.map((share, at) => JSON.stringify([list[at], share])).sort())
        expect(sharesBy(after, shuffled)).toEqual(sharesBy(before, items))
      }),
      { numRuns: 500 },
    )
  })

  test('give the customer the larger of all stackable ones and the best exclusive one', () => {
    fc.assert(
      fc.property(anyPromotions, anyItems, (promotions, items) => {
        const totalOf = (some: PromotionRule[]) =>
          decide(some, items).reduce((total, { amount }) => total + amount, 0)
        const stackable = totalOf(promotions.filter((one) => one.stackable))
        const alone = promotions.filter((one) => !one.stackable).map((one) => totalOf([one]))
        expect(totalOf(promotions)).toBe(Math.max(stackable, ...alone, 0))
      }),
      { numRuns: 500 },
    )
  })
})

type Row = { place: number; item: PromotedItem }
type BundleOnly = { bundle: readonly BundlePart[]; bundlePrice: number }

/** The slow and simple way: each number of bundles takes its units line by line, from a list of all lines. */
function bundledSlowly({ bundle, bundlePrice }: BundleOnly, items: readonly PromotedItem[]): number[] | null {
  const fits = (part: BundlePart, item: PromotedItem) =>
    part.variantId === null ? item.categoryId === part.categoryId : item.variantId === part.variantId
  const named = new Map<string, BundlePart>()
  for (const one of bundle) {
    const key = `${one.variantId} ${one.categoryId}`
    named.set(key, { ...one, quantity: one.quantity + (named.get(key)?.quantity ?? 0) })
  }
  const parts = [...named.values()].sort(
    (a, b) => Number(a.variantId === null) - Number(b.variantId === null),
  )
  const rows = items
    .map((item, place): Row => ({ item, place }))
    .sort((a, b) => b.item.net * a.item.quantity - a.item.net * b.item.quantity || a.place - b.place)
  const take = (times: number): Map<Row, number> | null => {
    const taken = new Map<Row, number>()
    for (const one of parts) {
      let missing = one.quantity * times
      for (const row of rows.filter(({ item }) => fits(one, item))) {
        const units = Math.min(missing, row.item.quantity - (taken.get(row) ?? 0))
        if (units > 0) taken.set(row, (taken.get(row) ?? 0) + units)
        missing -= units
      }
      if (missing > 0) return null
    }
    return taken
  }
  const worthsOf = (taken: Map<Row, number>) =>
    [...taken].map(([{ item }, units]) => Math.floor((item.net * units) / item.quantity))
  const savingOf = (times: number) =>
    worthsOf(take(times) ?? new Map()).reduce((a, b) => a + b, 0) - bundlePrice * times
  const largest = (most: number, holds: (n: number) => boolean) => {
    let [low, high] = [0, most]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (holds(middle)) low = middle
      else high = middle - 1
    }
    return low
  }
  const unitsFor = (one: BundlePart) =>
    items.reduce((total, item) => total + (fits(one, item) ? item.quantity : 0), 0)
  const bound = Math.min(...parts.map((one) => Math.floor(unitsFor(one) / one.quantity)))
  const most = largest(bound, (times) => take(times) !== null)
  const times = largest(most, (n) => savingOf(n) > savingOf(n - 1))
  const taken = take(times)
  if (taken === null || savingOf(times) <= 0) return null
  const shares = items.map(() => 0)
  const amounts = splitByWeight(savingOf(times), worthsOf(taken))
  for (const [index, { place }] of [...taken.keys()].entries()) shares[place] = amounts[index] ?? 0
  return shares
}

const byGoods = (one: PromotedItem, other: PromotedItem) =>
  (one.variantId ?? '').localeCompare(other.variantId ?? '') ||
  one.net - other.net ||
  one.quantity - other.quantity
/** Dear and cheap goods, in few and in many units, in the order that decides a tie. */
const bundleItems = fc
  .array(
    fc
      .record({
        variantId: fc.constantFrom(...GOODS),
        quantity: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5_000 })),
        net: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 200_000 })),
      })
      .map(({ variantId, quantity, net }) => ({
        ...itemOf(variantId, quantity, net),
        categoryId: variantId === null ? null : variantId < 'c' ? 'x' : 'y',
      })),
    { minLength: 1, maxLength: 12 },
  )
  .map((items) => items.toSorted(byGoods))

test('a bundle takes the same units and gives the same shares as one that walks all lines for each number of bundles', () => {
  const bundles = fc.record({
    bundle: fc.array(part, { minLength: 1, maxLength: 5 }),
    bundlePrice: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 150_000 })),
  })
  let given = 0
  fc.assert(
    fc.property(bundles, bundleItems, (fields, items) => {
      const slowly = bundledSlowly(fields, items)
      expect(sharesOf([promotionOf({ kind: 'BUNDLE', ...fields })], items)).toEqual(slowly ? [slowly] : [])
      given += Number(slowly !== null)
    }),
    { numRuns: 3_000 },
  )
  expect(given).toBeGreaterThan(300)
})
