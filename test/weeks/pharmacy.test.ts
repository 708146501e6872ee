import { expect, test } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { makeCustomer, makeOutlet, makeProduct } from '../support/build.ts'
import { assertInvariants, done, refusalOf } from '../support/expect.ts'
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
  type Pack,
  payDebt,
  payOut,
  refund,
  sell,
  throwAway,
  voidSale,
  WEEK,
} from '../support/owner-book/index.ts'
import { deps, useService, workspace } from '../support/service.ts'

// A pharmacy buys cartons, and sells strips and single tablets. Medicine lies in batches: the one that expires first is
// sold first, and an expired one is not sold. Prices contain 11% tax, but medicine on prescription is free of tax.

const clock = manualClock('2026-11-23T00:00:00.000Z')
useService({ clock })

const [MON, TUE, WED, THU, FRI, SAT, SUN] = WEEK

/** A tablet, a strip of ten, which is cheaper than ten tablets, and the carton of the wholesaler. */
const PARACETAMOL = { tablet: 1_500, strip: 12_000 }
const AMOXICILLIN = { tablet: 1_250, strip: 12_500 }
const VITAMIN = 45_500
const MASK = 2_300

type Pharmacy = {
  book: Book
  paracetamol: Good
  amoxicillin: Good
  vitamin: Good
  mask: Good
  strip: Pack
  carton: Pack
  amoxicillinStrip: Pack
  /** A clinic near by, which pays at the end of the month and may owe 300,000. */
  clinicId: string
}

async function openPharmacy(): Promise<Pharmacy> {
  const api = await workspace('Sehat')
  const outletId = await makeOutlet(api, {
    name: 'Sehat',
    timezone: 'Asia/Jakarta',
    taxRateBps: 1_100,
    taxInclusive: true,
    cashRounding: { step: 100, mode: 'NEAREST' },
  })
  done(await api.put('/settings', { expenseCategories: ['Listrik'] }))
  const terms = { taxRateBps: 1_100, taxInclusive: true, serviceBps: 0, cashStep: 100 }
  const book = openBook(api, clock, outletId, terms)
  const medicine = async (name: string, taxRateBps: number | null, variant: object) => {
    const product = await makeProduct(api, { name, taxRateBps, requiresBatch: true, variants: [variant] })
    const [made] = product.variants
    return { good: addGood(book, { id: made.id, name, taxRateBps, piles: [] }), packs: made.packs }
  }
  const pack = ({ id, name, factor }: Pack): Pack => ({ id, name, factor })
  const paracetamol = await medicine('Parasetamol', null, {
    price: PARACETAMOL.tablet,
    packs: [
      { name: 'strip', factor: 10, price: PARACETAMOL.strip, barcode: '8991234500010' },
      { name: 'karton', factor: 500 },
    ],
  })
  const amoxicillin = await medicine('Amoksisilin', 0, {
    price: AMOXICILLIN.tablet,
    // Without a price of its own a strip costs ten tablets.
    packs: [{ name: 'strip', factor: 10 }],
  })
  const vitamin = await medicine('Vitamin C', null, { price: VITAMIN })
  const mask = await makeProduct(api, { name: 'Masker', variants: [{ price: MASK }] })
  return {
    book,
    paracetamol: paracetamol.good,
    amoxicillin: amoxicillin.good,
    vitamin: vitamin.good,
    mask: addGood(book, { id: mask.variants[0].id, name: 'Masker' }),
    strip: pack(paracetamol.packs[0]),
    carton: pack(paracetamol.packs[1]),
    amoxicillinStrip: pack(amoxicillin.packs[0]),
    clinicId: await makeCustomer(api, { name: 'Klinik Harapan', creditLimit: 300_000 }),
  }
}

