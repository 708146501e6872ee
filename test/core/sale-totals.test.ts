import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eligibleOf, totalsOf } from '../../src/core/sale-totals.ts'

const item = (quantity: number, unitPrice: number, discount = 0, modifierPrices: number[] = []) => ({
  quantity,
  unitPrice,
  discount,
  modifiers: modifierPrices.map((price) => ({ price })),
})
const plain = { orderDiscount: 0, deliveryFee: 0, taxRateBps: 0, taxInclusive: false }
const worked = {
  items: [item(2, 15_000), item(1, 7_500)],
  orderDiscount: 2_500,
  deliveryFee: 0,
  taxRateBps: 1_100,
}

describe('totals', () => {
  test('the worked example of B-money-8, tax on top', () => {
    const totals = totalsOf({ ...worked, taxInclusive: false })
    expect(eligibleOf({ ...totals, taxInclusive: false })).toBe(35_000)
    expect(totals).toEqual({
      items: [
        { orderDiscountShare: 2_000, taxAmount: 3_080, lineTotal: 31_080, serviceShare: 0 },
        { orderDiscountShare: 500, taxAmount: 770, lineTotal: 7_770, serviceShare: 0 },
      ],
      subtotal: 37_500,
      discountTotal: 2_500,
      orderDiscount: 2_500,
      promoDiscount: 0,
      taxes: [{ rateBps: 1_100, base: 35_000, tax: 3_850 }],
      taxTotal: 3_850,
      serviceCharge: null,
      deliveryFee: 0,
      total: 38_850,
    })
  })

  test('the worked example of B-money-8, tax inside the prices', () => {
    const totals = totalsOf({ ...worked, taxInclusive: true })
    expect(eligibleOf({ ...totals, taxInclusive: true })).toBe(31_532)
    expect(totals).toEqual({
      items: [
        { orderDiscountShare: 2_000, taxAmount: 2_774, lineTotal: 28_000, serviceShare: 0 },
        { orderDiscountShare: 500, taxAmount: 694, lineTotal: 7_000, serviceShare: 0 },
      ],
      subtotal: 37_500,
      discountTotal: 2_500,
      orderDiscount: 2_500,
      promoDiscount: 0,
      taxes: [{ rateBps: 1_100, base: 31_532, tax: 3_468 }],
      taxTotal: 3_468,
      serviceCharge: null,
      deliveryFee: 0,
      total: 35_000,
    })
  })

  test('modifiers multiply with the quantity, the item discount counts once, the delivery fee is neither taxed nor discounted', () => {
    const totals = totalsOf({
      items: [item(3, 10_000, 4_000, [2_000, 500])],
      orderDiscount: 3_500,
      deliveryFee: 9_000,
      taxRateBps: 1_000,
      taxInclusive: false,
    })
    expect(totals.items).toEqual([
      { orderDiscountShare: 3_500, taxAmount: 3_000, lineTotal: 33_000, serviceShare: 0 },
    ])
    expect(totals).toMatchObject({
      subtotal: 33_500,
      discountTotal: 7_500,
      taxTotal: 3_000,
      total: 42_000,
    })
  })

  test('free items carry no share and no tax, and a bill of free items costs nothing', () => {
    const totals = totalsOf({ ...plain, items: [item(1, 0), item(1, 5_000, 5_000)], taxRateBps: 1_100 })
    expect(totals).toMatchObject({ subtotal: 0, taxTotal: 0, total: 0 })
  })

  test('the promo discount adds to the order discount and never exceeds what is left of the subtotal', () => {
    const both = totalsOf({ ...plain, items: [item(1, 10_000)], orderDiscount: 1_000, promoDiscount: 2_000 })
    expect(both).toMatchObject({
      orderDiscount: 1_000,
      promoDiscount: 2_000,
      discountTotal: 3_000,
      total: 7_000,
    })
    const capped = totalsOf({
      ...plain,
      items: [item(1, 10_000)],
      orderDiscount: 9_000,
      promoDiscount: 2_000,
    })
    expect(capped).toMatchObject({
      orderDiscount: 9_000,
      promoDiscount: 1_000,
      discountTotal: 10_000,
      total: 0,
    })
  })

  test('an order discount carried over by an edit is lowered to the subtotal', () => {
    const totals = totalsOf({
      ...plain,
      items: [item(1, 4_000)],
      orderDiscount: 5_000,
      clampOrderDiscount: true,
    })
    expect(totals).toMatchObject({ orderDiscount: 4_000, discountTotal: 4_000, total: 0 })
  })

  test.each([
    [
      'an item discount above its item',
      { ...plain, items: [item(1, 5_000), item(1, 1_000, 1_001)] },
      'items[1].discount',
    ],
    [
      'an order discount above the subtotal',
      { ...plain, items: [item(1, 5_000, 1_000)], orderDiscount: 4_001 },
      'orderDiscount',
    ],
    [
      'a total one rupiah above the cap',
      { ...plain, items: [item(1_000, 1_000_000_000), item(1, 1)] },
      'items',
    ],
    [
      'a total lifted above the cap by tax',
      { ...plain, items: [item(1_000, 1_000_000_000)], taxRateBps: 1 },
      'items',
    ],
    [
      'a total lifted above the cap by the fee',
      { ...plain, items: [item(1_000, 1_000_000_000)], deliveryFee: 1 },
      'deliveryFee',
    ],
    [
      'an absurd delivery fee',
      { ...plain, items: [item(1, 1)], deliveryFee: Number.MAX_SAFE_INTEGER },
      'deliveryFee',
    ],
    [
      'the largest cart the shapes allow',
      { ...plain, items: Array.from({ length: 500 }, () => item(100_000, 1e9, 0, Array(50).fill(1e9))) },
      'items',
    ],
  ])('%s answers 422 naming the field', (_case, input, param) => {
    expect(() => totalsOf(input)).toThrow(expect.objectContaining({ status: 422, param }))
  })

  test('a total of exactly the cap is accepted', () => {
    expect(totalsOf({ ...plain, items: [item(1_000, 1_000_000_000)] }).total).toBe(1_000_000_000_000)
  })

  test('the caller may name the body path of an item', () => {
    const input = {
      ...plain,
      items: [item(1, 1_000, 1_001)],
      paramOf: (index: number) => `items[${index + 7}]`,
    }
    expect(() => totalsOf(input)).toThrow(expect.objectContaining({ param: 'items[7].discount' }))
  })
})

