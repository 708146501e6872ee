import { expect, test } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { makeCategory, makeCustomer, makeOutlet, makeProduct } from '../support/build.ts'
import { assertInvariants, done, refusalOf, saleOf } from '../support/expect.ts'
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
  payBill,
  payOut,
  refund,
  sell,
  throwAway,
  voidSale,
  WEEK,
} from '../support/owner-book/index.ts'
import { deps, useService, workspace } from '../support/service.ts'

// A café makes drinks of beans and milk. Guests at a table pay 5% service and 10% tax on top. From 15:00 to 17:00 on
// weekdays coffee is 20% cheaper, a latte with a croissant costs 40,000 together, and orders of GoFood have dearer
// prices and no service charge.

const clock = manualClock('2026-11-23T00:00:00.000Z')
useService({ clock })

const [MON, TUE, WED, THU, FRI, SAT, SUN] = WEEK

/** The menu; in happy hour; by GoFood, which is 20% more, rounded to the nearest thousand. */
const LATTE = { menu: 28_000, happy: 22_500, goFood: 34_000 }
const AMERICANO = { menu: 22_000, happy: 17_500, goFood: 26_000 }
const CROISSANT = { menu: 22_000, goFood: 26_000 }
const EXTRA_SHOT = [{ name: 'Extra shot', price: 6_000 }]

const TABLE = { orderType: 'DINE_IN' }
const BAG = { orderType: 'TAKEAWAY' }
const GOFOOD = { orderType: 'DELIVERY', channel: 'GOFOOD' }

type Cafe = {
  book: Book
  beans: Good
  milk: Good
  latte: Good
  americano: Good
  croissant: Good
  regularId: string
}

async function openCafe(): Promise<Cafe> {
  const api = await workspace('Senja')
  const outletId = await makeOutlet(api, {
    name: 'Senja',
    timezone: 'Asia/Jakarta',
    taxRateBps: 1_000,
    serviceChargeBps: 500,
    serviceChargeOrderTypes: ['DINE_IN'],
    cashRounding: { step: 100, mode: 'NEAREST' },
  })
  done(await api.put('/settings', { expenseCategories: ['Gas', 'Es batu'] }))
  const terms = { taxRateBps: 1_000, taxInclusive: false, serviceBps: 500, cashStep: 100 }
  const book = openBook(api, clock, outletId, terms)
  const coffee = await makeCategory(api, { name: 'Kopi' })
  const pastry = await makeCategory(api, { name: 'Roti' })
  const make = (name: string, variant: object, categoryId: string | null = null) =>
    makeProduct(api, { name, categoryId, variants: [variant] })
  const supply = async (name: string, variant: { price: number; soldBy?: 'WEIGHT' }) => {
    const { variants } = await make(name, variant)
    return addGood(book, { id: variants[0].id, name, isWeighed: variant.soldBy === 'WEIGHT' })
  }
  const beans = await supply('Biji kopi', { price: 400_000, soldBy: 'WEIGHT' })
  const milk = await supply('Susu', { price: 30 })
  const drink = async (name: string, price: number, recipe: readonly (readonly [Good, number])[]) => {
    const { id, variants } = await make(name, { price }, coffee)
    const components = recipe.map(([{ id: componentVariantId }, quantity]) => ({
      componentVariantId,
      quantity,
    }))
    done(
      await api.put(`/products/${id}/variants/${variants[0].id}/recipe`, { isComposite: true, components }),
    )
    return addGood(book, { id: variants[0].id, name, recipe })
  }
  // A latte takes 18 grams of beans and 200 millilitres of milk.
  const latte = await drink('Latte', LATTE.menu, [
    [beans, 18],
    [milk, 200],
  ])
  const americano = await drink('Americano', AMERICANO.menu, [[beans, 18]])
  const { variants } = await make('Croissant', { price: CROISSANT.menu }, pastry)
  const croissant = addGood(book, { id: variants[0].id, name: 'Croissant' })

  done(
    await api.post('/price-lists', {
      name: 'GoFood',
      priority: 1,
      channels: ['GOFOOD'],
      entries: [coffee, pastry].map((categoryId) => ({ categoryId, adjustBps: 2_000, roundTo: 1_000 })),
    }),
  )
  done(
    await api.post('/price-lists', {
      name: 'Happy hour',
      priority: 2,
      weekdays: [1, 2, 3, 4, 5],
      from: '15:00',
      to: '17:00',
      entries: [{ categoryId: coffee, adjustBps: -2_000, roundTo: 500 }],
    }),
  )
  done(
    await api.post('/promotions', {
      name: 'Latte + croissant',
      kind: 'BUNDLE',
      bundle: [
        { variantId: latte.id, quantity: 1 },
        { variantId: croissant.id, quantity: 1 },
      ],
      bundlePrice: 40_000,
      orderTypes: ['DINE_IN', 'TAKEAWAY'],
    }),
  )
  done(
    await api.post('/promotions', {
      name: 'Sabtu 2 + 1',
      kind: 'BUY_X_GET_Y',
      buyQuantity: 2,
      getQuantity: 1,
      variantIds: [latte.id, croissant.id],
      orderTypes: ['TAKEAWAY'],
      weekdays: [6],
    }),
  )
  done(
    await api.post('/promotions', {
      name: 'Ulang tahun',
      kind: 'PERCENT',
      percentBps: 1_000,
      code: 'SENJA1',
      usageLimit: 2,
    }),
  )
  return {
    book,
    beans,
    milk,
    latte,
    americano,
    croissant,
    regularId: await makeCustomer(api, { name: 'Dewi' }),
  }
}

