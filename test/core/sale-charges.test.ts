import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulDivHalfUp, splitByWeight } from '../../src/core/money.ts'
import { eligibleOf, itemGross, type TotalsInput, totalsOf } from '../../src/core/sale-totals.ts'
import { serviceTermsOf } from '../../src/core/service-charge.ts'

const item = (quantity: number, unitPrice: number, taxRateBps: number | null = null) => ({
  quantity,
  unitPrice,
  discount: 0,
  modifiers: [],
  taxRateBps,
})
const bare = { orderDiscount: 0, deliveryFee: 0 }
const afterDiscount = (bps: number) => ({ bps, base: 'AFTER_DISCOUNT', isTaxable: true }) as const

describe('tax rates of items', () => {
  test('the worked example of B-tax-4', () => {
    const items = [item(2, 20_000), item(1, 15_000, 0), item(1, 9_999, 1_100)]
    expect(totalsOf({ ...bare, items, taxRateBps: 1_000, taxInclusive: false })).toMatchObject({
      taxes: [
        { rateBps: 0, base: 15_000, tax: 0 },
        { rateBps: 1_000, base: 40_000, tax: 4_000 },
        { rateBps: 1_100, base: 9_999, tax: 1_100 },
      ],
      taxTotal: 5_100,
      total: 70_099,
      items: [{ taxAmount: 4_000 }, { taxAmount: 0 }, { taxAmount: 1_100, lineTotal: 11_099 }],
    })
  })

  test('prices that contain tax keep their total, whatever the rates', () => {
    const items = [item(1, 11_000), item(1, 12_000, 1_200), item(1, 5_000, 0)]
    expect(totalsOf({ ...bare, items, taxRateBps: 1_000, taxInclusive: true })).toMatchObject({
      taxes: [
        { rateBps: 0, base: 5_000, tax: 0 },
        { rateBps: 1_000, base: 10_000, tax: 1_000 },
        { rateBps: 1_200, base: 10_714, tax: 1_286 },
      ],
      taxTotal: 2_286,
      total: 28_000,
    })
  })

  test('a rate of its own that equals the rate of the outlet is the same group', () => {
    const items = [item(1, 3_335), item(1, 3_335, 1_100)]
    const totals = totalsOf({ ...bare, items, taxRateBps: 1_100, taxInclusive: false })
    expect(totals.taxes).toEqual([{ rateBps: 1_100, base: 6_670, tax: 734 }])
  })
})

