import { randomBasket, randomItem, randomPayment, totalOf } from './baskets.ts'
import { RefusedCall } from './client.ts'
import type { DemoShop, FurnishedDemo } from './furnish.ts'
import { GOFOOD, VOUCHER } from './offers.ts'
import { CREDIT_LIMIT, OWES } from './outlets.ts'
import type { Random } from './random.ts'

/** A later action, in minutes from now. */
export type Later = { afterMinutes: number; run(): Promise<Later[]> }
export type Visit = () => Promise<Later[]>

/** One outlet with its members: every visit makes the API calls that the cashier's till would make. */
export type Scene = {
  random: Random
  place: DemoShop
  furnished: FurnishedDemo
  /** Tables with an open bill. */
  busy: Set<string>
  /** Called when a visitor leaves without the goods they wanted. */
  onMissed(): void
}

type SoldItem = { id: string; quantity: number; soldBy: string }
type Sale = { id: string; total: number; remaining: number; items: SoldItem[] }
type SaleResponse = { sale: Sale }

const LINES = { cafe: 3, shop: 6, pharmacy: 3 }
/** The field named by the error for a sale of more than the stock. */
const SOLD_OUT = /^items\[\d+\]\.quantity$/
const UNITS = { cafe: 2, shop: 3, pharmacy: 2 }

/** At the counter, paid immediately: the most common sale of a till. Not for the café, whose promotions change totals. */
export const counterSale =
  (scene: Scene): Visit =>
  async () => {
    const { random, place } = scene
    const items = randomBasket(random, place, LINES[place.key], UNITS[place.key])
    const orderDiscount = random.chance(0.04) ? Math.floor(totalOf(place, items) / 20_000) * 1_000 : 0
    const total = totalOf(place, items, orderDiscount)
    const answer = await nullIfSoldOut(
      scene,
      place.cashier.post<SaleResponse>('/sales', {
        outletId: place.id,
        items,
        ...(await buyer(scene, total)),
        ...(orderDiscount > 0 ? { orderDiscount } : {}),
      }),
    )
    if (answer === null) return []
    const { sale } = answer
    return laterCorrections(scene, sale)
  }

/** A visitor who pays, or the customer who buys on credit. */
async function buyer(scene: Scene, total: number) {
  const { random, place, furnished } = scene
  const customerId = furnished.customers[OWES]
  if (place.key === 'shop' && customerId !== undefined && random.chance(0.04)) {
    const { balance } = await furnished.owner.get<{ balance: number }>(`/customers/${customerId}/credit`)
    if (balance + total <= CREDIT_LIMIT)
      return { customerId, payments: [{ method: 'CREDIT', amount: total }] }
  }
  return { ...someone(scene, 0.15), payments: [randomPayment(random, total)] }
}

type CafeOrder = { orderType?: string; channel?: string }

/** At the café's counter, or through a courier. Promotions decide the total, so the bill is read before it is paid. */
export const cafeSale =
  (scene: Scene, order: CafeOrder = {}): Visit =>
  async () => {
    const { random, place } = scene
    const isDelivery = order.channel !== undefined
    const items = randomBasket(random, place, LINES.cafe, UNITS.cafe).map(({ unitPrice, ...item }) =>
      isDelivery ? item : { ...item, unitPrice },
    )
    const body = {
      outletId: place.id,
      items,
      status: 'PARKED',
      ...order,
      ...someone(scene, 0.15),
      ...(!isDelivery && random.chance(0.07) ? { voucherCodes: [VOUCHER] } : {}),
    }
    const { sale: bill } = await place.cashier.post<SaleResponse>('/sales', body)
    const payment = isDelivery
      ? { method: 'TRANSFER', amount: bill.remaining }
      : randomPayment(random, bill.remaining)
    const settled = await place.cashier.post<SaleResponse>(`/sales/${bill.id}/settle`, {
      payments: [payment],
    })
    const kitchen = order.orderType === undefined ? [] : [cook(place, bill.id, [2, 4, 2])]
    return [...kitchen, ...laterCorrections(scene, settled.sale)]
  }

/** An order that a courier takes away. */
export const deliverySale = (scene: Scene): Visit =>
  cafeSale(scene, { orderType: 'DELIVERY', channel: GOFOOD })

/**
 * Batched goods cannot be sold beyond the stock (B-batch-4): a visitor who wants more leaves, and this returns null.
 */
