import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BillItem,
  type EditPlan,
  itemsAfter,
  planEdit,
  requireComplete,
  requireOnBill,
  type SentItem,
} from '../../../../src/areas/selling/sales/rules/plan-edit.ts'

const bill = (id: string, changes: Partial<BillItem> = {}): BillItem => ({
  id,
  variantId: 'latte',
  pack: null,
  soldBy: null,
  labelPrice: null,
  quantity: 2,
  unitPrice: 20_000,
  modifiers: [],
  discount: 0,
  note: null,
  kitchenStatus: 'NEW',
  isActive: true,
  ...changes,
})
const sent = (changes: SentItem = {}): SentItem => ({
  variantId: 'latte',
  quantity: 2,
  catalogPrice: 20_000,
  ...changes,
})
/**
 * A plan in short: kept `id xQty`, inserted `+variant xQty`, removed `-id`, cancelled `!id xQty` (whole) or `~id
 * xQty`.
 */
const short = (plan: EditPlan) =>
  [
    ...plan.keep.map((l) => `${l.id} x${l.quantity}`),
    ...plan.insert.map((l) => `+${l.variantId} x${l.quantity}`),
    ...plan.remove.map((id) => `-${id}`),
    ...plan.cancel.map((l) => `${l.wholeItem ? '!' : '~'}${l.fromId} x${l.cancelledQty}`),
  ].join(', ')
const started = { kitchenStatus: 'PREPARING' } as const
const refusal = (status: number, param: string) => expect.objectContaining({ status, param })

