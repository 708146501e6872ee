import { expect, test } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { scaleLabel } from '../support/barcodes.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { assertInvariants, done } from '../support/expect.ts'
import {
  addGood,
  at,
  type Book,
  buy,
  closeDay,
  count,
  expectBooks,
  type Good,
  openBook,
  openDay,
  payIn,
  payOut,
  refund,
  sell,
  throwAway,
  voidSale,
  WEEK,
} from '../support/owner-book/index.ts'
import { deps, useService, workspace } from '../support/service.ts'

// A greengrocer weighs almost everything. The scale at the counter weighs, and the scale in the market hall prints
// labels with the weight (21) or the price (22). Fresh food is free of tax, and cooking oil has 11% inside its price.
// Coins below 100 rupiah are rare, so cash is rounded.

const clock = manualClock('2026-11-23T00:00:00.000Z')
useService({ clock })

const [MON, TUE, WED, THU, FRI, SAT, SUN] = WEEK

type Shop = { book: Book; apples: Good; chillies: Good; oranges: Good; spinach: Good; oil: Good }

/** Prices per kilogram, per bunch of spinach and per bottle of oil. */
const PRICE = { apples: 32_000, chillies: 58_500, oranges: 24_750, spinach: 3_450, oil: 18_900 }

async function openGreengrocer(): Promise<Shop> {
  const api = await workspace('Segar')
  const outletId = await makeOutlet(api, {
    name: 'Segar',
    timezone: 'Asia/Jakarta',
    taxRateBps: 1_100,
    taxInclusive: true,
    cashRounding: { step: 100, mode: 'NEAREST' },
  })
  done(
    await api.put('/settings', {
      expenseCategories: ['Plastik', 'Es batu'],
      scaleBarcodes: [
        { prefix: '21', itemDigits: 5, valueDigits: 5, value: 'WEIGHT' },
        { prefix: '22', itemDigits: 5, valueDigits: 5, value: 'PRICE' },
      ],
    }),
  )
  const book = openBook(api, clock, outletId, {
    taxRateBps: 1_100,
    taxInclusive: true,
    serviceBps: 0,
    cashStep: 100,
  })
  const good = async (
    name: string,
    variant: { price: number; barcode?: string; soldBy?: 'WEIGHT' },
    taxRateBps: number | null,
  ) => {
    const product = await makeProduct(api, { name, taxRateBps, variants: [variant] })
    return addGood(book, {
      id: product.variants[0].id,
      name,
      isWeighed: variant.soldBy === 'WEIGHT',
      taxRateBps,
    })
  }
  const soldBy = 'WEIGHT' as const
  return {
    book,
    apples: await good('Apel', { price: PRICE.apples, soldBy, barcode: '00123' }, 0),
    chillies: await good('Cabai', { price: PRICE.chillies, soldBy, barcode: '00124' }, 0),
    oranges: await good('Jeruk', { price: PRICE.oranges, soldBy, barcode: '00125' }, 0),
    spinach: await good('Bayam', { price: PRICE.spinach }, 0),
    oil: await good('Minyak goreng', { price: PRICE.oil }, null),
  }
}

const scan = async ({ book }: Shop, code: string) =>
  done(await book.api.get(`/products/lookup?barcode=${code}`)).matches[0]

/** Regular customers of a day: the same baskets in turn, so that the drawer has something to add up. */
async function regulars(shop: Shop, day: string, customers: number) {
  const { book, apples, chillies, oranges, spinach, oil } = shop
  for (let n = 0; n < customers; n += 1) {
    at(book, day, `10:${String(n).padStart(2, '0')}`)
    const grams = 137 + 91 * n
    const lines = [
      { good: apples, quantity: grams, price: PRICE.apples },
      { good: chillies, quantity: 50 + 7 * n, price: PRICE.chillies },
      { good: oranges, quantity: grams + 333, price: PRICE.oranges },
      { good: spinach, quantity: 1 + (n % 3), price: PRICE.spinach },
      { good: oil, quantity: 1, price: PRICE.oil },
    ]
    const basket = lines.filter((_, k) => (n + k) % 3 !== 0)
    await sell(book, { lines: basket, method: n % 4 === 3 ? 'QRIS' : 'CASH' })
  }
}

