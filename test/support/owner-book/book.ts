import type { Api } from '../api.ts'

// The books of a shop as its owner keeps them with a pencil, by the words of docs/behaviour.md alone. Nothing here
// calls a rule of the service. Every verb sends one request, works out what the service must answer, compares, and
// writes it down. `expectBooks` compares everything written down with reports, drawers and stock.

/** Moves the clock of the service; `clock.set` of `manualClock`. */
type Clock = { set(instant: string): void; now(): string }

export type Terms = {
  taxRateBps: number
  taxInclusive: boolean
  /** Of the goods after discounts, on sales for the table. Only with tax on top. */
  serviceBps: number
  /** The smallest coin: cash is rounded to the nearest multiple; 0 does not round. */
  cashStep: number
}

/** A batch on the shelf. */
export type Pile = { batchNo: string; expiryDate: string; left: number }
/** Goods of the shop. Weighed goods count grams, and cost and price are for a kilogram. */
export type Good = {
  id: string
  name: string
  isWeighed: boolean
  /** Null for the rate of the outlet. */
  taxRateBps: number | null
  level: number
  cost: number
  /** Batches; null if the goods have none. */
  piles: Pile[] | null
  /** What one unit is made of: goods of the shop, and units or grams of each. Null for goods from the shelf. */
  recipe: readonly (readonly [Good, number])[] | null
  /** The ledger: the units moved by each type of movement. */
  moved: Map<string, number>
  /** What customers took less what they brought back: units, and their cost. */
  soldUnits: number
  soldCost: number
}
export type Pack = { id: string; name: string; factor: number }

/** What the customer takes, and the price that the owner expects of a unit, a pack or a kilogram. */
export type Line = {
  good: Good
  pack?: Pack
  quantity: number
  price: number
  /** The price on the label of a scale. */
  label?: number
  /** Extras of each unit. */
  extras?: readonly { name: string; price: number }[]
}
/** A promotion that must apply: what it gives, and the prices by line that share it; without `over` all that is left. */
export type ExpectedPromotion = { name: string; amount: number; over?: Readonly<Record<number, number>> }
export type Receipt = {
  lines: readonly Line[]
  promotions?: readonly ExpectedPromotion[]
  method?: 'CASH' | 'QRIS' | 'CARD' | 'TRANSFER' | 'CREDIT'
  tendered?: number
  /** Other fields of the request, such as orderType, channel or voucherCodes. */
  fields?: Record<string, unknown>
}

type SoldItem = {
  id: string
  line: Line
  units: number
  /** What the customer paid for it, with its share of the service charge. */
  paid: number
  tax: number
  gone: number
  paidBack: number
  /** The goods that left the shelf for it. */
  parts: Part[]
}
type Part = { good: Good; units: number; unitCost: number; taken: [Pile, number][] }
export type Sold = {
  id: string
  day: string
  shift: Shift | null
  method: string
  gross: number
  discounts: number
  promotions: readonly ExpectedPromotion[]
  /** The customer who owes the money of a sale on credit. */
  debtor: string | null
  service: number
  taxes: Map<number, number>
  total: number
  rounding: number
  items: SoldItem[]
  voidedOn: string | null
  refunds: Refunded[]
}
type Refunded = { day: string; amount: number; goods: number; tax: number; service: number; rounding: number }
export type Money = { kind: 'IN' | 'BACK'; method: string; amount: number; rounding: number; sale: Sold }
export type Shift = {
  id: string
  float: number
  money: Money[]
  sales: Sold[]
  paidIn: number
  paidOut: number
  /** Debts that customers paid. */
  debtsPaid: { method: string; amount: number }[]
  /** The Z report as the service gave it at the close. */
  closed: unknown
}
export type Book = {
  api: Api
  clock: Clock
  outletId: string
  terms: Terms
  goods: Good[]
  sales: Sold[]
  shift: Shift | null
  shifts: Shift[]
  expenses: Map<string | null, number>
  /** What customers owe, by customer. */
  debts: Map<string, number>
  days: string[]
}

export const openBook = (api: Api, clock: Clock, outletId: string, terms: Terms): Book => ({
  api,
  clock,
  outletId,
  terms,
  goods: [],
  sales: [],
  shift: null,
  shifts: [],
  expenses: new Map(),
  debts: new Map(),
  days: [],
})

export function addGood(
  book: Book,
  good: Pick<Good, 'id' | 'name'> &
    Partial<Pick<Good, 'isWeighed' | 'taxRateBps' | 'cost' | 'piles' | 'recipe'>>,
): Good {
  const added: Good = {
    isWeighed: false,
    taxRateBps: null,
    cost: 0,
    piles: null,
    recipe: null,
    ...good,
    level: 0,
    moved: new Map(),
    soldUnits: 0,
    soldCost: 0,
  }
  book.goods.push(added)
  return added
}