describe('an edit of a bill', () => {
  test.each<[string, BillItem[], SentItem[], string]>([
    ['the same again changes no row', [bill('a')], [sent()], 'a x2'],
    ['a new item grows', [bill('a')], [sent({ quantity: 5 })], 'a x5'],
    ['a new item shrinks', [bill('a')], [sent({ quantity: 1 })], 'a x1'],
    ['a new item vanishes', [bill('a'), bill('b', { variantId: 'cake' })], [sent()], 'a x2, -b'],
    ['another variant is a new item', [bill('a')], [sent(), sent({ variantId: 'cake' })], 'a x2, +cake x2'],
    [
      'a started item keeps what was cooked beside the surplus',
      [bill('a', started)],
      [sent({ quantity: 5 })],
      'a x2, +latte x3',
    ],
    [
      'a started item shrinks into a cancelled row',
      [bill('a', started)],
      [sent({ quantity: 1 })],
      'a x1, ~a x1',
    ],
    [
      'a started item removed turns cancelled whole',
      [bill('a', started), bill('b', { variantId: 'cake', kitchenStatus: 'SERVED' })],
      [sent()],
      'a x2, !b x2',
    ],
    ['by id an item keeps what it does not send', [bill('a')], [{ id: 'a' }], 'a x2'],
    [
      'by id a started item grows the same way',
      [bill('a', started)],
      [{ id: 'a', quantity: 3 }],
      'a x2, +latte x1',
    ],
    [
      'an id with another variant is a removal and a new item',
      [bill('a')],
      [sent({ id: 'a', variantId: 'cake' })],
      '+cake x2, -a',
    ],
    [
      'an id with another variant cancels what was cooked',
      [bill('a', started)],
      [{ id: 'a', variantId: 'cake', catalogPrice: 9_000 }],
      '+cake x2, !a x2',
    ],
    ['without id another price is another item', [bill('a')], [sent({ unitPrice: 19_000 })], '+latte x2, -a'],
    ['without id another note is another item', [bill('a')], [sent({ note: 'no sugar' })], '+latte x2, -a'],
    [
      'without id other modifiers are another item',
      [bill('a', { modifiers: [{ name: 'Oat', price: 5_000 }] })],
      [sent({ modifiers: [{ name: 'Oat', price: 6_000 }] })],
      '+latte x2, -a',
    ],
    [
      'modifiers match in any order',
      [
        bill('a', {
          modifiers: [
            { name: 'Oat', price: 5_000, modifierId: 'mod_1' },
            { name: 'Iced', price: 0 },
          ],
        }),
      ],
      [
        sent({
          modifiers: [
            { name: 'Iced', price: 0 },
            { name: 'Oat', price: 5_000 },
          ],
        }),
      ],
      'a x2',
    ],
    [
      'without a price the item of the catalogue price matches first',
      [bill('a', { unitPrice: 18_000 }), bill('b')],
      [sent({ quantity: 3 })],
      'b x3, -a',
    ],
    [
      'without a price and none of the catalogue the oldest matches',
      [bill('a', { unitPrice: 18_000 }), bill('b', { unitPrice: 17_000 })],
      [sent({ quantity: 3 })],
      'a x3, -b',
    ],
    [
      'an item named by id is not matched by another',
      [bill('a')],
      [sent(), { id: 'a', quantity: 1 }],
      'a x1, +latte x2',
    ],
    [
      'two alike are matched oldest first',
      [bill('a', started), bill('b', { quantity: 1 })],
      [sent(), sent({ quantity: 4 })],
      'a x2, b x4',
    ],
    [
      'cancelled rows stay as they are',
      [bill('a'), bill('z', { isActive: false, quantity: 0 })],
      [sent()],
      'a x2',
    ],
  ])('%s', (_case, current, items, expected) => {
    expect(short(planEdit(current, items, true))).toBe(expected)
  })

  test('without a kitchen every item is free to change', () => {
    const current = [bill('a', started), bill('b', { ...started, variantId: 'cake' })]
    expect(short(planEdit(current, [sent({ quantity: 5 })], false))).toBe('a x5, -b')
  })

  test('an item matched without a price takes the catalogue price, by id it keeps its own', () => {
    const current = [bill('a', { unitPrice: 18_000 })]
    expect(planEdit(current, [sent()], true).keep[0]?.unitPrice).toBe(20_000)
    expect(planEdit(current, [sent({ id: 'a' })], true).keep[0]?.unitPrice).toBe(18_000)
    expect(planEdit(current, [sent({ id: 'a', unitPrice: 15_000 })], true).keep[0]?.unitPrice).toBe(15_000)
  })

  test('by id a changed note and changed modifiers stay on the row, and null clears the note', () => {
    const current = [bill('a', { ...started, note: 'hot' })]
    const modifiers = [{ name: 'Oat', price: 5_000 }]
    expect(planEdit(current, [{ id: 'a', note: 'cold', modifiers }], true)).toMatchObject({
      keep: [{ id: 'a', quantity: 2, note: 'cold', modifiers }],
      insert: [],
      cancel: [],
    })
    expect(planEdit(current, [{ id: 'a', note: null }], true).keep[0]?.note).toBe(null)
    expect(planEdit(current, [{ id: 'a' }], true).keep[0]?.note).toBe('hot')
  })

  test('the discount stays on what was cooked, the surplus has none', () => {
    const current = [bill('a', { ...started, note: 'hot', discount: 1_000 })]
    expect(planEdit(current, [{ id: 'a', quantity: 3, discount: 4_000 }], true)).toEqual({
      keep: [
        {
          id: 'a',
          variantId: 'latte',
          pack: null,
          labelPrice: null,
          quantity: 2,
          unitPrice: 20_000,
          priceListId: null,
          modifiers: [],
          discount: 4_000,
          note: 'hot',
          sentIndex: 0,
        },
      ],
      insert: [
        {
          variantId: 'latte',
          pack: null,
          labelPrice: null,
          quantity: 1,
          unitPrice: 20_000,
          priceListId: null,
          modifiers: [],
          discount: 0,
          note: 'hot',
          sentIndex: 0,
        },
      ],
      remove: [],
      cancel: [],
    })
  })

  test('a discount that is not sent shrinks with its item; without an id it is 0', () => {
    const current = [bill('a', { discount: 30_000 })]
    expect(planEdit(current, [{ id: 'a', quantity: 1 }], true).keep[0]?.discount).toBe(20_000)
    expect(planEdit(current, [{ id: 'a' }], true).keep[0]?.discount).toBe(30_000)
    expect(planEdit(current, [sent()], true).keep[0]?.discount).toBe(0)
  })

  test('a cancelled row remembers what it was and counts nowhere', () => {
    const current = [bill('a', { ...started, quantity: 5, note: 'hot', discount: 700 })]
    expect(planEdit(current, [{ id: 'a', quantity: 2 }], true).cancel).toEqual([
      {
        fromId: 'a',
        wholeItem: false,
        cancelledQty: 3,
        variantId: 'latte',
        unitPrice: 20_000,
        modifiers: [],
        note: 'hot',
        kitchenStatus: 'PREPARING',
        quantity: 0,
        discount: 0,
        isActive: false,
      },
    ])
  })

  test('the items to price come in the order sent, a surplus right behind its item', () => {
    const current = [bill('a', started), bill('b', { variantId: 'cake' })]
    const plan = planEdit(
      current,
      [sent({ variantId: 'tea', quantity: 1 }), { id: 'b' }, sent({ quantity: 3 })],
      true,
    )
    expect(itemsAfter(plan).map((l) => [l.variantId, l.quantity, l.sentIndex])).toEqual([
      ['tea', 1, 0],
      ['cake', 2, 1],
      ['latte', 2, 2],
      ['latte', 1, 2],
    ])
  })

  test.each<[string, BillItem[], SentItem[], number, string]>([
    ['no items', [bill('a')], [], 422, 'items'],
    ['an id not on the bill', [bill('a')], [sent({ id: 'x' })], 404, 'items[0].id'],
    ['an id twice', [bill('a')], [{ id: 'a' }, { id: 'a' }], 422, 'items[1].id'],
    ['the id of a cancelled row', [bill('a', { isActive: false })], [{ id: 'a' }], 422, 'items[0].id'],
    ['neither id nor variant', [bill('a')], [{ quantity: 1 }], 400, 'items[0].variantId'],
    ['a new item without quantity', [], [{ variantId: 'tea', catalogPrice: 1 }], 400, 'items[0].quantity'],
    [
      'a matched item without quantity',
      [bill('a')],
      [{ variantId: 'latte', catalogPrice: 1 }],
      400,
      'items[0].quantity',
    ],
  ])('%s answers with the field', (_case, current, items, status, param) => {
    const edit = () => {
      requireComplete(items)
      requireOnBill(current, items)
      planEdit(current, items, true)
    }
    expect(edit).toThrow(refusal(status, param))
  })
})

