import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requireOnBill } from '../../../../src/areas/selling/sales/rules/plan-edit.ts'
import { planSplit } from '../../../../src/areas/selling/sales/rules/plan-split.ts'

const line = (id: string, quantity: number, discount = 0, kitchenStatus = 'NEW', isActive = true) => ({
  id,
  quantity,
  discount,
  kitchenStatus,
  isActive,
})
const refusal = (status: number, param: string) => expect.objectContaining({ status, param })

describe('splitting a bill', () => {
  test('whole lines move, parts are cut, and the kitchen state travels along', () => {
    const lines = [
      line('a', 3, 1_000, 'PREPARING'),
      line('b', 1, 500, 'SERVED'),
      line('c', 2),
      line('z', 0, 0, 'READY', false),
    ]
    expect(
      planSplit(lines, [
        { id: 'b', quantity: 1 },
        { id: 'a', quantity: 2 },
      ]),
    ).toEqual({
      stay: [line('a', 1, 334, 'PREPARING'), line('c', 2)],
      move: [
        { line: line('a', 2, 666, 'PREPARING'), wholeLine: false },
        { line: line('b', 1, 500, 'SERVED'), wholeLine: true },
      ],
    })
  })

  test.each<[string, { id: string; quantity: number }[], number, string]>([
    ['nothing named', [], 422, 'items'],
    ['an id not on the bill', [{ id: 'x', quantity: 1 }], 404, 'items[0].id'],
    ['a cancelled line', [{ id: 'z', quantity: 1 }], 422, 'items[0].id'],
    [
      'a line twice',
      [
        { id: 'a', quantity: 1 },
        { id: 'a', quantity: 1 },
      ],
      422,
      'items[1].id',
    ],
    ['more than the line holds', [{ id: 'a', quantity: 4 }], 422, 'items[0].quantity'],
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
    const lines = [line('a', 3), line('b', 1), line('z', 1, 0, 'NEW', false)]
    const split = () => {
      requireOnBill(lines, take)
      planSplit(lines, take)
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
        const lines = rows.map(({ quantity, price, part }, i) => ({
          ...line(`l${i}`, quantity, Math.floor((quantity * price * part) / 100)),
          price,
        }))
        const take = rows
          .map((row, i) => ({ id: `l${i}`, quantity: Math.min(row.take, row.quantity) }))
          .filter((t) => t.quantity > 0)
        fc.pre(take.some((t) => t.quantity < (lines.find((l) => l.id === t.id)?.quantity ?? 0)))
        const { stay, move } = planSplit(lines, take)
        for (const original of lines) {
          const parts = [...stay, ...move.map((m) => m.line)].filter((l) => l.id === original.id)
          expect(parts.reduce((a, l) => a + l.quantity, 0)).toBe(original.quantity)
          expect(parts.reduce((a, l) => a + l.discount, 0)).toBe(original.discount)
          for (const part of parts) expect(part.discount).toBeLessThanOrEqual(part.quantity * part.price)
        }
      }),
    )
  })
})
