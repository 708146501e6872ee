import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requireOnBill } from '../../../../src/areas/selling/sales/rules/plan-edit.ts'
import { planSplit, type SplittableItem } from '../../../../src/areas/selling/sales/rules/plan-split.ts'
import { splitByWeight, sum } from '../../../../src/core/money.ts'

const item = (id: string, quantity: number, discount = 0, kitchenStatus = 'NEW', isActive = true) => ({
  id,
  quantity,
  discount,
  kitchenStatus,
  isActive,
})
const partOf = ({ promotions }: Pick<SplittableItem, 'promotions'>, id: string) =>
  promotions?.find((promotion) => promotion.id === id)?.amount ?? 0
const refusal = (status: number, param: string) => expect.objectContaining({ status, param })

describe('splitting a bill', () => {
  test('whole items move, parts are cut, and the kitchen state travels along', () => {
    const items = [
      item('a', 3, 1_000, 'PREPARING'),
      item('b', 1, 500, 'SERVED'),
      item('c', 2),
      item('z', 0, 0, 'READY', false),
    ]
    expect(
      planSplit(items, [
        { id: 'b', quantity: 1 },
        { id: 'a', quantity: 2 },
      ]),
    ).toEqual({
      stay: [item('a', 1, 334, 'PREPARING'), item('c', 2)],
      move: [
        { item: item('a', 2, 666, 'PREPARING'), wholeItem: false },
        { item: item('b', 1, 500, 'SERVED'), wholeItem: true },
      ],
    })
  })

  test.each<[string, { id: string; quantity: number }[], number, string]>([
    ['nothing named', [], 422, 'items'],
    ['an id not on the bill', [{ id: 'x', quantity: 1 }], 404, 'items[0].id'],
    ['a cancelled item', [{ id: 'z', quantity: 1 }], 422, 'items[0].id'],
    [
      'an item twice',
      [
        { id: 'a', quantity: 1 },
        { id: 'a', quantity: 1 },
      ],
      422,
      'items[1].id',
    ],
    ['more than the item holds', [{ id: 'a', quantity: 4 }], 422, 'items[0].quantity'],
    [
      'everything',
      [
        { id: 'a', quantity: 3 },
        { id: 'b', quantity: 1 },
      ],
      422,
      'items',
    ],
  ])('%s answers with the field', (_case, take, status, param) => {
    const items = [item('a', 3), item('b', 1), item('z', 1, 0, 'NEW', false)]
    const split = () => {
      requireOnBill(items, take)
      planSplit(items, take)
    }
    expect(split).toThrow(refusal(status, param))
  })

  test('both bills together hold every unit and every rupiah of discount, and neither discount exceeds its units', () => {
    const anyLine = fc.record({
      quantity: fc.integer({ min: 1, max: 9 }),
      price: fc.integer({ min: 0, max: 50_000 }),
      part: fc.integer({ min: 0, max: 100 }),
      take: fc.integer({ min: 0, max: 9 }),
    })
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 2, maxLength: 6 }), (rows) => {
        const items = rows.map(({ quantity, price, part }, i) => ({
          ...item(`l${i}`, quantity, Math.floor((quantity * price * part) / 100)),
          price,
        }))
        const take = rows
          .map((row, i) => ({ id: `l${i}`, quantity: Math.min(row.take, row.quantity) }))
          .filter((t) => t.quantity > 0)
        fc.pre(take.some((t) => t.quantity < (items.find((l) => l.id === t.id)?.quantity ?? 0)))
        const { stay, move } = planSplit(items, take)
        for (const original of items) {
          const parts = [...stay, ...move.map((m) => m.item)].filter((l) => l.id === original.id)
          expect(parts.reduce((a, l) => a + l.quantity, 0)).toBe(original.quantity)
          expect(parts.reduce((a, l) => a + l.discount, 0)).toBe(original.discount)
          for (const part of parts) expect(part.discount).toBeLessThanOrEqual(part.quantity * part.price)
        }
      }),
    )
  })

  test('no bill is worth less than nothing, however much of its items discounts and promotions take', () => {
    const anyLine = fc.record({
      quantity: fc.integer({ min: 2, max: 9 }),
      price: fc.integer({ min: 1, max: 50_000 }),
      off: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 3, maxLength: 3 }),
      total: fc.constantFrom(100, 100, 99, 50),
      take: fc.integer({ min: 1, max: 8 }),
    })
    fc.assert(
      fc.property(anyLine, ({ quantity, price, off, total, take }) => {
        fc.pre(take < quantity && off.some((weight) => weight > 0))
        const [discount = 0, ...amounts] = splitByWeight(Math.floor((quantity * price * total) / 100), off)
        const promotions = amounts.map((amount, index) => ({ id: `p${index}`, amount }))
        const whole = { ...item('a', quantity, discount), promotions, promotionShare: sum(amounts) }
        const { stay, move } = planSplit<SplittableItem>([whole, item('b', 1)], [{ id: 'a', quantity: take }])
        const parts = [...stay, ...move.map((moved) => moved.item)].filter(({ id }) => id === 'a')
        expect(sum(parts.map((part) => part.discount))).toBe(discount)
        for (const { id, amount } of promotions)
          expect(sum(parts.map((part) => partOf(part, id)))).toBe(amount)
        for (const part of parts) {
          const share = sum((part.promotions ?? []).map(({ amount }) => amount))
          expect(part.promotionShare).toBe(share)
          expect(part.quantity * price - part.discount - share).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
