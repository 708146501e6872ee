import { expect } from 'vitest'
import type { Answer } from '../api.ts'
import { done } from '../expect.ts'
import { type Book, costOf, type Good, type Pile, type Sold, sum } from './book.ts'
import { methodsOf, taxesOf, zReport } from './drawer.ts'

/** The figures of some days in the reports, worked out from what was written down. */
function reportOf(book: Book, includes: (day: string) => boolean) {
  const kept = book.sales.filter(({ voidedOn }) => voidedOn === null)
  const sold = kept.filter(({ day }) => includes(day))
  const back = kept.flatMap(({ refunds }) => refunds.filter(({ day }) => includes(day)))
  const taken = sum(sold.map(({ total }) => total))
  const refundTax = sum(back.map(({ tax }) => tax))
  const refundService = sum(back.map(({ service }) => service))
  const tax = sum(taxesOf(sold).values()) - refundTax
  const service = sum(sold.map((each) => each.service)) - refundService
  const collected = taken - sum(back.map(({ amount }) => amount))
  return {
    figures: {
      salesCount: sold.length,
      refundCount: back.length,
      voidCount: book.sales.filter(({ voidedOn }) => voidedOn !== null && includes(voidedOn)).length,
      gross: sum(sold.map(({ gross }) => gross)),
      discounts: sum(sold.map(({ discounts }) => discounts)),
      refunds: sum(back.map(({ goods }) => goods)),
      tax,
      service,
      rounding: sum(sold.map(({ rounding }) => rounding)) - sum(back.map(({ rounding }) => rounding)),
      net: collected - tax - service,
    },
    collected,
  }
}

/** Compares everything that was written down with reports, closed drawers, ledger and stock. */
export async function expectBooks(book: Book): Promise<void> {
  const { api, outletId } = book
  for (const shift of book.shifts)
    if (shift.closed !== null) expect(await zReport(book, shift)).toEqual(shift.closed)
  await expectReports(book)
  await expectDebts(book)
  const { levels } = done(await api.get(`/inventory/levels?outletId=${outletId}`))
  const { total, variants } = done(await api.get(`/reports/stock-value?outletId=${outletId}&limit=500`))
  for (const good of book.goods) {
    const level = levels.find(({ variantId }: { variantId: string }) => variantId === good.id)
    expect([good.name, level?.quantity ?? 0]).toEqual([good.name, good.level])
    const value = variants.find(({ variantId }: { variantId: string }) => variantId === good.id)
    expect([good.name, value?.cost ?? good.cost, value?.value ?? 0]).toEqual([
      good.name,
      good.cost,
      costOf(good, good.level, good.cost),
    ])
    await expectLedger(book, good)
    if (good.piles) await expectBatches(book, good)
  }
  const held = (isWeighed: boolean) =>
    sum(book.goods.filter((good) => good.isWeighed === isWeighed).map(({ level }) => level))
  expect(total).toEqual({
    quantity: held(false),
    grams: held(true),
    value: sum(book.goods.map((good) => costOf(good, good.level, good.cost))),
  })
}

/** The part of each sale on credit that is still owed: payments go to the oldest first. */
function openCharges(sales: readonly Sold[], owed: number): [string, number][] {
  const charges = sales.map(({ id, total, refunds, voidedOn }): [string, number] => [
    id,
    voidedOn === null ? total - sum(refunds.map(({ amount }) => amount)) : 0,
  ])
  let paid = sum(charges.map(([, charged]) => charged)) - owed
  return charges.map(([id, charged]) => {
    const covered = Math.min(paid, charged)
    paid -= covered
    return [id, charged - covered]
  })
}

/** What each customer owes is what the charges have open, and the receivables have no other row. */
async function expectDebts({ api, debts, sales }: Book): Promise<void> {
  for (const [customerId, owed] of debts) {
    const { balance, entries } = done(await api.get(`/customers/${customerId}/credit`))
    expect(balance).toBe(owed)
    const charges: { type: string; saleId: string; open: number }[] = entries.toReversed()
    expect(charges.filter(({ type }) => type === 'CHARGE').map(({ saleId, open }) => [saleId, open])).toEqual(
      openCharges(
        sales.filter(({ debtor }) => debtor === customerId),
        owed,
      ),
    )
  }
  const told = done(await api.get('/reports/receivables'))
  const rows: { customerId: string; balance: number }[] = told.receivables
  expect(new Map(rows.map(({ customerId, balance }) => [customerId, balance]))).toEqual(
    new Map([...debts].filter(([, owed]) => owed > 0)),
  )
}