describe('service charge', () => {
  const worked = {
    items: [item(2, 15_000), item(1, 7_500)],
    orderDiscount: 2_500,
    deliveryFee: 0,
    taxRateBps: 1_100,
    service: afterDiscount(500),
  }

  test('the worked example of B-service-4, tax on top', () => {
    expect(totalsOf({ ...worked, taxInclusive: false })).toMatchObject({
      serviceCharge: { bps: 500, base: 35_000, amount: 1_750, tax: 193 },
      taxes: [{ rateBps: 1_100, base: 36_750, tax: 4_043 }],
      taxTotal: 4_043,
      total: 40_793,
      items: [
        { lineTotal: 31_080, serviceShare: 1_554 },
        { lineTotal: 7_770, serviceShare: 389 },
      ],
    })
  })

  test('the worked example of B-service-4, tax inside the prices', () => {
    expect(totalsOf({ ...worked, taxInclusive: true })).toMatchObject({
      serviceCharge: { bps: 500, base: 31_532, amount: 1_577, tax: 173 },
      taxes: [{ rateBps: 1_100, base: 33_109, tax: 3_641 }],
      taxTotal: 3_641,
      total: 36_750,
    })
  })

  test('before discounts the base is the gross of the items, without the tax inside it', () => {
    const service = { bps: 1_000, base: 'BEFORE_DISCOUNT', isTaxable: true } as const
    const onTop = totalsOf({ ...worked, service, taxInclusive: false })
    expect(onTop.serviceCharge).toMatchObject({ base: 37_500, amount: 3_750 })
    const inside = totalsOf({ ...worked, service, taxInclusive: true })
    expect(inside.serviceCharge).toMatchObject({ base: 33_784, amount: 3_378, tax: 372 })
  })

  test('the charge is the last member of its group: on a tie the item gets the odd rupiah', () => {
    const totals = totalsOf({
      ...bare,
      items: [item(1, 100)],
      orderDiscount: 90,
      taxRateBps: 1_500,
      taxInclusive: false,
      service: { bps: 1_000, base: 'BEFORE_DISCOUNT', isTaxable: true },
    })
    expect(totals).toMatchObject({
      items: [{ taxAmount: 2, lineTotal: 12 }],
      serviceCharge: { base: 100, amount: 10, tax: 1 },
      taxes: [{ rateBps: 1_500, base: 20, tax: 3 }],
    })
  })

  test('an untaxed charge carries no tax and is in no group', () => {
    const service = { bps: 500, base: 'AFTER_DISCOUNT', isTaxable: false } as const
    expect(totalsOf({ ...worked, service, taxInclusive: false })).toMatchObject({
      serviceCharge: { amount: 1_750, tax: 0 },
      taxes: [{ rateBps: 1_100, base: 35_000, tax: 3_850 }],
      total: 40_600,
    })
  })

  test('the charge is taxed at the rate of the outlet, also where no item is', () => {
    const items = [item(1, 10_000, 0)]
    expect(totalsOf({ ...worked, items, orderDiscount: 0, taxInclusive: false })).toMatchObject({
      serviceCharge: { base: 10_000, amount: 500, tax: 55 },
      taxes: [
        { rateBps: 0, base: 10_000, tax: 0 },
        { rateBps: 1_100, base: 500, tax: 55 },
      ],
      items: [{ lineTotal: 10_000, serviceShare: 555 }],
      total: 10_555,
    })
  })

  test('when nothing is left of the nets the gross decides who bears the charge', () => {
    const service = { bps: 1_000, base: 'BEFORE_DISCOUNT', isTaxable: false } as const
    const items = [item(1, 10_000), item(1, 30_000)]
    const totals = totalsOf({
      ...bare,
      items,
      orderDiscount: 40_000,
      service,
      taxRateBps: 0,
      taxInclusive: false,
    })
    expect(totals.items.map(({ serviceShare }) => serviceShare)).toEqual([1_000, 3_000])
    expect(totals.total).toBe(4_000)
  })

  test('loyalty counts the goods only, never the charge or its tax', () => {
    const inside = totalsOf({ ...worked, taxInclusive: true })
    const serviceChargeTax = inside.serviceCharge?.tax ?? 0
    expect(eligibleOf({ ...inside, serviceChargeTax, taxInclusive: true })).toBe(31_532)
    const onTop = totalsOf({ ...worked, taxInclusive: false })
    expect(eligibleOf({ ...onTop, serviceChargeTax: 193, taxInclusive: false })).toBe(35_000)
  })

  test('a sale that the charge lifts above the cap is refused', () => {
    const items = [item(1_000, 999_999_999)]
    const input = { ...bare, items, taxRateBps: 0, taxInclusive: false, service: afterDiscount(3_000) }
    expect(() => totalsOf(input)).toThrow(expect.objectContaining({ status: 422, param: 'items' }))
  })

  test('only the order types of the outlet are charged, and a waived charge is none', () => {
    const outlet = {
      serviceChargeBps: 500,
      serviceChargeOrderTypes: ['DINE_IN'],
      serviceChargeBase: 'AFTER_DISCOUNT',
      serviceChargeTaxable: true,
    } as const
    const terms = { bps: 500, base: 'AFTER_DISCOUNT', isTaxable: true }
    expect(serviceTermsOf(outlet, { orderType: 'DINE_IN', isWaived: false })).toEqual(terms)
    expect(serviceTermsOf(outlet, { orderType: 'TAKEAWAY', isWaived: false })).toBeNull()
    expect(serviceTermsOf(outlet, { orderType: null, isWaived: false })).toBeNull()
    expect(serviceTermsOf(outlet, { orderType: 'DINE_IN', isWaived: true })).toBeNull()
    const free = { ...outlet, serviceChargeBps: 0 }
    expect(serviceTermsOf(free, { orderType: 'DINE_IN', isWaived: false })).toBeNull()
  })
})

const sumOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const MANY = { numRuns: 4_000 }

const anyItem = fc
  .record({
    quantity: fc.integer({ min: 1, max: 30 }),
    unitPrice: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constant(1)),
    modifiers: fc.array(fc.record({ price: fc.integer({ min: 0, max: 9_000 }) }), { maxLength: 2 }),
    part: fc.integer({ min: 0, max: 100 }),
    taxRateBps: fc.constantFrom(null, 0, 1_000, 1_100),
  })
  .map(({ part, ...rest }) => ({ ...rest, discount: Math.floor((itemGross(rest) * part) / 100) }))
const anyService = fc.option(
  fc.record({
    bps: fc.integer({ min: 1, max: 3_000 }),
    base: fc.constantFrom('AFTER_DISCOUNT' as const, 'BEFORE_DISCOUNT' as const),
    isTaxable: fc.boolean(),
  }),
)
const anySale = fc.record({
  items: fc.array(anyItem, { minLength: 1, maxLength: 6 }),
  orderDiscount: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000_000 })),
  promoDiscount: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50_000 })),
  deliveryFee: fc.integer({ min: 0, max: 50_000 }),
  taxRateBps: fc.constantFrom(0, 500, 1_000, 1_100, 10_000),
  taxInclusive: fc.boolean(),
  service: anyService,
  clampOrderDiscount: fc.constant(true),
})