describe('totals of any bill', () => {
  const anyLine = fc
    .record({
      quantity: fc.integer({ min: 1, max: 50 }),
      unitPrice: fc.integer({ min: 0, max: 100_000 }),
      modifiers: fc.array(fc.record({ price: fc.integer({ min: 0, max: 10_000 }) }), { maxLength: 3 }),
      part: fc.integer({ min: 0, max: 100 }),
    })
    .map(({ part, ...rest }) => {
      const gross = rest.quantity * (rest.unitPrice + rest.modifiers.reduce((a, m) => a + m.price, 0))
      return { ...rest, discount: Math.floor((gross * part) / 100) }
    })
  const anyBill = fc.record({
    items: fc.array(anyLine, { minLength: 1, maxLength: 20 }),
    orderDiscount: fc.integer({ min: 0, max: 2_000_000 }),
    promoDiscount: fc.integer({ min: 0, max: 50_000 }),
    deliveryFee: fc.integer({ min: 0, max: 100_000 }),
    taxRateBps: fc.integer({ min: 0, max: 10_000 }),
    taxInclusive: fc.boolean(),
    clampOrderDiscount: fc.constant(true),
  })
  const sumOf = (values: number[]) => values.reduce((a, b) => a + b, 0)

  test('item totals and the fee make the total; shares make the order discount; item taxes make the tax', () => {
    fc.assert(
      fc.property(anyBill, (bill) => {
        const totals = totalsOf(bill)
        expect(sumOf(totals.items.map((l) => l.lineTotal)) + bill.deliveryFee).toBe(totals.total)
        expect(sumOf(totals.items.map((l) => l.orderDiscountShare))).toBe(
          totals.orderDiscount + totals.promoDiscount,
        )
        expect(sumOf(totals.items.map((l) => l.taxAmount))).toBe(totals.taxTotal)
        const eligible = eligibleOf({ ...totals, taxInclusive: bill.taxInclusive })
        expect(totals.total).toBe(eligible + totals.taxTotal + totals.deliveryFee)
      }),
    )
  })

  test('no item pays less than nothing, nor more tax than its price', () => {
    fc.assert(
      fc.property(anyBill, (bill) => {
        totalsOf(bill).items.forEach((l, index) => {
          const sent = bill.items[index]
          const each = (sent?.unitPrice ?? 0) + sumOf(sent?.modifiers.map(({ price }) => price) ?? [])
          const net = (sent?.quantity ?? 0) * each - (sent?.discount ?? 0)
          expect(l.lineTotal).toBeGreaterThanOrEqual(0)
          expect(l.orderDiscountShare).toBeLessThanOrEqual(net)
          expect(l.taxAmount).toBeLessThanOrEqual(net - l.orderDiscountShare)
        })
      }),
    )
  })
})
