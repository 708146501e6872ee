import { taxOf } from '../../core/tax.ts'
import type { Furnished, Place, Ware } from './furnish.ts'
import type { Random } from './random.ts'

/** Something that happens later, in minutes from now. */
export type Later = { afterMinutes: number; run(): Promise<Later[]> }
export type Visit = () => Promise<Later[]>

type Line = { variantId: string; quantity: number; unitPrice: number; modifiers: object[]; note?: string }
type Sale = { id: string; total: number; remaining: number; items: { id: string }[] }
type Answer = { sale: Sale }

const BANKNOTES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]
const NOTES = ['Jangan terlalu manis', 'Es sedikit', 'Dibungkus terpisah', 'Tanpa bawang']

/** The people who come in at one outlet: each visit is what the cashier enters, through the routes of the API. */
export function visitorsOf(random: Random, place: Place, { customers, tables }: Furnished) {
  const { cashier, id: outletId } = place
  const busy = new Set<string>()
  const sellable = place.wares.filter(({ weight }) => weight > 0)

  const lineOf = (ware: Ware, most: number): Line => {
    const modifiers = ware.modifiers.flatMap((choices, group) =>
      // The first group asks for a choice; the others are for a few.
      group === 0 || random.chance(0.2) ? [random.pick(choices)] : [],
    )
    const note = modifiers.length > 0 && random.chance(0.06) ? { note: random.pick(NOTES) } : {}
    return {
      variantId: ware.variantId,
      quantity: random.whole(1, most),
      unitPrice: ware.price,
      modifiers,
      ...note,
    }
  }

  const basket = (least: number, most: number, quantity: number): Line[] => {
    const lines = new Map<string, Line>()
    for (let left = random.whole(least, most); left > 0; left--) {
      const ware = random.weighted(sellable)
      lines.set(ware.variantId, lineOf(ware, quantity))
    }
    return [...lines.values()]
  }

  const someone = (probability: number) =>
    random.chance(probability) ? { customerId: random.pick(customers) } : {}

  /** Mostly cash, out of a purse that seldom holds the exact sum. */
  const tender = (total: number) => {
    const method = random.pick(['CASH', 'CASH', 'CASH', 'CASH', 'QRIS', 'QRIS', 'QRIS', 'CARD', 'TRANSFER'])
    if (method !== 'CASH') return { method, amount: total }
    const note = random.pick(BANKNOTES)
    return { method, amount: total, tendered: Math.ceil(total / note) * note }
  }

  const totalOf = (lines: readonly Line[], orderDiscount: number) => {
    const goods = lines.reduce((sum, { quantity, unitPrice, modifiers }) => {
      const extras = (modifiers as { price: number }[]).reduce((total, { price }) => total + price, 0)
      return sum + quantity * (unitPrice + extras)
    }, 0)
    return taxOf(goods - orderDiscount, place).gross
  }

  /** At the counter, paid at once: the sale that tills make all day. */
  const counter =
    (extra: { orderType?: string } = {}): Visit =>
    async () => {
      const items = basket(1, place.key === 'shop' ? 6 : 3, place.key === 'cafe' ? 2 : 3)
      const goods = totalOf(items, 0)
      const orderDiscount = random.chance(0.04) ? Math.floor(goods / 20_000) * 1_000 : 0
      const total = totalOf(items, orderDiscount)
      const { sale } = await cashier.post<Answer>('/sales', {
        outletId,
        items,
        ...extra,
        ...someone(0.15),
        ...(orderDiscount > 0 ? { orderDiscount } : {}),
        ...(total > 0 ? { payments: [tender(total)] } : { status: 'COMPLETED' }),
      })
      const kitchen = extra.orderType === undefined ? [] : [cook(sale.id, [2, 4, 2])]
      return [...kitchen, ...regrets(sale)]
    }

  /** The kitchen works through a ticket, one step after the other. */
  const cook = (saleId: string, [after = 0, ...steps]: number[]): Later => ({
    afterMinutes: after,
    run: async () => {
      await cashier.post(`/kds/${saleId}/advance`)
      return steps.length > 0 ? [cook(saleId, steps)] : []
    },
  })

  const regrets = (sale: Sale): Later[] => {
    const [first] = sale.items
    if (random.chance(0.008)) {
      const run = async () => {
        await cashier.post(`/sales/${sale.id}/void`, { reason: 'Salah input' })
        return []
      }
      return [{ afterMinutes: 25, run }]
    }
    if (first === undefined || !random.chance(0.012)) return []
    const body = {
      lines: [{ transactionItemId: first.id, qty: 1 }],
      restock: true,
      reason: 'Pelanggan menukar',
    }
    const run = async () => {
      await cashier.post(`/sales/${sale.id}/refund`, body)
      return []
    }
    return [{ afterMinutes: random.whole(30, 90), run }]
  }

  const seat = () => {
    const free = tables.filter((table) => !busy.has(table))
    return free.length > 0 ? random.pick(free) : ''
  }
  const openBill = async (tableId: string) => {
    busy.add(tableId)
    const items = basket(1, 4, 2)
    const body = { outletId, tableId, items, status: 'PARKED', ...someone(0.2) }
    return (await cashier.post<Answer>('/sales', body)).sale
  }

  const secondRound = (bill: Sale): Later => ({
    afterMinutes: 22,
    run: async () => {
      const kept = bill.items.map(({ id }) => ({ id }))
      await cashier.patch(`/sales/${bill.id}/items`, {
        items: [...kept, lineOf(random.weighted(sellable), 1)],
      })
      return [cook(bill.id, [2, 4, 2])]
    },
  })

  const settle = (bill: Sale, tableId: string): Later => ({
    afterMinutes: 50,
    run: async () => {
      const { sale } = await cashier.get<Answer>(`/sales/${bill.id}`)
      if (random.chance(0.2) && sale.remaining > 20_000) {
        const half = Math.floor(sale.remaining / 2_000) * 1_000
        await cashier.post(`/sales/${bill.id}/payments`, { method: 'QRIS', amount: half })
        await cashier.post(`/sales/${bill.id}/payments`, { method: 'CARD', amount: sale.remaining - half })
      } else {
        const payments = sale.remaining > 0 ? [tender(sale.remaining)] : []
        await cashier.post(`/sales/${bill.id}/settle`, { payments })
      }
      busy.delete(tableId)
      return []
    },
  })

  /** At a table: a bill stays open while people eat, some order again, some share the bill. */
  const table: Visit = async () => {
    const tableId = seat()
    if (tableId === '') return counter({ orderType: 'TAKEAWAY' })()
    const bill = await openBill(tableId)
    const again = random.chance(0.35) ? [secondRound(bill)] : []
    return [cook(bill.id, [3, 6, 3]), ...again, settle(bill, tableId)]
  }

  /** A bill that is still open when the story ends, its kitchen ticket `steps` steps on, some of it paid. */
  const guestsAtTable =
    (steps: number[], deposit = 0): Visit =>
    async () => {
      const tableId = seat()
      if (tableId === '') return []
      const bill = await openBill(tableId)
      if (deposit > 0 && deposit < bill.total) {
        await cashier.post(`/sales/${bill.id}/payments`, { method: 'QRIS', amount: deposit })
      }
      return steps.length > 0 ? [cook(bill.id, steps)] : []
    }

  return { counter, table, guestsAtTable }
}
