import { taxOf } from '../core/tax.ts'
import type { Place, Ware } from './furnish.ts'
import type { Random } from './random.ts'

export type Line = {
  variantId: string
  quantity: number
  unitPrice: number
  modifiers: readonly { name: string; price: number; modifierId: string }[]
  note?: string
}
export type Tender = { method: string; amount: number; tendered?: number }

const BANKNOTES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]
const NOTES = ['Jangan terlalu manis', 'Es sedikit', 'Dibungkus terpisah', 'Tanpa bawang']
const METHODS = ['CASH', 'CASH', 'CASH', 'CASH', 'QRIS', 'QRIS', 'QRIS', 'CARD', 'TRANSFER']

const sellable = ({ wares }: Place) => wares.filter(({ weight }) => weight > 0)

export function anyLine(
  random: Random,
  place: Place,
  most: number,
  ware = random.weighted(sellable(place)),
): Line {
  const modifiers = ware.modifiers.flatMap((choices, group) =>
    // The first group asks for a choice; the others are for a few.
    group === 0 || random.chance(0.2) ? [random.pick(choices)] : [],
  )
  const note = modifiers.length > 0 && random.chance(0.06) ? { note: random.pick(NOTES) } : {}
  const { variantId, price: unitPrice } = ware
  return { variantId, quantity: random.whole(1, most), unitPrice, modifiers, ...note }
}

/** Lines of different wares, asked for as often as their weight says. */
export function anyBasket(random: Random, place: Place, lines: number, quantity: number): Line[] {
  const chosen = new Map<string, Ware>()
  for (let left = random.whole(1, lines); left > 0; left--) {
    const ware = random.weighted(sellable(place))
    chosen.set(ware.variantId, ware)
  }
  return [...chosen.values()].map((ware) => anyLine(random, place, quantity, ware))
}

/** Mostly cash, out of a purse that seldom holds the exact sum. */
export function anyTender(random: Random, total: number): Tender {
  const method = random.pick(METHODS)
  if (method !== 'CASH') return { method, amount: total }
  const note = random.pick(BANKNOTES)
  return { method, amount: total, tendered: Math.ceil(total / note) * note }
}

/** What the customer pays, as the till shows it before the sale is sent. */
export function totalOf(place: Place, lines: readonly Line[], orderDiscount = 0): number {
  const goods = lines.reduce((sum, { quantity, unitPrice, modifiers }) => {
    const extras = modifiers.reduce((total, { price }) => total + price, 0)
    return sum + quantity * (unitPrice + extras)
  }, 0)
  return taxOf(goods - orderDiscount, place).gross
}
