import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  planRefund,
  type RefundableSale,
  type RefundBody,
} from '../../../../src/areas/selling/sales/rules/refundable.ts'
import { totalsOf } from '../../../../src/core/sale-totals.ts'

const none = { goods: 0, tax: 0, service: 0, deliveryFee: 0 }
const item = (
  id: string,
  quantity: number,
  lineTotal: number,
  taxAmount: number,
  refundedQty = 0,
  isActive = true,
) => ({
  id,
  quantity,
  lineTotal,
  taxAmount,
  serviceShare: 0,
  taxRateBps: null,
  refundedQty,
  isActive,
})
/** Three coffees of 10.000 and a cake of 5.000 with 11% on top, 9.000 for the courier. */
const sale = (changes: Partial<RefundableSale> = {}): RefundableSale => ({
  status: 'COMPLETED',
  total: 47_850,
  taxRateBps: 1_100,
  taxTotal: 3_850,
  taxes: null,
  service: { amount: 0, tax: 0 },
  deliveryFee: 9_000,
  refunded: none,
  refundedTaxes: [],
  items: [item('coffee', 3, 33_300, 3_300), item('cake', 1, 5_550, 550)],
  ...changes,
})
const refusal = (status: number, param?: string) =>
  expect.objectContaining(param === undefined ? { status } : { status, param })