/** What a sale of one rate and without a service charge was worth before both existed. */
function oneRateTotals(input: TotalsInput) {
  const nets = input.items.map((sent) => itemGross(sent) - sent.discount)
  const subtotal = sumOf(nets)
  const orderDiscount = Math.min(input.orderDiscount, subtotal)
  const promoDiscount = Math.min(input.promoDiscount ?? 0, subtotal - orderDiscount)
  const shares = splitByWeight(orderDiscount + promoDiscount, nets)
  const bases = nets.map((net, index) => net - (shares[index] ?? 0))
  const base = sumOf(bases)
  const rate = input.taxRateBps
  const tax = input.taxInclusive
    ? base - mulDivHalfUp(base, 10_000, 10_000 + rate)
    : mulDivHalfUp(base, rate, 10_000)
  const taxes = splitByWeight(tax, bases)
  return {
    subtotal,
    orderDiscount,
    promoDiscount,
    taxTotal: tax,
    total: base + (input.taxInclusive ? 0 : tax) + input.deliveryFee,
    items: bases.map((each, index) => ({
      orderDiscountShare: shares[index] ?? 0,
      taxAmount: taxes[index] ?? 0,
      lineTotal: each + (input.taxInclusive ? 0 : (taxes[index] ?? 0)),
      serviceShare: 0,
    })),
  }
}

describe('any sale', () => {
  test('a sale of one rate without a service charge has the figures it always had', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        const items = sale.items.map((each) => ({ ...each, taxRateBps: null }))
        const plain = { ...sale, items, service: null }
        expect(totalsOf(plain)).toMatchObject(oneRateTotals(plain))
      }),
      MANY,
    )
  })

  test('items, service charge and fee make the total; the taxes make the tax; the bases and the taxes make what is taxed', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        const totals = totalsOf(sale)
        const { serviceCharge, items, taxes } = totals
        const service = serviceCharge ? serviceCharge.amount + serviceCharge.tax : 0
        const lines = sumOf(items.map(({ lineTotal }) => lineTotal))
        expect(sumOf(items.map(({ serviceShare }) => serviceShare))).toBe(service)
        expect(lines + service + sale.deliveryFee).toBe(totals.total)
        expect(sumOf(taxes.map(({ tax }) => tax))).toBe(totals.taxTotal)
        expect(sumOf(items.map(({ taxAmount }) => taxAmount)) + (serviceCharge?.tax ?? 0)).toBe(
          totals.taxTotal,
        )
        const untaxed = sale.service?.isTaxable === false ? service : 0
        const inGroups = sumOf(taxes.map(({ base, tax }) => base + tax))
        expect(inGroups + untaxed + sale.deliveryFee).toBe(totals.total)
      }),
      MANY,
    )
  })

  test('the tax of each rate is rounded once, half up', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        const totals = totalsOf({ ...sale, taxInclusive: false })
        for (const { rateBps, base, tax } of totals.taxes) {
          expect(tax).toBe(mulDivHalfUp(base, rateBps, 10_000))
        }
        expect(totals.taxes.map(({ rateBps }) => rateBps)).toEqual(
          [...new Set(totals.taxes.map(({ rateBps }) => rateBps))].sort((a, b) => a - b),
        )
      }),
      MANY,
    )
  })

  test('the service charge is its rate of its base, half up, and never taxed when it is not taxable', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        const { serviceCharge, subtotal, orderDiscount, promoDiscount } = totalsOf(sale)
        if (!sale.service) {
          expect(serviceCharge).toBeNull()
          return
        }
        expect(serviceCharge?.amount).toBe(mulDivHalfUp(serviceCharge?.base ?? 0, sale.service.bps, 10_000))
        if (!sale.service.isTaxable) expect(serviceCharge?.tax).toBe(0)
        if (sale.taxInclusive) return
        const gross = sumOf(sale.items.map(itemGross))
        expect(serviceCharge?.base).toBe(
          sale.service.base === 'BEFORE_DISCOUNT' ? gross : subtotal - orderDiscount - promoDiscount,
        )
      }),
      MANY,
    )
  })

  test('no figure of the sale depends on the order of its items, unless shares of the discount tie between two rates', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        const forth = totalsOf(sale)
        if (tiesInDiscount(sale)) return
        const back = totalsOf({ ...sale, items: sale.items.toReversed() })
        expect({ ...back, items: [] }).toEqual({ ...forth, items: [] })
      }),
      MANY,
    )
  })

  test('no part is negative', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        for (const each of totalsOf(sale).items) {
          expect(Math.min(each.lineTotal, each.taxAmount, each.serviceShare)).toBeGreaterThanOrEqual(0)
        }
      }),
      MANY,
    )
  })
})

/** Whether the last odd rupiah of the discounts could go to either of two items whose rates differ (B-money-6). */
function tiesInDiscount(sale: TotalsInput): boolean {
  const { orderDiscount, promoDiscount } = totalsOf(sale)
  const nets = sale.items.map((each) => itemGross(each) - each.discount)
  const whole = sumOf(nets)
  if (whole === 0 || new Set(sale.items.map(({ taxRateBps }) => taxRateBps ?? sale.taxRateBps)).size === 1)
    return false
  const remainders = nets.map((net) => ((orderDiscount + promoDiscount) * net) % whole)
  const missing = sumOf(remainders) / whole
  const sorted = remainders.toSorted((a, b) => b - a)
  return missing > 0 && sorted[missing - 1] === sorted[missing]
}