test('a greengrocer sells a week by weight: receipts, Z reports, reports and stock explain every rupiah and gram', async () => {
  const shop = await openGreengrocer()
  const { book, apples, chillies, oranges, spinach, oil } = shop

  // Monday. The week begins at the wholesale market: weights are bought in grams at a price per kilogram.
  await openDay(book, MON, '06:00', 300_000)
  await buy(book, [
    { good: apples, qty: 40_000, cost: 21_350 },
    { good: chillies, qty: 8_000, cost: 41_000 },
    { good: oranges, qty: 30_000, cost: 15_125 },
    { good: spinach, qty: 60, cost: 1_900 },
    { good: oil, qty: 24, cost: 15_500 },
  ])
  // 750 grams of apples at 32,000 per kilogram are 24,000, paid with a note of 50,000.
  const first = await sell(book, {
    lines: [{ good: apples, quantity: 750, price: PRICE.apples }],
    tendered: 50_000,
  })
  expect(first.total).toBe(24_000)
  // 333 grams of chillies are 19,480.5, so 19,481. Cash is rounded to 19,500.
  const rounded = await sell(book, { lines: [{ good: chillies, quantity: 333, price: PRICE.chillies }] })
  expect([rounded.total, rounded.rounding]).toEqual([19_481, 19])
  // The tax of the oil is inside its price: 18,900 has 1,873 of tax. By QRIS nothing is rounded.
  const taxed = await sell(book, {
    lines: [
      { good: oil, quantity: 1, price: PRICE.oil },
      { good: spinach, quantity: 2, price: PRICE.spinach },
    ],
    method: 'QRIS',
  })
  expect([taxed.total, taxed.rounding, taxed.taxes.get(1_100), taxed.taxes.get(0)]).toEqual([
    25_800, 0, 1_873, 0,
  ])
  await regulars(shop, MON, 9)
  await payOut(book, 25_000, 'Plastik')
  await closeDay(book, MON, '18:00')

  // Tuesday. The labels of the scale are scanned: one with the weight, one with the price.
  await openDay(book, TUE, '06:00', 300_000)
  const weight = await scan(shop, scaleLabel('21', '00125', 1_180))
  expect(weight).toMatchObject({ variantId: oranges.id, soldBy: 'WEIGHT', quantity: 1_180, labelPrice: null })
  await sell(book, { lines: [{ good: oranges, quantity: weight.quantity, price: PRICE.oranges }] })
  // A label of 17,650 stands for 552 grams of apples, which cost 17,664. The customer pays what the label says.
  const priced = await scan(shop, scaleLabel('22', '00123', 17_650))
  expect(priced).toMatchObject({ variantId: apples.id, quantity: 552, labelPrice: 17_650 })
  const labelled = await sell(book, {
    lines: [
      { good: apples, quantity: priced.quantity, price: PRICE.apples, label: priced.labelPrice },
      { good: spinach, quantity: 1, price: PRICE.spinach },
    ],
  })
  expect([labelled.total, labelled.rounding]).toEqual([21_100, 0])
  await regulars(shop, TUE, 7)
  await payOut(book, 40_000, 'Es batu')
  await payOut(book, 5_000, null)
  await closeDay(book, TUE, '18:00', -500)

  // Wednesday. A customer brings back 250 of 552 grams, bruised: the money goes back, the apples are waste.
  await openDay(book, WED, '06:00', 300_000)
  await refund(book, labelled, { 0: 250 }, { restock: false })
  // 250 of 552 grams of a label of 17,650 are 7,993, in cash 8,000.
  expect(labelled.refunds[0]).toMatchObject({ amount: 7_993, rounding: 7 })
  // The first customer of Monday returns all 750 grams, which are as good as new and go back on the shelf.
  await refund(book, first, { 0: 750 }, { restock: true })
  // The wrong goods were weighed: the sale is voided, the right ones are sold.
  const wrong = await sell(book, { lines: [{ good: chillies, quantity: 1_000, price: PRICE.chillies }] })
  await voidSale(book, wrong)
  await sell(book, { lines: [{ good: oranges, quantity: 1_000, price: PRICE.oranges }] })
  await throwAway(book, spinach, 11)
  await regulars(shop, WED, 6)
  await closeDay(book, WED, '18:00')

  // Thursday. New goods at new prices: the average cost of a kilogram moves.
  await openDay(book, THU, '06:00', 300_000)
  await buy(book, [
    { good: apples, qty: 15_500, cost: 23_900 },
    { good: chillies, qty: 4_250, cost: 37_777 },
    { good: spinach, qty: 40, cost: 2_050 },
  ])
  await regulars(shop, THU, 8)
  // The sale of Monday by QRIS was a mistake, found three days later: Monday's Z report stays as it was printed.
  await voidSale(book, taxed)
  await closeDay(book, THU, '18:00')

  // Friday. The shelf is weighed while customers buy on. Chillies have dried out by 240 grams.
  await openDay(book, FRI, '06:00', 300_000)
  await count(
    book,
    [
      { good: chillies, missing: 240 },
      { good: apples, missing: 35 },
      { good: oil, missing: 1 },
      { good: spinach, missing: 0 },
    ],
    () => regulars(shop, FRI, 10),
  )
  await payIn(book, 100_000)
  await payOut(book, 18_500, 'Plastik')
  await closeDay(book, FRI, '18:00', 1_000)

  // Saturday and Sunday are busy.
  await openDay(book, SAT, '06:00', 500_000)
  await regulars(shop, SAT, 14)
  await refund(book, rounded, { 0: 133 }, { restock: true })
  // 133 of 333 grams of 19,481 are 7,780 (rounded down); in cash 7,800.
  expect(rounded.refunds[0]).toMatchObject({ amount: 7_780, rounding: 20 })
  await closeDay(book, SAT, '18:00')
  await openDay(book, SUN, '06:00', 500_000)
  await regulars(shop, SUN, 12)
  await refund(book, rounded, { 0: 200 }, { restock: false })
  // The last grams bring the rest, so that both refunds are the 19,481 that were paid.
  expect(rounded.refunds[1]).toMatchObject({ amount: 11_701 })
  await closeDay(book, SUN, '18:00')

  await expectBooks(book)
  await assertInvariants(deps().db)
}, 240_000)