/** Monday to Sunday. */
export const WEEK = [
  '2026-11-23',
  '2026-11-24',
  '2026-11-25',
  '2026-11-26',
  '2026-11-27',
  '2026-11-28',
  '2026-11-29',
] as const

export const sum = (numbers: Iterable<number>): number =>
  [...numbers].reduce((total, each) => total + each, 0)
/** `amount` × `part` / `whole`, half up, by school arithmetic. */
export const portion = (amount: number, part: number, whole: number): number =>
  Math.floor((2 * amount * part + whole) / (2 * whole))
export const rounded = (amount: number, step: number): number =>
  step === 0 ? amount : Math.floor((amount + step / 2) / step) * step

/** Shares an amount by weights: each gets its whole rupiah, and the rest goes to the largest remainders. */
export function share(amount: number, weights: readonly number[]): number[] {
  const whole = sum(weights)
  if (whole === 0) return weights.map(() => 0)
  const shares = weights.map((weight) => Math.floor((amount * weight) / whole))
  const order = weights
    .map((weight, at) => ({ at, remainder: (amount * weight) % whole }))
    .sort((a, b) => b.remainder - a.remainder || a.at - b.at)
  for (const { at } of order.slice(0, amount - sum(shares))) shares[at] = (shares[at] ?? 0) + 1
  return shares
}

/** Jakarta is seven hours ahead of UTC all year. */
export const at = (book: Book, day: string, time: string) =>
  book.clock.set(new Date(Date.parse(`${day}T${time}:00.000Z`) - 7 * 3_600_000).toISOString())
export const today = (book: Book): string =>
  new Date(Date.parse(book.clock.now()) + 7 * 3_600_000).toISOString().slice(0, 10)

export const isGrams = ({ good, pack }: Line) => good.isWeighed && pack === undefined
export const unitsIn = ({ pack }: Line, quantity: number) => quantity * (pack?.factor ?? 1)
export function grossOf(line: Line): number {
  const extras = sum((line.extras ?? []).map(({ price }) => price))
  if (line.label !== undefined) return line.label
  if (isGrams(line)) return portion(line.quantity, line.price, 1_000) + extras
  return line.quantity * (line.price + extras)
}
/** What units cost; of an owed quantity the same amount below zero. */
export const costOf = (good: Good, units: number, cost: number): number => {
  if (units < 0) return 0 - costOf(good, -units, cost)
  return good.isWeighed ? portion(units, cost, 1_000) : units * cost
}

export function move(good: Good, type: string, units: number): void {
  good.level += units
  good.moved.set(type, (good.moved.get(type) ?? 0) + units)
}

/** What a customer owes more or, below zero, less. */
export const owe = ({ debts }: Book, customerId: string, amount: number) =>
  debts.set(customerId, (debts.get(customerId) ?? 0) + amount)

/** Takes units from the batches that expire first and can still be sold today. */
function takeFromPiles(good: Good, units: number, day: string): [Pile, number][] {
  const taken: [Pile, number][] = []
  let wanted = units
  const fresh = (good.piles ?? []).filter((pile) => pile.expiryDate >= day)
  for (const pile of fresh.sort((a, b) => a.expiryDate.localeCompare(b.expiryDate))) {
    const from = Math.min(pile.left, wanted)
    if (from === 0) continue
    pile.left -= from
    wanted -= from
    taken.push([pile, from])
  }
  return taken
}

/** What the customer takes home leaves the shelf, and so do the ingredients of what was made. */
export function handOver(book: Book, sold: Sold): void {
  for (const item of sold.items) {
    const { good } = item.line
    good.soldUnits += item.units
    item.parts = (good.recipe ?? [[good, 1] as const]).map(([part, each]) => {
      const units = each * item.units
      good.soldCost += costOf(part, units, part.cost)
      move(part, 'SALE', -units)
      return { good: part, units, unitCost: part.cost, taken: takeFromPiles(part, units, today(book)) }
    })
  }
}

/** Puts units of an item back where they came from, the batch used last first. */
export function putBack({ line, units: all, parts }: SoldItem, units: number, type: string): void {
  for (const { good, units: used, unitCost, taken } of parts) {
    const back = (used * units) / all
    move(good, type, back)
    line.good.soldCost -= costOf(good, back, unitCost)
    let left = back
    for (const place of [...taken].reverse()) {
      const put = Math.min(place[1], left)
      place[0].left += put
      place[1] -= put
      left -= put
    }
  }
}

/** Goods are missing: the batch that expires first is the first to lose units, expired or not. */
export function lose(good: Good, units: number): void {
  move(good, 'ADJUSTMENT', -units)
  let left = units
  for (const pile of [...(good.piles ?? [])].sort((a, b) => a.expiryDate.localeCompare(b.expiryDate))) {
    const from = Math.min(pile.left, left)
    pile.left -= from
    left -= from
  }
}