/** The guests of a morning, before happy hour: tables, bags and GoFood in turn. */
async function guests({ book, latte, americano, croissant }: Cafe, day: string, visits: number) {
  for (let n = 0; n < visits; n += 1) {
    at(book, day, `09:${String(n * 3).padStart(2, '0')}`)
    const [fields, prices] = [
      [TABLE, { americano: AMERICANO.menu, latte: LATTE.menu, croissant: CROISSANT.menu }],
      [BAG, { americano: AMERICANO.menu, latte: LATTE.menu, croissant: CROISSANT.menu }],
      [GOFOOD, { americano: AMERICANO.goFood, latte: LATTE.goFood, croissant: CROISSANT.goFood }],
    ][n % 3] as [Record<string, string>, { americano: number; latte: number; croissant: number }]
    const drinks =
      n % 2 === 0
        ? { good: latte, quantity: 1 + (n % 3), price: prices.latte }
        : { good: americano, quantity: 1 + (n % 4), price: prices.americano, extras: EXTRA_SHOT }
    const lines = [
      drinks,
      ...(n % 4 === 3 ? [{ good: croissant, quantity: 2, price: prices.croissant }] : []),
    ]
    const method =
      fields === GOFOOD ? ('TRANSFER' as const) : n % 5 === 0 ? ('QRIS' as const) : ('CASH' as const)
    await sell(book, { lines, fields, method })
  }
}

/** On Saturday every third latte or croissant in a bag is free, the cheapest of each three. */
async function saturdayBags({ book, latte, americano, croissant }: Cafe) {
  // Seven croissants make two full groups: 154,000 less 44,000, and tax of 11,000.
  const seven = await sell(book, {
    lines: [{ good: croissant, quantity: 7, price: CROISSANT.menu }],
    promotions: [{ name: 'Sabtu 2 + 1', amount: 44_000 }],
    fields: BAG,
  })
  expect([seven.discounts, seven.total]).toEqual([44_000, 121_000])
  // Two bundles take 20,000 first: 11,200 of the lattes and 8,800 of the croissants, which leaves 20,240 of each. The row
  // is latte, latte, croissant and three croissants: the last of each three is free, and the fifth croissant is paid.
  const family = await sell(book, {
    lines: [
      { good: latte, quantity: 2, price: LATTE.menu },
      { good: croissant, quantity: 5, price: CROISSANT.menu },
      { good: americano, quantity: 1, price: AMERICANO.menu },
    ],
    promotions: [
      { name: 'Latte + croissant', amount: 20_000, over: { 0: 2 * LATTE.menu, 1: 2 * CROISSANT.menu } },
      { name: 'Sabtu 2 + 1', amount: 40_480, over: { 1: 40_480 } },
    ],
    fields: BAG,
  })
  // 188,000 less 60,480 are 127,520, tax 12,752.
  expect(family.total).toBe(140_272)
  // One of the seven comes back for what a croissant cost on average.
  await refund(book, seven, { 0: 1 }, { restock: true })
  expect(seven.refunds[0]).toMatchObject({ amount: 17_285, rounding: 15 })
  // At a table nothing is free.
  await sell(book, { lines: [{ good: latte, quantity: 3, price: LATTE.menu }], fields: TABLE })
}

