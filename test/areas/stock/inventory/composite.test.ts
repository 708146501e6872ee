import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { availability, explode } from '../../../../src/areas/stock/inventory/rules/composite.ts'

const part = (componentVariantId: string, quantity: number, trackStock = true) => ({
  componentVariantId,
  quantity,
  trackStock,
})
const plain = (variantId: string, quantity: number, trackStock = true) => ({
  variantId,
  quantity,
  trackStock,
  components: [],
})

describe('stock needs of a sale', () => {
  test('direct lines and components of one variant are summed, with the lines that need them, in lock order', () => {
    const latte = { ...plain('latte', 3), components: [part('milk', 200), part('bean', 18), part('cup', 1)] }
    expect(explode([latte, plain('milk', 50), plain('cake', 2), { ...latte, quantity: 1 }])).toEqual([
      {
        variantId: 'bean',
        qty: 72,
        lines: [
          { index: 0, qty: 54 },
          { index: 3, qty: 18 },
        ],
      },
      { variantId: 'cake', qty: 2, lines: [{ index: 2, qty: 2 }] },
      {
        variantId: 'cup',
        qty: 4,
        lines: [
          { index: 0, qty: 3 },
          { index: 3, qty: 1 },
        ],
      },
      {
        variantId: 'milk',
        qty: 850,
        lines: [
          { index: 0, qty: 600 },
          { index: 1, qty: 50 },
          { index: 3, qty: 200 },
        ],
      },
    ])
  })

  test('untracked variants and a composite itself move nothing', () => {
    const haircut = plain('haircut', 1, false)
    const tea = { ...plain('tea', 2, false), components: [part('water', 250, false), part('leaf', 3)] }
    expect(explode([haircut, tea])).toEqual([{ variantId: 'leaf', qty: 6, lines: [{ index: 1, qty: 6 }] }])
    expect(explode([])).toEqual([])
  })

  test('the units of the lines make the need', () => {
    const anyLine = fc.record({
      variantId: fc.constantFrom('a', 'b', 'c'),
      quantity: fc.integer({ min: 1, max: 100_000 }),
      trackStock: fc.boolean(),
      components: fc.array(
        fc.record({
          componentVariantId: fc.constantFrom('a', 'b', 'd'),
          quantity: fc.integer({ min: 1, max: 1_000_000 }),
          trackStock: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
    })
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 10 }), (lines) => {
        const needs = explode(lines)
        for (const need of needs) expect(need.lines.reduce((a, l) => a + l.qty, 0)).toBe(need.qty)
        const ids = needs.map((need) => need.variantId)
        expect(ids).toEqual([...new Set(ids)].sort())
      }),
    )
  })
})

describe('availability of a composite', () => {
  const component = (id: string, quantity: number, stock: number | null) => ({ id, quantity, stock })

  test.each([
    ['the scarcest component decides', [component('milk', 200, 900), component('bean', 18, 60)], 3, 'bean'],
    ['the first of equals is named', [component('milk', 200, 400), component('cup', 1, 2)], 2, 'milk'],
    ['a part of a portion makes none', [component('milk', 200, 199)], 0, 'milk'],
    ['a negative component makes none', [component('milk', 200, -5), component('cup', 1, 9)], 0, 'milk'],
    [
      'an untracked component never limits',
      [component('water', 250, null), component('cup', 1, 9)],
      9,
      'cup',
    ],
    ['nothing tracked has no limit', [component('water', 250, null)], null, null],
    ['no components have no limit', [], null, null],
  ])('%s', (_case, components, available, limitingComponentId) => {
    expect(availability(components)).toEqual({ available, limitingComponentId })
  })
})
