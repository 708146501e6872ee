import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AvailableBatch,
  type BatchPart,
  consumeFefo,
  isExpired,
  returnToBatches,
  sellable,
  shareParts,
} from '../../../../src/areas/stock/inventory/rules/fefo.ts'

const today = '2026-03-10'
const batch = (
  id: string,
  expiryDate: string | null,
  remainingQty: number,
  createdAt = '2026-01-01',
): AvailableBatch => ({
  id,
  expiryDate,
  remainingQty,
  createdAt,
})
const shelf = [
  batch('undated', null, 4),
  batch('late', '2026-06-30', 5),
  batch('soon', '2026-03-11', 3),
  batch('gone', '2026-03-09', 2),
  batch('older', '2026-01-31', 1),
]
// 15 units in batches and 6 loose ones; 3 of them have expired.
const stock = { batches: shelf, levelQuantity: 21, today, requiresBatch: false }
const used = (parts: readonly BatchPart[]) =>
  parts.map((part) => `${part.batchId ?? '-'}:${part.qty}`).join(' ')

describe('order of use', () => {
  test.each([
    ['sale', 1, 'soon:1'],
    ['sale', 3, 'soon:3'],
    ['sale', 10, 'soon:3 late:5 undated:2'],
    ['sale', 14, 'soon:3 late:5 undated:4 -:2'],
    ['sale', 18, 'soon:3 late:5 undated:4 -:6'],
    ['sale', 20, 'soon:3 late:5 undated:4 -:8'],
    ['adjust', 6, '-:6'],
    ['adjust', 8, '-:6 older:1 gone:1'],
    ['adjust', 13, '-:6 older:1 gone:2 soon:3 late:1'],
    ['adjust', 21, '-:6 older:1 gone:2 soon:3 late:5 undated:4'],
    ['adjust', 23, '-:8 older:1 gone:2 soon:3 late:5 undated:4'],
    ['transfer', 12, 'soon:3 late:5 undated:4'],
    ['transfer', 18, 'soon:3 late:5 undated:4 -:6'],
    ['transfer', 21, 'soon:3 late:5 undated:4 -:6 older:1 gone:2'],
  ] as const)('%s of %d takes %s', (mode, qty, expected) => {
    expect(used(consumeFefo({ ...stock, mode, qty }).parts)).toBe(expected)
  })

  test('a batch is sellable through the end of its date', () => {
    expect(isExpired({ expiryDate: '2026-03-10' }, today)).toBe(false)
    expect(isExpired({ expiryDate: '2026-03-09' }, today)).toBe(true)
    expect(isExpired({ expiryDate: null }, today)).toBe(false)
    const last = { ...stock, batches: [batch('today', '2026-03-10', 2)], levelQuantity: 2 }
    expect(used(consumeFefo({ ...last, mode: 'sale', qty: 2 }).parts)).toBe('today:2')
  })

  test('the order follows date, age and id alone, however the batches arrive', () => {
    const inOrder = [
      batch('dated', '2026-05-01', 1),
      batch('twin-1', '2026-05-02', 1),
      batch('twin-2', '2026-05-02', 1),
      batch('undated-1', null, 1),
      batch('undated-2', null, 1),
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(inOrder, { minLength: inOrder.length }), (batches) => {
        const taken = consumeFefo({ ...stock, batches, levelQuantity: 5, mode: 'sale', qty: 5 })
        expect(used(taken.parts)).toBe('dated:1 twin-1:1 twin-2:1 undated-1:1 undated-2:1')
      }),
    )
  })

  test('of two batches with one date the older goes first', () => {
    const batches = [batch('b', '2026-05-01', 1, '2026-02-02'), batch('a', '2026-05-01', 1, '2026-02-01')]
    expect(used(consumeFefo({ ...stock, batches, levelQuantity: 2, mode: 'sale', qty: 2 }).parts)).toBe(
      'a:1 b:1',
    )
    const dates = [
      { ...batch('b', null, 1), createdAt: new Date('2026-02-02T00:00:00Z') },
      { ...batch('a', null, 1), createdAt: new Date('2026-02-01T00:00:00Z') },
    ]
    expect(
      used(consumeFefo({ ...stock, batches: dates, levelQuantity: 2, mode: 'sale', qty: 2 }).parts),
    ).toBe('a:1 b:1')
  })

  test('an oversold shelf still sells its new batch first', () => {
    const oversold = { ...stock, batches: [batch('new', null, 10)], levelQuantity: 8, mode: 'sale' as const }
    expect(consumeFefo({ ...oversold, qty: 10 })).toEqual({
      parts: [{ batchId: 'new', qty: 10 }],
      available: 8,
      shortBy: 2,
      mustRefuse: false,
    })
  })
})