test('a café sells a week with service, happy hour, bundles, free units and GoFood: every rupiah, bean and croissant is explained', async () => {
  const cafe = await openCafe()
  const { book, beans, milk, latte, americano, croissant } = cafe
  const { api, outletId } = book

  // Monday. Beans are bought by the kilogram, milk by the millilitre, croissants by the piece.
  await openDay(book, MON, '07:00', 400_000)
  await buy(book, [
    { good: beans, qty: 10_000, cost: 250_000 },
    { good: milk, qty: 60_000, cost: 19 },
    { good: croissant, qty: 120, cost: 9_500 },
  ])
  // Two lattes at a table: 56,000, service 2,800, tax of 58,800 5,880. With cash 64,680 are rounded to 64,700.
  const table = await sell(book, {
    lines: [{ good: latte, quantity: 2, price: LATTE.menu }],
    fields: TABLE,
    tendered: 100_000,
  })
  expect([table.service, table.taxes.get(1_000), table.total, table.rounding]).toEqual([
    2_800, 5_880, 64_680, 20,
  ])
  // The same in a bag has no service: 61,600.
  expect(
    (await sell(book, { lines: [{ good: latte, quantity: 2, price: LATTE.menu }], fields: BAG })).total,
  ).toBe(61_600)
  // The same by GoFood costs 34,000 each, whatever the hour.
  expect(
    (
      await sell(book, {
        lines: [{ good: latte, quantity: 2, price: LATTE.goFood }],
        fields: GOFOOD,
        method: 'TRANSFER',
      })
    ).total,
  ).toBe(74_800)
  await guests(cafe, MON, 12)
  await closeDay(book, MON, '21:00')

  // Tuesday. A bill is opened in happy hour and paid after it: its two lattes keep their price, the third does not.
  await openDay(book, TUE, '07:00', 400_000)
  await guests(cafe, TUE, 9)
  at(book, TUE, '16:50')
  const items = [{ variantId: latte.id, quantity: 2 }]
  const bill = saleOf(await api.post('/sales', { outletId, items, status: 'PARKED', ...TABLE }))
  at(book, TUE, '17:10')
  const grown = saleOf(
    await api.patch(`/sales/${bill.id}/items`, { items: [{ id: bill.items[0].id, quantity: 3 }] }),
  )
  const late = await payBill(
    book,
    {
      lines: [
        { good: latte, quantity: 2, price: LATTE.happy },
        { good: latte, quantity: 1, price: LATTE.menu },
      ],
      fields: TABLE,
      method: 'QRIS',
    },
    grown,
  )
  // 73,000, service 3,650, tax of 76,650 7,665.
  expect(late.total).toBe(84_315)
  await payOut(book, 180_000, 'Gas')
  await closeDay(book, TUE, '21:00', -2_000)

  // Wednesday. The bundle: a latte and a croissant for 40,000 in place of 50,000. In happy hour it gives less, 4,500.
  await openDay(book, WED, '07:00', 400_000)
  await guests(cafe, WED, 8)
  at(book, WED, '12:00')
  const bundle = await sell(book, {
    lines: [
      { good: latte, quantity: 1, price: LATTE.menu },
      { good: croissant, quantity: 2, price: CROISSANT.menu },
      { good: americano, quantity: 1, price: AMERICANO.menu },
    ],
    promotions: [{ name: 'Latte + croissant', amount: 10_000, over: { 0: LATTE.menu, 1: CROISSANT.menu } }],
    fields: TABLE,
  })
  // 94,000 less 10,000 are 84,000, service 4,200, tax of 88,200 8,820.
  expect([bundle.discounts, bundle.service, bundle.total]).toEqual([10_000, 4_200, 97_020])
  at(book, WED, '15:30')
  await sell(book, {
    lines: [
      { good: latte, quantity: 1, price: LATTE.happy },
      { good: croissant, quantity: 1, price: CROISSANT.menu },
    ],
    promotions: [{ name: 'Latte + croissant', amount: 4_500 }],
    fields: BAG,
  })
  // By GoFood there is no bundle.
  await sell(book, {
    lines: [
      { good: latte, quantity: 1, price: LATTE.goFood },
      { good: croissant, quantity: 1, price: CROISSANT.goFood },
    ],
    fields: GOFOOD,
    method: 'TRANSFER',
  })
  await closeDay(book, WED, '21:00')

  // Thursday. A croissant of the bundle was stale: its part comes back, and it is not sold again.
  await openDay(book, THU, '07:00', 400_000)
  await refund(book, bundle, { 1: 1 }, { restock: false })
  await refund(book, table, { 0: 1 }, { restock: false })
  // Half of 64,680.
  expect(table.refunds[0]).toMatchObject({ amount: 32_340, rounding: -40 })
  await throwAway(book, croissant, 7)
  // A voucher of 10% may be used twice. It applies with the bundle, to what the bundle left.
  const voucher = { ...BAG, voucherCodes: ['senja1'], customerId: cafe.regularId }
  const birthday = await sell(book, {
    lines: [{ good: americano, quantity: 3, price: AMERICANO.menu, extras: EXTRA_SHOT }],
    promotions: [{ name: 'Ulang tahun', amount: 8_400 }],
    fields: voucher,
  })
  // 84,000 less 8,400 are 75,600, tax 7,560.
  expect(birthday.total).toBe(83_160)
  const both = await sell(book, {
    lines: [
      { good: latte, quantity: 1, price: LATTE.menu },
      { good: croissant, quantity: 1, price: CROISSANT.menu },
    ],
    promotions: [
      { name: 'Latte + croissant', amount: 10_000 },
      { name: 'Ulang tahun', amount: 4_000 },
    ],
    fields: voucher,
  })
  expect(both.total).toBe(39_600)
  const thirdUse = {
    outletId,
    items: [{ variantId: latte.id, quantity: 1 }],
    status: 'COMPLETED',
    ...voucher,
  }
  expect(refusalOf(await api.post('/sales', thirdUse))).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
    param: 'voucherCodes[0]',
  })
  // A void gives the use of the voucher back.
  await voidSale(book, both)
  await sell(book, {
    lines: [{ good: latte, quantity: 1, price: LATTE.menu }],
    promotions: [{ name: 'Ulang tahun', amount: 2_800 }],
    fields: voucher,
  })
  await guests(cafe, THU, 6)
  await payOut(book, 35_000, 'Es batu')
  await closeDay(book, THU, '21:00')

  // Friday. Croissants and beans are counted while guests order: six are missing, and 150 grams were spilled.
  await openDay(book, FRI, '07:00', 400_000)
  await buy(book, [
    { good: beans, qty: 2_000, cost: 250_000 },
    { good: croissant, qty: 60, cost: 9_900 },
  ])
  await count(
    book,
    [
      { good: croissant, missing: 6 },
      { good: beans, missing: 150 },
      { good: milk, missing: 0 },
    ],
    () => guests(cafe, FRI, 15),
  )
  at(book, FRI, '15:00')
  // The first second of happy hour.
  await sell(book, { lines: [{ good: americano, quantity: 2, price: AMERICANO.happy }], fields: TABLE })
  at(book, FRI, '17:00')
  // Its end is exclusive.
  await sell(book, { lines: [{ good: americano, quantity: 2, price: AMERICANO.menu }], fields: TABLE })
  await closeDay(book, FRI, '22:00')

  // At the weekend there is no happy hour.
  for (const [day, visits] of [
    [SAT, 17],
    [SUN, 14],
  ] as const) {
    await openDay(book, day, '07:00', 500_000)
    await guests(cafe, day, visits)
    at(book, day, '15:30')
    await sell(book, { lines: [{ good: latte, quantity: 1, price: LATTE.menu }], fields: BAG })
    if (day === SAT) await saturdayBags(cafe)
    else {
      // On Sunday nothing is free.
      const lines = [{ good: croissant, quantity: 3, price: CROISSANT.menu }]
      expect((await sell(book, { lines, fields: BAG })).total).toBe(72_600)
    }
    await closeDay(book, day, '22:00')
  }

  await expectBooks(book)
  await assertInvariants(deps().db)
}, 240_000)
