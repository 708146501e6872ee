import { taxOf } from '../core/tax.ts'
import { amountOfWeight } from '../core/weights.ts'
import type { Ware } from './catalogue.ts'
import type { DemoShop } from './furnish.ts'
import type { Random } from './random.ts'

export type BasketItem = {
  variantId: string
  quantity: number
  unitPrice: number
  modifiers: readonly { name: string; price: number; modifierId: string }[]
  note?: string
  packId?: string
}
export type Tender = { method: string; amount: number; tendered?: number }

const BANKNOTES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]
const NOTES = ['Jangan terlalu manis', 'Es sedikit', 'Dibungkus terpisah', 'Tanpa bawang']
const METHODS = ['CASH', 'CASH', 'CASH', 'CASH', 'QRIS', 'QRIS', 'QRIS', 'CARD', 'TRANSFER']

const PACK_SHARE = 0.06

const sellable = ({ wares }: DemoShop) => wares.filter(({ weight }) => weight > 0)

export function randomItem(
  random: Random,
  place: DemoShop,
  most: number,
  ware = random.weighted(sellable(place)),
): BasketItem {
  const modifiers = ware.modifiers.flatMap((choices, group) =>
    // The first group requires a choice; only a few customers choose from the others.
    group === 0 || random.chance(0.2) ? [random.pick(choices)] : [],
  )
  const note = modifiers.length > 0 && random.chance(0.06) ? { note: random.pick(NOTES) } : {}
  return { variantId: ware.variantId, ...randomAmount(random, most, ware), modifiers, ...note }
}

/** Units, a pack, or grams as a scale weighs them. */
function randomAmount(random: Random, most: number, { price: unitPrice, pack, packId, soldBy }: Ware) {
  if (soldBy === 'WEIGHT') return { quantity: random.whole(15, 150) * 10, unitPrice }
  if (pack && packId !== null && random.chance(PACK_SHARE))
    return { packId, quantity: 1, unitPrice: pack.price }
  return { quantity: random.whole(1, most), unitPrice }
}

/** Different items, chosen in proportion to their weights. */
export function randomBasket(random: Random, place: DemoShop, lines: number, quantity: number): BasketItem[] {
  const chosen = new Map<string, Ware>()
  for (let left = random.whole(1, lines); left > 0; left--) {
    const ware = random.weighted(sellable(place))
    chosen.set(ware.variantId, ware)
  }
  return [...chosen.values()].map((ware) => randomItem(random, place, quantity, ware))
}

/** Mostly cash, and rarely the exact sum. */
export function randomPayment(random: Random, total: number): Tender {
  const method = random.pick(METHODS)
  if (method !== 'CASH') return { method, amount: total }
  const note = random.pick(BANKNOTES)
  return { method, amount: total, tendered: Math.ceil(total / note) * note }
}

/** The total that the till shows before it sends the sale. */
export function totalOf(place: DemoShop, lines: readonly BasketItem[], orderDiscount = 0): number {
  const goods = lines.reduce((sum, { variantId, quantity, unitPrice, modifiers }) => {
    const ware = place.wares.find((known) => known.variantId === variantId)
    if (ware?.soldBy === 'WEIGHT') return sum + amountOfWeight(quantity, unitPrice)
    const extras = modifiers.reduce((total, { price }) => total + price, 0)
    return sum + quantity * (unitPrice + extras)
  }, 0)
  return taxOf(goods - orderDiscount, place).gross
}