describe('any edit', () => {
  const anyFacts = {
    variantId: fc.constantFrom('latte', 'cake', 'tea'),
    quantity: fc.integer({ min: 1, max: 6 }),
    note: fc.constantFrom(null, 'hot'),
  }
  const anyCurrent = fc
    .array(
      fc.record({
        ...anyFacts,
        unitPrice: fc.constantFrom(10_000, 12_000),
        kitchenStatus: fc.constantFrom('NEW', 'PREPARING', 'READY', 'SERVED'),
        discount: fc.integer({ min: 0, max: 10_000 }),
      }),
      { maxLength: 6 },
    )
    .map((rows) => rows.map((row, index) => bill(`l${index}`, row)))
  const anySent = fc.array(
    fc.record({
      ...anyFacts,
      byId: fc.option(fc.nat({ max: 5 })),
      unitPrice: fc.option(fc.constantFrom(10_000, 12_000), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  const pair = fc.tuple(anyCurrent, anySent).map(([current, rows]) => {
    const used = new Set<string>()
    const items = rows.map(({ byId, ...rest }): SentItem => {
      const id = byId === null ? undefined : current[byId]?.id
      if (id === undefined || used.has(id)) return { ...rest, catalogPrice: 10_000 }
      used.add(id)
      return { ...rest, id, catalogPrice: 10_000 }
    })
    return { current, items }
  })

  test('never loses a cooked unit: kept and cancelled make what was started', () => {
    fc.assert(
      fc.property(pair, ({ current, items }) => {
        const plan = planEdit(current, items, true)
        for (const item of current.filter((l) => l.kitchenStatus !== 'NEW')) {
          const kept = plan.keep.find((l) => l.id === item.id)?.quantity ?? 0
          const dropped = plan.cancel
            .filter((l) => l.fromId === item.id)
            .reduce((a, l) => a + l.cancelledQty, 0)
          expect(kept + dropped).toBe(item.quantity)
          expect(plan.remove).not.toContain(item.id)
        }
      }),
    )
  })

  test('the bill holds exactly what was sent, and every old row has one fate', () => {
    fc.assert(
      fc.property(pair, fc.boolean(), ({ current, items }, isKitchen) => {
        const plan = planEdit(current, items, isKitchen)
        items.forEach((item, index) => {
          const rows = itemsAfter(plan).filter((l) => l.sentIndex === index)
          expect(rows.reduce((a, l) => a + l.quantity, 0)).toBe(item.quantity)
          expect(new Set(rows.map((l) => l.variantId))).toEqual(new Set([item.variantId]))
        })
        const fates = [
          ...plan.keep.map((l) => l.id),
          ...plan.remove,
          ...plan.cancel.filter((l) => l.wholeItem).map((l) => l.fromId),
        ]
        expect(fates.sort()).toEqual(current.map((l) => l.id))
      }),
    )
  })

  test('sending the bill back as it is changes nothing', () => {
    fc.assert(
      fc.property(anyCurrent, (current) => {
        fc.pre(current.length > 0)
        const plan = planEdit(
          current,
          current.map(({ id }) => ({ id })),
          true,
        )
        expect([plan.insert, plan.remove, plan.cancel]).toEqual([[], [], []])
        expect(plan.keep.map(({ id, quantity, unitPrice, note }) => [id, quantity, unitPrice, note])).toEqual(
          current.map(({ id, quantity, unitPrice, note }) => [id, quantity, unitPrice, note]),
        )
      }),
    )
  })
})
