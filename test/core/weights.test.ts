import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceOfPack, weightCostOf } from '../../src/core/packs.ts'
import { itemGross, totalsOf } from '../../src/core/sale-totals.ts'
import { isEan13, readScaleBarcode, weighLabel } from '../../src/core/scale-barcodes.ts'
import { amountOfWeight, shortWeight, weightOfAmount } from '../../src/core/weights.ts'

const weighed = { soldBy: 'WEIGHT', modifiers: [] } as const
const grams = fc.integer({ min: 1, max: 100_000 })
const price = fc.integer({ min: 0, max: 1_000_000_000 })

test('the worked example of B-weight-7', () => {
  expect(itemGross({ ...weighed, quantity: 750, unitPrice: 32_000 })).toBe(24_000)
  const formats = [
    { prefix: '21', itemDigits: 5, valueDigits: 5, value: 'WEIGHT' },
    { prefix: '22', itemDigits: 5, valueDigits: 5, value: 'PRICE' },
  ] as const
  expect(readScaleBarcode('2100123007509', formats)).toEqual({
    itemCode: '00123',
    kind: 'WEIGHT',
    value: 750,
  })
  expect(readScaleBarcode('2200123240002', formats)).toEqual({
    itemCode: '00123',
    kind: 'PRICE',
    value: 24_000,
  })
  expect(weightOfAmount(24_000, 32_000)).toBe(750)
  const label = { itemCode: '00123', kind: 'PRICE', value: 24_000 } as const
  expect(weighLabel(label, 32_000)).toEqual({ quantity: 750, labelPrice: 24_000 })
  expect(weighLabel({ ...label, kind: 'WEIGHT', value: 750 }, 0)).toEqual({ quantity: 750, labelPrice: null })
  expect(weighLabel(label, 0)).toBe('NO_PRICE')
  expect(weighLabel({ ...label, value: 0 }, 32_000)).toBe('NO_WEIGHT')
})

test('a weight is written in grams below a kilogram, else in kilograms without needless zeros', () => {
  const texts = [0, 1, 750, 999, 1_000, 1_250, 1_005, 12_340, -400, -2_500]
  expect(texts.map((grams) => shortWeight(grams, ','))).toEqual([
    '0 g',
    '1 g',
    '750 g',
    '999 g',
    '1 kg',
    '1,25 kg',
    '1,005 kg',
    '12,34 kg',
    '-400 g',
    '-2,5 kg',
  ])
})

test('a weighed item costs price × grams / 1,000, rounded half up, and its modifiers once', () => {
  fc.assert(
    fc.property(
      grams,
      price,
      fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 3 }),
      (quantity, unitPrice, prices) => {
        const modifiers = prices.map((amount) => ({ price: amount }))
        const exact = BigInt(quantity) * BigInt(unitPrice)
        const rounded = Number((exact + 500n) / 1_000n)
        const extras = prices.reduce((sum, amount) => sum + amount, 0)
        expect(itemGross({ soldBy: 'WEIGHT', quantity, unitPrice, modifiers })).toBe(rounded + extras)
      },
    ),
  )
})

test('a whole kilogram costs the price, and more grams never cost less', () => {
  fc.assert(
    fc.property(grams, price, (quantity, unitPrice) => {
      expect(amountOfWeight(1_000, unitPrice)).toBe(unitPrice)
      expect(amountOfWeight(quantity + 1, unitPrice)).toBeGreaterThanOrEqual(
        amountOfWeight(quantity, unitPrice),
      )
    }),
  )
})

test('the label of an item is its gross, and a pack of weighed goods is counted', () => {
  const item = { ...weighed, quantity: 755, unitPrice: 32_000 }
  expect(itemGross({ ...item, labelPrice: 24_000 })).toBe(24_000)
  expect(itemGross({ ...item, labelPrice: 0 })).toBe(0)
  expect(itemGross({ ...item, quantity: 2, unitPrice: 150_000, pack: { factor: 5_000 } })).toBe(300_000)
  expect(priceOfPack({ price: 32_000, soldBy: 'WEIGHT' }, { factor: 5_500, price: null })).toBe(176_000)
  expect(weightCostOf(150_001, 25_000)).toBe(6_000)
})

test('items by weight, by the unit and by label make the total exactly', () => {
  const item = fc.record({
    soldBy: fc.constantFrom('UNIT', 'WEIGHT', null),
    quantity: fc.integer({ min: 1, max: 10_000 }),
    unitPrice: fc.integer({ min: 0, max: 100_000 }),
    labelPrice: fc.option(fc.integer({ min: 0, max: 100_000 })),
  })
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 8 }), fc.boolean(), (items, taxInclusive) => {
      const totals = totalsOf({
        taxRateBps: 1_100,
        taxInclusive,
        items: items.map((one) => ({ ...one, modifiers: [], discount: 0 })),
        orderDiscount: 0,
        deliveryFee: 0,
      })
      const gross = items
        .map((one) => itemGross({ ...one, modifiers: [] }))
        .reduce((sum, each) => sum + each, 0)
      expect(totals.subtotal).toBe(gross)
      expect(totals.items.reduce((sum, { lineTotal }) => sum + lineTotal, 0)).toBe(totals.total)
    }),
  )
})

const checked = (digits: string) => {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

test('a code is an EAN-13 with its check digit alone', () => {
  const digits = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 })
    .map((all) => all.join(''))
  fc.assert(
    fc.property(digits, fc.integer({ min: 1, max: 9 }), (body, other) => {
      const code = checked(body)
      expect(isEan13(code)).toBe(true)
      expect(isEan13(`${body}${(Number(code.at(-1)) + other) % 10}`)).toBe(false)
    }),
  )
  for (const code of ['', '123', '89912345678901', '899123456789X']) expect(isEan13(code)).toBe(false)
})

test('the weight of a label comes back from its price to the gram, where a gram costs a rupiah or more', () => {
  fc.assert(
    fc.property(grams, fc.integer({ min: 1_000, max: 1_000_000 }), (quantity, perKilogram) => {
      expect(weightOfAmount(amountOfWeight(quantity, perKilogram), perKilogram)).toBe(quantity)
    }),
  )
})