describe('shortage', () => {
  test.each([
    ['sale', 18, false, 18, 0, false],
    ['sale', 19, false, 18, 1, false],
    ['sale', 12, true, 12, 0, false],
    ['sale', 13, true, 12, 1, true],
    ['adjust', 21, false, 21, 0, false],
    ['adjust', 22, false, 21, 1, false],
    ['adjust', 21, true, 21, 0, false],
    ['adjust', 22, true, 21, 1, true],
    ['transfer', 21, false, 21, 0, false],
    ['transfer', 22, false, 21, 1, true],
  ] as const)(
    '%s of %d, batches required %s: %d available, short by %d, refused %s',
    (mode, qty, requiresBatch, available, shortBy, mustRefuse) => {
      expect(consumeFefo({ ...stock, mode, qty, requiresBatch })).toMatchObject({
        available,
        shortBy,
        mustRefuse,
      })
    },
  )

  test('a level below zero has nothing available and is short by all that is asked', () => {
    const empty = {
      batches: [],
      levelQuantity: -4,
      today,
      requiresBatch: false,
      mode: 'sale' as const,
      qty: 3,
    }
    expect(consumeFefo(empty)).toEqual({
      parts: [{ batchId: null, qty: 3 }],
      available: 0,
      shortBy: 3,
      mustRefuse: false,
    })
  })

  test('what may be sold is the level less its expired batches', () => {
    expect(sellable(21, shelf, today)).toBe(18)
    expect(sellable(2, shelf, today)).toBe(-1)
    expect(sellable(5, [], today)).toBe(5)
  })
})

describe('giving back', () => {
  const parts = [
    { batchId: 'a', qty: 3 },
    { batchId: 'b', qty: 5 },
    { batchId: null, qty: 2 },
  ]

  test.each([
    [0, 1, '-:1'],
    [0, 4, '-:2 b:2'],
    [4, 4, 'b:3 a:1'],
    [8, 2, 'a:2'],
    [0, 10, '-:2 b:5 a:3'],
    [10, 0, ''],
  ])('after %d returned, %d more go back in reverse order of use as "%s"', (already, qty, expected) => {
    expect(used(returnToBatches(parts, already, qty))).toBe(expected)
  })

  test('more than was used never comes back', () => {
    expect(() => returnToBatches(parts, 8, 3)).toThrow('no more')
  })

  test('lines share what was consumed in their order', () => {
    expect(shareParts(parts, [4, 0, 5, 1]).map(used)).toEqual(['a:3 b:1', '', 'b:4 -:1', '-:1'])
    expect(() => shareParts(parts, [4])).toThrow('exactly')
  })
})

describe('any shelf', () => {
  const anyBatches = fc
    .array(
      fc.record({
        expiryDate: fc.constantFrom(
          null,
          '2026-01-01',
          '2026-03-09',
          '2026-03-10',
          '2026-03-11',
          '2027-01-01',
        ),
        remainingQty: fc.integer({ min: 0, max: 8 }),
        createdAt: fc.constantFrom('2026-01-01', '2026-01-02'),
      }),
      { maxLength: 8 },
    )
    .map((rows) => rows.map((row, index) => ({ ...row, id: `b${index}` })))
  const anyInput = fc.record({
    batches: anyBatches,
    levelQuantity: fc.integer({ min: -20, max: 80 }),
    today: fc.constant(today),
    qty: fc.integer({ min: 1, max: 90 }),
    mode: fc.constantFrom('sale', 'adjust', 'transfer'),
    requiresBatch: fc.boolean(),
  })
  const total = (parts: readonly BatchPart[]) => parts.reduce((a, part) => a + part.qty, 0)

  test('parts always make the quantity, no source twice, no batch beyond what it holds, none expired in a sale', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { parts } = consumeFefo(input)
        expect(total(parts)).toBe(input.qty)
        expect(new Set(parts.map((part) => part.batchId)).size).toBe(parts.length)
        for (const part of parts) {
          if (part.batchId === null) continue
          const source = input.batches.find((b) => b.id === part.batchId)
          expect(part.qty).toBeGreaterThan(0)
          expect(part.qty).toBeLessThanOrEqual(source?.remainingQty ?? -1)
          if (input.mode === 'sale') expect((source?.expiryDate ?? '9999') >= today).toBe(true)
        }
      }),
    )
  })

  test('a batch product that is not refused leaves no sale without batches', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { parts, mustRefuse } = consumeFefo({ ...input, mode: 'sale', requiresBatch: true })
        expect(mustRefuse).toBe(parts.some((part) => part.batchId === null))
      }),
    )
  })

  test('returns in any steps undo the use exactly, source by source', () => {
    fc.assert(
      fc.property(anyInput, fc.array(fc.integer({ min: 1, max: 20 })), (input, steps) => {
        const { parts } = consumeFefo(input)
        const returned = new Map<string | null, number>()
        let already = 0
        for (const step of [...steps, input.qty]) {
          const qty = Math.min(step, input.qty - already)
          const back = returnToBatches(parts, already, qty)
          expect(total(back)).toBe(qty)
          for (const part of back) returned.set(part.batchId, (returned.get(part.batchId) ?? 0) + part.qty)
          already += qty
        }
        expect(returned).toEqual(new Map(parts.map((part) => [part.batchId, part.qty])))
      }),
    )
  })
})