async function expectReports(book: Book): Promise<void> {
  const { api, outletId } = book
  const last = book.days.at(-1) ?? ''
  const query = `outletId=${outletId}`
  const { days } = done(await api.get(`/reports/sales-by-day?${query}&days=${book.days.length}`))
  expect(days.at(-1).date).toBe(last)
  for (const row of days) {
    const { figures, collected } = reportOf(book, (day) => day === row.date)
    expect(row).toMatchObject({ ...figures, total: collected })
  }
  const { figures, collected } = reportOf(book, () => true)
  const summary = done(await api.get(`/reports/summary?${query}`))
  const kept = book.sales.filter(({ voidedOn }) => voidedOn === null)
  const money = book.shifts.flatMap((shift) => shift.money.filter(({ sale }) => sale.voidedOn === null))
  expect(summary).toMatchObject({ ...figures, collected })
  expect(
    [...summary.byMethod].sort((a: { method: string }, b: { method: string }) =>
      a.method.localeCompare(b.method),
    ),
  ).toEqual(methodsOf(money))
  expect(sum(summary.taxes.map(({ tax }: { tax: number }) => tax))).toBe(figures.tax)
  const given = new Map<string, { sales: number; amount: number }>()
  for (const { name, amount } of kept.flatMap(({ promotions }) => promotions)) {
    const row = given.get(name) ?? { sales: 0, amount: 0 }
    given.set(name, { sales: row.sales + 1, amount: row.amount + amount })
  }
  const { promotions } = done(await api.get(`/reports/promotions?${query}`))
  expect(
    new Map(
      promotions.map(({ name, sales, amount }: { name: string; sales: number; amount: number }) => [
        name,
        { sales, amount },
      ]),
    ),
  ).toEqual(given)
  const { expenses } = done(await api.get(`/reports/expenses?${query}`))
  expect(
    new Map(expenses.map(({ category, amount }: { category: string; amount: number }) => [category, amount])),
  ).toEqual(book.expenses)
  const { products, total } = done(await api.get(`/reports/margin?${query}&limit=500`))
  for (const good of book.goods) {
    const row = products.find(({ name }: { name: string }) => name === good.name)
    expect([good.name, row?.quantity ?? 0, row?.grams ?? 0, row?.cost ?? 0]).toEqual([
      good.name,
      good.isWeighed ? 0 : good.soldUnits,
      good.isWeighed ? good.soldUnits : 0,
      good.soldCost,
    ])
  }
  const all = {
    quantity: sum(book.goods.map((good) => (good.isWeighed ? 0 : good.soldUnits))),
    grams: sum(book.goods.map((good) => (good.isWeighed ? good.soldUnits : 0))),
  }
  expect(total).toMatchObject(all)
  const { categories } = done(await api.get(`/reports/categories?${query}`))
  expect({
    quantity: sum(categories.map(({ quantity }: { quantity: number }) => quantity)),
    grams: sum(categories.map(({ grams }: { grams: number }) => grams)),
  }).toEqual(all)
}

/** Every unit that came or went is a movement, and the last one leaves the level. */
async function expectLedger({ api, outletId }: Book, good: Good): Promise<void> {
  const moved = new Map<string, number>()
  let cursor = ''
  do {
    const answer: Answer = await api.get(
      `/inventory/movements?outletId=${outletId}&variantId=${good.id}&limit=100${cursor}`,
    )
    for (const { type, qtyDelta } of done(answer)) moved.set(type, (moved.get(type) ?? 0) + qtyDelta)
    const next = answer.meta?.cursor
    cursor = next ? `&cursor=${next}` : ''
  } while (cursor !== '')
  expect([good.name, moved]).toEqual([good.name, good.moved])
}

async function expectBatches({ api, outletId }: Book, good: Good): Promise<void> {
  const { batches } = done(
    await api.get(`/inventory/batches?outletId=${outletId}&variantId=${good.id}&all=true`),
  )
  const order = (a: Pile, b: Pile) => a.batchNo.localeCompare(b.batchNo)
  const told = batches.map(
    ({
      batchNo,
      expiryDate,
      remainingQty: left,
    }: {
      batchNo: string
      expiryDate: string
      remainingQty: number
    }) => ({
      batchNo,
      expiryDate,
      left,
    }),
  )
  expect([good.name, told.sort(order)]).toEqual([good.name, [...(good.piles ?? [])].sort(order)])
}