describe('planning a refund', () => {
  test('an empty body gives everything back, delivery fee included', () => {
    expect(planRefund(sale(), { restock: true })).toEqual({
      amount: 47_850,
      split: { goods: 35_000, tax: 3_850, service: 0, deliveryFee: 9_000 },
      taxes: null,
      lines: [
        { id: 'coffee', qty: 3, value: 33_300, tax: 3_300, service: 0 },
        { id: 'cake', qty: 1, value: 5_550, tax: 550, service: 0 },
      ],
      restockLines: [
        { id: 'coffee', qty: 3 },
        { id: 'cake', qty: 1 },
      ],
    })
  })

  test('an item gives back its value and its tax, not the fee', () => {
    expect(planRefund(sale(), { lines: [{ transactionItemId: 'coffee', qty: 2 }], restock: true })).toEqual({
      amount: 22_200,
      split: { goods: 20_000, tax: 2_200, service: 0, deliveryFee: 0 },
      taxes: null,
      lines: [{ id: 'coffee', qty: 2, value: 22_200, tax: 2_200, service: 0 }],
      restockLines: [{ id: 'coffee', qty: 2 }],
    })
  })

  test('nothing returns to stock unless the body says so', () => {
    expect(planRefund(sale(), {}).restockLines).toEqual([])
    expect(planRefund(sale(), { lines: [{ transactionItemId: 'cake', qty: 1 }] }).restockLines).toEqual([])
    expect(planRefund(sale(), { amount: 5_000, restock: true })).toMatchObject({
      lines: [],
      restockLines: [],
    })
  })

  test('an amount is shared over goods, tax and fee in proportion to what is left', () => {
    expect(planRefund(sale(), { amount: 10_000 })).toMatchObject({
      amount: 10_000,
      split: { goods: 7_314, tax: 805, service: 0, deliveryFee: 1_881 },
    })
    expect(planRefund(sale(), { amount: 47_850 })).toMatchObject({
      split: { goods: 35_000, tax: 3_850, service: 0, deliveryFee: 9_000 },
    })
  })

  test.each([
    [1, { goods: 1, tax: 0, service: 0, deliveryFee: 0 }],
    [2, { goods: 1, tax: 1, service: 0, deliveryFee: 0 }],
    [4, { goods: 2, tax: 1, service: 0, deliveryFee: 1 }],
    [5, { goods: 2, tax: 2, service: 0, deliveryFee: 1 }],
  ])('rupiah that cannot be shared go to goods, then tax, then the fee: %i', (amount, split) => {
    const even = sale({ total: 300, taxTotal: 100, deliveryFee: 100, items: [item('a', 1, 200, 100)] })
    expect(planRefund(even, { amount }).split).toEqual(split)
  })

  test('with both, lines govern the stock and the amount the money', () => {
    const plan = planRefund(sale(), {
      lines: [{ transactionItemId: 'cake', qty: 1 }],
      amount: 2_000,
      restock: true,
    })
    expect(plan).toMatchObject({
      amount: 2_000,
      lines: [{ id: 'cake', qty: 1, value: 5_550, tax: 550, service: 0 }],
      restockLines: [{ id: 'cake', qty: 1 }],
    })
    expect(plan.split.goods + plan.split.tax + plan.split.deliveryFee).toBe(2_000)
  })

  test('the last unit of an item takes the remainder', () => {
    const items = (refundedQty: number) => [item('box', 3, 10_000, 991, refundedQty)]
    const steps = [0, 1, 2].map((refundedQty) => {
      const before = [0, 3_333, 6_666][refundedQty] ?? 0
      const taxBefore = [0, 330, 660][refundedQty] ?? 0
      return planRefund(
        {
          ...sale(),
          total: 10_000,
          taxTotal: 991,
          deliveryFee: 0,
          refunded: { goods: before - taxBefore, tax: taxBefore, service: 0, deliveryFee: 0 },
          items: items(refundedQty),
        },
        { lines: [{ transactionItemId: 'box', qty: 1 }] },
      )
    })
    expect(steps.map((plan) => [plan.amount, plan.split.tax])).toEqual([
      [3_333, 330],
      [3_333, 330],
      [3_334, 331],
    ])
  })

  test('lines after a free amount give back no more than what is left of goods and tax', () => {
    const after = sale({ refunded: { goods: 34_000, tax: 3_000, service: 0, deliveryFee: 0 } })
    expect(planRefund(after, { lines: [{ transactionItemId: 'cake', qty: 1 }] })).toMatchObject({
      amount: 1_850,
      split: { goods: 1_000, tax: 850, service: 0, deliveryFee: 0 },
      lines: [{ id: 'cake', qty: 1, value: 5_550, tax: 550, service: 0 }],
    })
  })

  test('all items give back all but the fee, and the empty body then the fee alone', () => {
    const lines = [
      { transactionItemId: 'coffee', qty: 3 },
      { transactionItemId: 'cake', qty: 1 },
    ]
    expect(planRefund(sale(), { lines })).toMatchObject({ amount: 38_850 })
    const after = sale({
      refunded: { goods: 35_000, tax: 3_850, service: 0, deliveryFee: 0 },
      items: [item('coffee', 3, 33_300, 3_300, 3), item('cake', 1, 5_550, 550, 1)],
    })
    expect(planRefund(after, {})).toMatchObject({ amount: 9_000, lines: [] })
  })

  test('a unit whose tax step is ahead of its value step gives back no more than its value', () => {
    const pennies = sale({
      total: 5,
      taxTotal: 2,
      deliveryFee: 0,
      refunded: { goods: 2, tax: 0, service: 0, deliveryFee: 0 },
      items: [item('sweet', 7, 5, 2, 3)],
    })
    expect(planRefund(pennies, { lines: [{ transactionItemId: 'sweet', qty: 1 }] })).toMatchObject({
      amount: 0,
      split: none,
      lines: [{ id: 'sweet', qty: 1, value: 0, tax: 1, service: 0 }],
    })
  })

  test('a free item is refunded for nothing', () => {
    const free = sale({ items: [...sale().items, item('sample', 1, 0, 0)] })
    expect(planRefund(free, { lines: [{ transactionItemId: 'sample', qty: 1 }] })).toMatchObject({
      amount: 0,
      split: none,
    })
  })

  test.each<[string, Partial<RefundableSale>, RefundBody, number, string | undefined]>([
    ['an open bill', { status: 'PARKED' }, {}, 409, undefined],
    ['a voided sale', { status: 'VOIDED' }, {}, 409, undefined],
    [
      'a fully refunded sale',
      { refunded: { goods: 35_000, tax: 3_850, service: 0, deliveryFee: 9_000 } },
      {},
      409,
      undefined,
    ],
    [
      'a sale of nothing',
      { total: 0, taxTotal: 0, deliveryFee: 0, items: [item('x', 1, 0, 0)] },
      {},
      409,
      undefined,
    ],
    ['no lines', {}, { lines: [] }, 422, 'lines'],
    [
      'an item of another sale',
      {},
      { lines: [{ transactionItemId: 'x', qty: 1 }] },
      422,
      'lines[0].transactionItemId',
    ],
    [
      'a repeated item',
      {},
      {
        lines: [
          { transactionItemId: 'coffee', qty: 1 },
          { transactionItemId: 'coffee', qty: 1 },
        ],
      },
      422,
      'lines[1].transactionItemId',
    ],
    [
      'a cancelled item',
      { items: [item('coffee', 3, 33_300, 3_300, 0, false)] },
      { lines: [{ transactionItemId: 'coffee', qty: 1 }] },
      422,
      'lines[0].transactionItemId',
    ],
    ['more than was sold', {}, { lines: [{ transactionItemId: 'coffee', qty: 4 }] }, 422, 'lines[0].qty'],
    [
      'more than is left',
      { items: [item('coffee', 3, 33_300, 3_300, 2)] },
      { lines: [{ transactionItemId: 'coffee', qty: 2 }] },
      422,
      'lines[0].qty',
    ],
    ['an amount above the total', {}, { amount: 47_851 }, 422, 'amount'],
    [
      'an amount above what is left',
      { refunded: { goods: 1, tax: 0, service: 0, deliveryFee: 0 } },
      { amount: 47_850 },
      422,
      'amount',
    ],
    [
      'both above what is left',
      {},
      { lines: [{ transactionItemId: 'cake', qty: 1 }], amount: 47_851 },
      422,
      'amount',
    ],
  ])('%s answers %s', (_case, changes, body, status, param) => {
    expect(() => planRefund(sale(changes), body)).toThrow(refusal(status, param))
  })
})

