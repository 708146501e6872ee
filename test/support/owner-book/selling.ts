import { expect } from 'vitest'
import { done } from '../expect.ts'
import {
  type Book,
  handOver,
  type Line,
  owe,
  putBack,
  type Receipt,
  rounded,
  type Sold,
  sum,
  today,
  unitsIn,
} from './book.ts'
import { sharesOf, workOut } from './receipt.ts'

const sentItem = ({ good, pack, quantity, label, extras }: Line) => ({
  variantId: good.id,
  quantity,
  ...(pack && { packId: pack.id }),
  ...(label !== undefined && { labelPrice: label }),
  ...(extras && { modifiers: extras }),
})

/** Compares a sale that was answered with the receipt worked out by hand, and writes it down as paid. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
export function writeSale(book: Book, receipt: Receipt, sale: any): Sold {
  const { lines, promotions = [], method = 'CASH' } = receipt
  const worked = workOut(book, receipt, sharesOf(receipt, sale.items))
  const due = method === 'CASH' ? rounded(worked.total, book.terms.cashStep) : worked.total
  expect(sale).toMatchObject({
    status: 'COMPLETED',
    subtotal: worked.gross - worked.discounts,
    discountTotal: worked.discounts,
    promotions: promotions.map(({ name, amount }) => ({ name, amount })),
    taxTotal: sum(worked.taxes.values()),
    total: worked.total,
    remaining: 0,
    roundingTotal: due - worked.total,
    items: lines.map((line, n) => ({
      variantId: line.good.id,
      quantity: line.quantity,
      soldBy: line.good.isWeighed ? 'WEIGHT' : 'UNIT',
      pack: line.pack ?? null,
      unitPrice: line.price,
      ...worked.items[n],
    })),
  })
  expect(sale.serviceCharge?.amount ?? 0).toBe(worked.service)
  if (receipt.tendered !== undefined) expect(sale.changeTotal).toBe(receipt.tendered - due)
  const sold: Sold = {
    id: sale.id,
    day: today(book),
    shift: book.shift,
    method,
    gross: worked.gross,
    discounts: worked.discounts,
    promotions: sale.promotions,
    debtor: method === 'CREDIT' ? sale.customerId : null,
    service: worked.service,
    taxes: worked.taxes,
    total: worked.total,
    rounding: due - worked.total,
    items: lines.map((line, n) => ({
      id: sale.items[n].id,
      line,
      units: unitsIn(line, line.quantity),
      paid: (worked.items[n]?.lineTotal ?? 0) + (worked.items[n]?.serviceShare ?? 0),
      tax: worked.items[n]?.taxAmount ?? 0,
      gone: 0,
      paidBack: 0,
      parts: [],
    })),
    voidedOn: null,
    refunds: [],
  }
  handOver(book, sold)
  if (sold.debtor !== null) owe(book, sold.debtor, sold.total)
  book.sales.push(sold)
  book.shift?.sales.push(sold)
  if (sold.total > 0)
    book.shift?.money.push({ kind: 'IN', method, amount: sold.total, rounding: sold.rounding, sale: sold })
  return sold
}

/** The customer takes the goods and pays. */
export async function sell(book: Book, receipt: Receipt): Promise<Sold> {
  const { lines, method = 'CASH', tendered, fields = {} } = receipt
  const items = lines.map(sentItem)
  const open = { outletId: book.outletId, items, ...fields }
  if (method === 'CASH' && tendered === undefined)
    return writeSale(
      book,
      receipt,
      done(await book.api.post('/sales', { ...open, status: 'COMPLETED' })).sale,
    )
  // A till knows the total before it takes a card or a note: here the bill is opened first and then paid.
  const { sale } = done(await book.api.post('/sales', { ...open, status: 'PARKED' }))
  return payBill(book, receipt, sale)
}

/** An open bill is paid in full and becomes a sale. */
export async function payBill(
  book: Book,
  receipt: Receipt,
  { id, remaining }: { id: string; remaining: number },
): Promise<Sold> {
  const { method = 'CASH', tendered } = receipt
  const paid = { method, amount: remaining, ...(tendered !== undefined && { tendered }) }
  // A bill of nothing takes no payment.
  const payments = remaining > 0 ? [paid] : []
  return writeSale(book, receipt, done(await book.api.post(`/sales/${id}/settle`, { payments })).sale)
}

/** A customer brings goods back: `quantities` counts by item, in the unit of the item. The money goes back as it came. */
export async function refund(
  book: Book,
  sold: Sold,
  quantities: Readonly<Record<number, number>>,
  { restock }: { restock: boolean },
): Promise<void> {
  const rows = sold.items.flatMap((item, n) => {
    const qty = quantities[n] ?? 0
    return qty === 0 ? [] : [{ item, qty }]
  })
  const answer = await book.api.post(`/sales/${sold.id}/refund`, {
    lines: rows.map(({ item, qty }) => ({ transactionItemId: item.id, qty })),
    restock,
    // A refund of a sale on credit lowers the debt, which needs no method.
    ...(sold.debtor === null && { method: sold.method }),
  })
  const given = done(answer).sale.refunds.at(-1)
  const parts = rows.map(({ item, qty }) => {
    item.gone += qty
    const worth = Math.floor((item.paid * item.gone) / item.line.quantity)
    const amount = worth - item.paidBack
    item.paidBack = worth
    const units = unitsIn(item.line, qty)
    item.line.good.soldUnits -= units
    if (restock) putBack(item, units, 'REFUND')
    return amount
  })
  const amount = sum(parts)
  const paidOut = sold.method === 'CASH' ? rounded(amount, book.terms.cashStep) : amount
  expect(given).toMatchObject({
    amount,
    rounding: paidOut - amount,
    tenders: amount === 0 ? [] : [{ method: sold.method, amount }],
    lines: rows.map(({ item, qty }, n) => ({ transactionItemId: item.id, qty, amount: parts[n] })),
  })
  const { goods, tax, service, deliveryFee } = given.split
  expect(goods + tax + service + deliveryFee).toBe(amount)
  // The tax that goes back is that of the goods and of their share of the service charge.
  if (sold.service === 0) {
    const fair = sum(rows.map(({ item, qty }) => (item.tax * qty) / item.line.quantity))
    expect(Math.abs(tax - fair)).toBeLessThanOrEqual(rows.length)
    expect(service).toBe(0)
  }
  if (sold.debtor !== null) owe(book, sold.debtor, -amount)
  sold.refunds.push({ day: today(book), amount, goods, tax, service, rounding: paidOut - amount })
  if (amount > 0)
    book.shift?.money.push({
      kind: 'BACK',
      method: sold.method,
      amount,
      rounding: paidOut - amount,
      sale: sold,
    })
}

/** The sale was a mistake: goods and money go back as they came. */
export async function voidSale(book: Book, sold: Sold): Promise<void> {
  done(await book.api.post(`/sales/${sold.id}/void`, { reason: 'Mistake' }))
  sold.voidedOn = today(book)
  if (sold.debtor !== null) owe(book, sold.debtor, -sold.total)
  for (const item of sold.items) {
    item.line.good.soldUnits -= item.units
    putBack(item, item.units, 'VOID')
  }
  if (sold.total > 0)
    book.shift?.money.push({
      kind: 'BACK',
      method: sold.method,
      amount: sold.total,
      rounding: sold.rounding,
      sale: sold,
    })
}
