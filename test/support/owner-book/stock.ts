import { expect } from 'vitest'
import { done } from '../expect.ts'
import { type Book, type Good, lose, move, type Pack, portion, sum } from './book.ts'

export type Delivery = {
  good: Good
  qty: number
  /** For a unit, a pack or a kilogram. */
  cost: number
  pack?: Pack
  batchNo?: string
  expiryDate?: string
}

/** Goods are ordered from a supplier and arrive. The average cost follows. */
export async function buy(book: Book, rows: readonly Delivery[]): Promise<void> {
  const order = done(
    await book.api.post('/purchase-orders', {
      outletId: book.outletId,
      items: rows.map(({ good, qty, cost, pack }) => ({
        variantId: good.id,
        qty,
        cost,
        ...(pack && { packId: pack.id }),
      })),
    }),
  ).purchaseOrder
  const worth = ({ good, qty, cost, pack }: Delivery) =>
    good.isWeighed && pack === undefined ? portion(qty, cost, 1_000) : qty * cost
  expect(order.total).toBe(sum(rows.map(worth)))
  done(await book.api.post(`/purchase-orders/${order.id}/order`))
  const received = done(
    await book.api.post(`/purchase-orders/${order.id}/receive`, {
      items: rows.map(({ good, qty, pack, batchNo, expiryDate }) => ({
        variantId: good.id,
        qty,
        ...(pack && { packId: pack.id }),
        ...(batchNo && { batchNo, expiryDate }),
      })),
    }),
  ).purchaseOrder
  expect(received.status).toBe('RECEIVED')
  for (const row of rows) {
    const { good, qty, cost, pack, batchNo, expiryDate } = row
    const units = qty * (pack?.factor ?? 1)
    // Grams and the cost of a kilogram are in the same ratio on both sides, so the average needs no thousand.
    const [held, money] = [Math.max(0, good.level) * good.cost, qty * cost]
    const whole = Math.max(0, good.level) + units
    good.cost = Math.floor((2 * (held + money) + whole) / (2 * whole))
    move(good, 'PURCHASE', units)
    if (batchNo !== undefined && expiryDate !== undefined && good.piles) {
      const pile = good.piles.find((each) => each.batchNo === batchNo && each.expiryDate === expiryDate)
      if (pile) pile.left += units
      else good.piles.push({ batchNo, expiryDate, left: units })
    }
  }
}

/** Goods that cannot be sold any more leave the shelf. */
export async function throwAway(book: Book, good: Good, units: number): Promise<void> {
  done(
    await book.api.post('/inventory/adjust', {
      outletId: book.outletId,
      variantId: good.id,
      qtyDelta: -units,
      reasonCode: 'WASTE',
    }),
  )
  lose(good, units)
}

/** Counts goods on the shelf. `meanwhile` is what happens between the count and its post: customers buy on. */
export async function count(
  book: Book,
  found: readonly { good: Good; missing: number }[],
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  const { stockCount } = done(await book.api.post('/stock-counts', { outletId: book.outletId }))
  const lines = found.map(({ good, missing }) => ({ variantId: good.id, quantity: good.level - missing }))
  const counted = done(await book.api.post(`/stock-counts/${stockCount.id}/lines`, { lines })).lines
  for (const { good, missing } of found)
    expect(counted.find(({ variantId }: { variantId: string }) => variantId === good.id)).toMatchObject({
      expected: good.level,
      variance: missing === 0 ? 0 : -missing,
    })
  await meanwhile()
  expect(done(await book.api.post(`/stock-counts/${stockCount.id}/post`)).stockCount.status).toBe('POSTED')
  for (const { good, missing } of found) if (missing > 0) lose(good, missing)
}