async function nullIfSoldOut<T>({ onMissed }: Scene, sale: Promise<T>): Promise<T | null> {
  try {
    return await sale
  } catch (error) {
    const isSoldOut = error instanceof RefusedCall && error.status === 422 && SOLD_OUT.test(error.param ?? '')
    if (!isSoldOut) throw error
    onMissed()
    return null
  }
}

/** At a table: a bill stays open while guests eat, some order again, some share the bill. */
export const tableSale =
  (scene: Scene): Visit =>
  async () => {
    const tableId = freeTable(scene)
    if (tableId === undefined) return cafeSale(scene, { orderType: 'TAKEAWAY' })()
    const bill = await openBill(scene, tableId)
    const again = scene.random.chance(0.35) ? [secondRound(scene, bill)] : []
    return [cook(scene.place, bill.id, [3, 6, 3]), ...again, settle(scene, bill, tableId)]
  }

/** A bill that is still open when the story ends: its kitchen ticket gets these steps, and part of it is paid. */
export const stillAtTable =
  (scene: Scene, steps: number[], deposit = 0): Visit =>
  async () => {
    const tableId = freeTable(scene)
    if (tableId === undefined) return []
    const bill = await openBill(scene, tableId)
    if (deposit > 0 && deposit < bill.total) {
      await scene.place.cashier.post(`/sales/${bill.id}/payments`, { method: 'QRIS', amount: deposit })
    }
    return steps.length > 0 ? [cook(scene.place, bill.id, steps)] : []
  }

const someone = ({ random, furnished }: Scene, probability: number) =>
  random.chance(probability) ? { customerId: random.pick(furnished.customers) } : {}

function freeTable({ random, furnished, busy }: Scene): string | undefined {
  const free = furnished.tables.filter((table) => !busy.has(table))
  return free.length > 0 ? random.pick(free) : undefined
}

async function openBill(scene: Scene, tableId: string): Promise<Sale> {
  const { random, place, busy } = scene
  busy.add(tableId)
  const items = randomBasket(random, place, 4, 2)
  const body = { outletId: place.id, tableId, items, status: 'PARKED', ...someone(scene, 0.2) }
  return (await place.cashier.post<SaleResponse>('/sales', body)).sale
}

/** The kitchen works through a ticket, one step after the other. */
const cook = (place: DemoShop, saleId: string, [after = 0, ...steps]: number[]): Later => ({
  afterMinutes: after,
  run: async () => {
    await place.cashier.post(`/kds/${saleId}/advance`)
    return steps.length > 0 ? [cook(place, saleId, steps)] : []
  },
})

const secondRound = ({ random, place }: Scene, bill: Sale): Later => ({
  afterMinutes: 22,
  run: async () => {
    const kept = bill.items.map(({ id }) => ({ id }))
    const items = [...kept, randomItem(random, place, 1)]
    await place.cashier.patch(`/sales/${bill.id}/items`, { items })
    return [cook(place, bill.id, [2, 4, 2])]
  },
})

const settle = ({ random, place: { cashier }, busy }: Scene, bill: Sale, tableId: string): Later => ({
  afterMinutes: 50,
  run: async () => {
    const { sale } = await cashier.get<SaleResponse>(`/sales/${bill.id}`)
    if (random.chance(0.2) && sale.remaining > 20_000) {
      const half = Math.floor(sale.remaining / 2_000) * 1_000
      await cashier.post(`/sales/${bill.id}/payments`, { method: 'QRIS', amount: half })
      await cashier.post(`/sales/${bill.id}/payments`, { method: 'CARD', amount: sale.remaining - half })
    } else {
      const payments = sale.remaining > 0 ? [randomPayment(random, sale.remaining)] : []
      await cashier.post(`/sales/${bill.id}/settle`, { payments })
    }
    busy.delete(tableId)
    return []
  },
})

/** A few sales were mistakes, and a few goods come back. */
function laterCorrections({ random, place: { cashier } }: Scene, sale: Sale): Later[] {
  const [first] = sale.items
  const later = (afterMinutes: number, path: string, body: object): Later[] => [
    {
      afterMinutes,
      run: async () => {
        await cashier.post(`/sales/${sale.id}/${path}`, body)
        return []
      },
    },
  ]
  if (random.chance(0.008)) return later(25, 'void', { reason: 'Salah input' })
  if (first === undefined || !random.chance(0.012)) return []
  const lines = [{ transactionItemId: first.id, qty: first.soldBy === 'WEIGHT' ? first.quantity : 1 }]
  return later(random.whole(30, 90), 'refund', { lines, restock: true, reason: 'Pelanggan menukar' })
}