/** The customers of a morning: strips, single tablets and prescriptions in turn. */
async function customers(pharmacy: Pharmacy, day: string, visits: number) {
  const { book, paracetamol, amoxicillin, mask, strip, amoxicillinStrip } = pharmacy
  for (let n = 0; n < visits; n += 1) {
    at(book, day, `10:${String(n * 2).padStart(2, '0')}`)
    const lines = [
      { good: paracetamol, pack: strip, quantity: 1 + (n % 3), price: PARACETAMOL.strip },
      { good: paracetamol, quantity: 1 + (n % 7), price: PARACETAMOL.tablet },
      { good: amoxicillin, pack: amoxicillinStrip, quantity: 1, price: AMOXICILLIN.strip },
      { good: mask, quantity: 2 + (n % 5), price: MASK },
    ]
    await sell(book, {
      lines: lines.filter((_, k) => (n + k) % 4 < 2),
      method: (['CASH', 'QRIS', 'CARD'] as const)[n % 3] ?? 'CASH',
    })
  }
}

test('a pharmacy sells a week in packs and batches, taxed and tax-free: every rupiah and tablet is explained', async () => {
  const pharmacy = await openPharmacy()
  const { book, paracetamol, amoxicillin, vitamin, mask, strip, carton, amoxicillinStrip, clinicId } =
    pharmacy
  const { api, outletId } = book

  // Monday. Two cartons at 400,001 are a thousand tablets for 800,002: they cost 800 each.
  await openDay(book, MON, '08:00', 250_000)
  await buy(book, [
    { good: paracetamol, qty: 2, pack: carton, cost: 400_001, batchNo: 'P-2', expiryDate: '2027-08-31' },
    {
      good: amoxicillin,
      qty: 60,
      pack: amoxicillinStrip,
      cost: 8_500,
      batchNo: 'A-1',
      expiryDate: '2027-02-28',
    },
    { good: vitamin, qty: 12, cost: 30_000, batchNo: 'V-1', expiryDate: WED },
    { good: mask, qty: 300, cost: 1_100 },
  ])
  expect([paracetamol.level, paracetamol.cost]).toEqual([1_000, 800])
  // A strip is scanned by its own barcode. Three strips and four tablets are 42,000 and 34 tablets.
  const [match] = done(await api.get('/products/lookup?barcode=8991234500010')).matches
  expect(match).toMatchObject({ variantId: paracetamol.id, pack: { id: strip.id, price: 12_000 } })
  const first = await sell(book, {
    lines: [
      { good: paracetamol, pack: strip, quantity: 3, price: PARACETAMOL.strip },
      { good: paracetamol, quantity: 4, price: PARACETAMOL.tablet },
    ],
    tendered: 50_000,
  })
  // The tax inside 42,000 is 4,162.
  expect([first.total, first.taxes.get(1_100), paracetamol.level]).toEqual([42_000, 4_162, 966])
  // A prescription is free of tax, the masks beside it are not.
  const prescription = await sell(book, {
    lines: [
      { good: amoxicillin, pack: amoxicillinStrip, quantity: 2, price: AMOXICILLIN.strip },
      { good: mask, quantity: 5, price: MASK },
    ],
    method: 'CARD',
  })
  expect([prescription.total, prescription.taxes.get(0), prescription.taxes.get(1_100)]).toEqual([
    36_500, 0, 1_140,
  ])
  await customers(pharmacy, MON, 9)
  await closeDay(book, MON, '20:00')

  // Tuesday. A batch arrives that expires earlier than the one on the shelf: from now on it is sold first.
  await openDay(book, TUE, '08:00', 250_000)
  await buy(book, [
    { good: paracetamol, qty: 20, pack: strip, cost: 8_450, batchNo: 'P-1', expiryDate: '2026-12-31' },
    { good: vitamin, qty: 10, cost: 31_500, batchNo: 'V-2', expiryDate: '2027-06-30' },
  ])
  const earliest = await sell(book, {
    lines: [{ good: paracetamol, pack: strip, quantity: 5, price: PARACETAMOL.strip }],
  })
  expect(paracetamol.piles?.find(({ batchNo }) => batchNo === 'P-1')?.left).toBe(150)
  // The clinic buys on credit: 20 strips for 240,000. It may owe 300,000, so six more strips are refused.
  const onCredit = { method: 'CREDIT' as const, fields: { customerId: clinicId } }
  const owed = await sell(book, {
    lines: [{ good: paracetamol, pack: strip, quantity: 20, price: PARACETAMOL.strip }],
    ...onCredit,
  })
  const beyond = await api.post('/sales', {
    outletId,
    customerId: clinicId,
    items: [{ variantId: paracetamol.id, packId: strip.id, quantity: 6 }],
    payments: [{ method: 'CREDIT', amount: 72_000 }],
  })
  expect(refusalOf(beyond)).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
    param: 'payments[0].amount',
  })
  // Vitamins of the batch that expires on Wednesday are sold to the end of Wednesday.
  await sell(book, { lines: [{ good: vitamin, quantity: 3, price: VITAMIN }] })
  await customers(pharmacy, TUE, 8)
  await payOut(book, 150_000, 'Listrik')
  await closeDay(book, TUE, '20:00', -1_500)

  // Wednesday. Two strips come back sealed: they return to the batch that they came from.
  await openDay(book, WED, '08:00', 250_000)
  await refund(book, earliest, { 0: 2 }, { restock: true })
  expect(earliest.refunds[0]).toMatchObject({ amount: 24_000 })
  // One strip of the prescription comes back opened: its money returns, the tablets are not sold again.
  await refund(book, prescription, { 0: 1 }, { restock: false })
  expect(prescription.refunds[0]).toMatchObject({ amount: 12_500, tax: 0 })
  const mistake = await sell(book, {
    lines: [
      { good: vitamin, quantity: 2, price: VITAMIN },
      { good: amoxicillin, quantity: 7, price: AMOXICILLIN.tablet },
    ],
    method: 'QRIS',
  })
  await voidSale(book, mistake)
  // The clinic returns two sealed strips. No money goes back: it owes 24,000 less.
  await refund(book, owed, { 0: 2 }, { restock: true })
  expect(book.debts.get(clinicId)).toBe(216_000)
  await customers(pharmacy, WED, 7)
  await closeDay(book, WED, '20:00')

  // Thursday. The first batch of vitamins has expired: only the ten bottles of the second can be sold.
  await openDay(book, THU, '08:00', 250_000)
  const tooMany = { outletId, items: [{ variantId: vitamin.id, quantity: 11 }], status: 'COMPLETED' }
  expect(refusalOf(await api.post('/sales', tooMany))).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
    param: 'items[0].quantity',
  })
  await sell(book, { lines: [{ good: vitamin, quantity: 4, price: VITAMIN }], method: 'CARD' })
  // The clinic pays 100,000 in cash, which is in the drawer but in no sales figure.
  await payDebt(book, clinicId, 100_000, 'CASH')
  // It buys three more strips on credit.
  await sell(book, {
    lines: [{ good: paracetamol, pack: strip, quantity: 3, price: PARACETAMOL.strip }],
    ...onCredit,
  })
  // The nine expired bottles are waste.
  await throwAway(book, vitamin, 9)
  expect(vitamin.piles?.map(({ left }) => left)).toEqual([0, 6])
  await customers(pharmacy, THU, 9)
  await closeDay(book, THU, '20:00')

  // Friday. Tablets and masks are counted while customers buy. A strip is missing, and three masks.
  await openDay(book, FRI, '08:00', 250_000)
  await count(
    book,
    [
      { good: paracetamol, missing: 10 },
      { good: mask, missing: 3 },
      { good: amoxicillin, missing: 0 },
    ],
    () => customers(pharmacy, FRI, 12),
  )
  // Monday's first customer was charged twice: the sale is voided on Friday, Monday's Z report stays.
  await voidSale(book, first)
  await closeDay(book, FRI, '20:00', 500)

  // At the weekend the clinic pays 60,000 by transfer, for the older charge. It still owes 56,000 and 36,000.
  for (const day of [SAT, SUN]) {
    await openDay(book, day, '08:00', 300_000)
    await customers(pharmacy, day, 13)
    if (day === SAT) await payDebt(book, clinicId, 60_000, 'TRANSFER')
    await closeDay(book, day, '21:00')
  }

  expect(book.debts.get(clinicId)).toBe(92_000)
  await expectBooks(book)
  await assertInvariants(deps().db)
}, 240_000)