describe('any sequence of refunds', () => {
  const anyBill = fc.record({
    items: fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 7 }),
        unitPrice: fc.integer({ min: 0, max: 9_999 }),
        modifiers: fc.constant([]),
        discount: fc.constant(0),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    orderDiscount: fc.integer({ min: 0, max: 5_000 }),
    clampOrderDiscount: fc.constant(true),
    deliveryFee: fc.integer({ min: 0, max: 9_000 }),
    taxRateBps: fc.integer({ min: 0, max: 10_000 }),
    taxInclusive: fc.boolean(),
  })
  const anyStep = fc.record({
    kind: fc.constantFrom('line', 'line', 'amount', 'both'),
    line: fc.nat({ max: 4 }),
    qty: fc.integer({ min: 1, max: 7 }),
    amount: fc.integer({ min: 1, max: 20_000 }),
  })

  test('ends exactly at the total, with no part of the split above its own and no item beyond its quantity', () => {
    fc.assert(
      fc.property(anyBill, fc.array(anyStep, { maxLength: 8 }), (bill, steps) => {
        const totals = totalsOf(bill)
        fc.pre(totals.total > 0)
        const items = totals.items.map((l, index) =>
          item(`l${index}`, bill.items[index]?.quantity ?? 0, l.lineTotal, l.taxAmount),
        )
        const refunded = { ...none }
        const given = { amount: 0, value: 0, tax: 0 }
        const state = () => ({ ...sale(), ...totals, taxes: null, refunded, items })
        const give = (body: RefundBody) => {
          const plan = planRefund(state(), body)
          expect(plan.split.goods + plan.split.tax + plan.split.deliveryFee).toBe(plan.amount)
          expect(Math.min(plan.split.goods, plan.split.tax, plan.split.deliveryFee)).toBeGreaterThanOrEqual(0)
          refunded.goods += plan.split.goods
          refunded.tax += plan.split.tax
          refunded.deliveryFee += plan.split.deliveryFee
          given.amount += plan.amount
          for (const part of plan.lines) {
            given.value += part.value
            given.tax += part.tax
            const target = items.find((l) => l.id === part.id)
            if (target) target.refundedQty += part.qty
          }
        }
        for (const step of steps) {
          const target = items[step.line % items.length]
          const left = totals.total - given.amount
          if (!target || left === 0) break
          const qty = Math.min(step.qty, target.quantity - target.refundedQty)
          if (qty === 0 && step.kind !== 'amount') continue
          const named = { lines: [{ transactionItemId: target.id, qty }] }
          const money = { amount: Math.min(step.amount, left) }
          give({ line: named, amount: money, both: { ...named, ...money } }[step.kind])
        }
        if (given.amount < totals.total) {
          give({})
          expect(items.every((l) => l.refundedQty === l.quantity)).toBe(true)
          expect(given.value).toBe(totals.total - totals.deliveryFee)
          expect(given.tax).toBe(totals.taxTotal)
        }
        expect(given.amount).toBe(totals.total)
        expect(refunded).toEqual({
          goods: totals.total - totals.taxTotal - totals.deliveryFee,
          tax: totals.taxTotal,
          service: 0,
          deliveryFee: totals.deliveryFee,
        })
      }),
      { numRuns: 300 },
    )
  })
})
