import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answer, Api } from './api.ts'

// The shop as a clerk with a pencil would keep it: every unit is taken or put back one by one, by the words of
// docs/behaviour.md alone. Nothing here calls a rule of the service.

/** What the shop really is: served over HTTP. Commands name outlets and goods by their index. */
export type Shop = {
  api: Api
  outlets: string[]
  goods: { id: string; requiresBatch: boolean }[]
  /** A composite: its variant, and [index into goods, units] of every component. */
  composite: { id: string; recipe: [number, number][] }
  /** The calendar day at an outlet. */
  today(outlet: number): string
  laterOn(): void
}

type Pile = { batchNo: string; expiryDate: string | null; age: number; qty: number }
/** A variant at an outlet: units with a label, in piles, and units without, which may be owed. */
type Shelf = { loose: number; piles: Pile[] }
/** Where one unit came from: a pile, or null for loose units. */
type Unit = Pile | null

type Sold = { id: string; outlet: number; itemId: string; left: number; refunded: boolean; taken: Taken[] }
/** Units of one variant in order of use; `perPiece` of them went into one piece of the line, `back` are back. */
type Taken = { variant: number; perPiece: number; units: Unit[]; back: number }
type Ordered = { id: string; outlet: number; lines: Map<number, number> }

export type Books = {
  blocks: boolean
  shelves: Map<string, Shelf>
  sales: Sold[]
  orders: Ordered[]
  /** Counts piles as they are made: the older of two goes first. */
  age: number
}

export const emptyBooks = (blocks: boolean): Books => ({
  blocks,
  shelves: new Map(),
  sales: [],
  orders: [],
  age: 0,
})

export type StockCommand = fc.AsyncCommand<Books, Shop>

function shelfOf(books: Books, outlet: number, variant: number): Shelf {
  const key = `${outlet} ${variant}`
  const shelf = books.shelves.get(key) ?? { loose: 0, piles: [] }
  books.shelves.set(key, shelf)
  return shelf
}

const piled = (piles: readonly Pile[]) => piles.reduce((total, pile) => total + pile.qty, 0)
const levelOf = (shelf: Shelf) => shelf.loose + piled(shelf.piles)
const isGone = (pile: Pile, today: string) => pile.expiryDate !== null && pile.expiryDate < today

const NEVER = '9999-99-99'

/** The pile whose turn it is: earliest date, undated last, then the oldest. */
const firstOf = (piles: readonly Pile[]): Pile | undefined =>
  piles
    .filter((pile) => pile.qty > 0)
    .sort((a, b) => (a.expiryDate ?? NEVER).localeCompare(b.expiryDate ?? NEVER) || a.age - b.age)[0]

/** Takes one unit, as a sale, a count or a transfer would (B-stock-3, B-stock-7, B-batch-3). */
function takeOne(shelf: Shelf, why: 'sale' | 'adjust' | 'transfer', today: string): Unit {
  const fresh = firstOf(shelf.piles.filter((pile) => !isGone(pile, today)))
  const any = firstOf(shelf.piles)
  let from: Pile | undefined
  if (why === 'sale') from = fresh
  else if (why === 'adjust') from = shelf.loose > 0 ? undefined : any
  else from = fresh ?? (shelf.loose > 0 ? undefined : any)
  if (from) from.qty -= 1
  else shelf.loose -= 1
  return from ?? null
}

function putOne(books: Books, shelf: Shelf, label: Pick<Pile, 'batchNo' | 'expiryDate'> | null) {
  if (label === null) {
    shelf.loose += 1
    return
  }
  let pile = shelf.piles.find(
    ({ batchNo, expiryDate }) => batchNo === label.batchNo && expiryDate === label.expiryDate,
  )
  if (!pile) {
    books.age += 1
    pile = { batchNo: label.batchNo, expiryDate: label.expiryDate, age: books.age, qty: 0 }
    shelf.piles.push(pile)
  }
  pile.qty += 1
}

const repeat = (n: number, run: () => void) => {
  for (let i = 0; i < n; i += 1) run()
}

/** Levels and batches as the service tells them are the shelves, to the unit. */
export async function expectShelves(books: Books, { api, outlets, goods }: Shop) {
  const told: Record<string, number> = {}
  const nameOf = (outletId: string, variantId: string) =>
    `${outlets.indexOf(outletId)} ${goods.findIndex((each) => each.id === variantId)}`
  for (const { outletId, variantId, quantity } of (await api.get('/inventory/levels')).data.levels)
    if (quantity !== 0) told[nameOf(outletId, variantId)] = quantity
  for (const batch of (await api.get('/inventory/batches')).data.batches) {
    const { outletId, variantId, batchNo, expiryDate, remainingQty } = batch
    told[`${nameOf(outletId, variantId)} ${batchNo} ${expiryDate}`] = remainingQty
  }
  const kept: Record<string, number> = {}
  for (const [key, shelf] of books.shelves) {
    if (levelOf(shelf) !== 0) kept[key] = levelOf(shelf)
    for (const { batchNo, expiryDate, qty } of shelf.piles)
      if (qty > 0) kept[`${key} ${batchNo} ${expiryDate}`] = qty
  }
  expect(told).toEqual(kept)
}

const outletOf = (shop: Shop, index: number) => shop.outlets[index] ?? ''
const goodsOf = (shop: Shop, index: number) => shop.goods[index] ?? { id: '', requiresBatch: false }
const expectStatus = (answer: Answer, status: number) =>
  expect([answer.status, answer.error?.message ?? null]).toEqual([
    status,
    status < 300 ? null : expect.any(String),
  ])

/** A command; `say` is how it reads in a counterexample. */
const command = (
  say: string,
  run: (books: Books, shop: Shop) => Promise<void>,
  check: (books: Readonly<Books>) => boolean = () => true,
): StockCommand => ({
  check,
  run: async (books, shop) => {
    await run(books, shop)
    await expectShelves(books, shop)
  },
  toString: () => say,
})

export const adjust = (outlet: number, variant: number, qtyDelta: number): StockCommand =>
  command(`adjust(${outlet}, ${variant}, ${qtyDelta})`, async (books, shop) => {
    const { id, requiresBatch } = goodsOf(shop, variant)
    const shelf = shelfOf(books, outlet, variant)
    const answer = await shop.api.post('/inventory/adjust', {
      outletId: outletOf(shop, outlet),
      variantId: id,
      qtyDelta,
    })
    const tooMuch = -qtyDelta > Math.max(0, levelOf(shelf))
    if (qtyDelta === 0 || (tooMuch && (books.blocks || requiresBatch))) return expectStatus(answer, 422)
    expectStatus(answer, 200)
    repeat(qtyDelta, () => putOne(books, shelf, null))
    repeat(-qtyDelta, () => takeOne(shelf, 'adjust', shop.today(outlet)))
  })

export const receiveBatch = (
  outlet: number,
  variant: number,
  batch: { qty: number; batchNo: string; expiryDate: string | null; cost: number },
): StockCommand =>
  command(`batch(${outlet}, ${variant}, ${JSON.stringify(batch)})`, async (books, shop) => {
    const body = { outletId: outletOf(shop, outlet), variantId: goodsOf(shop, variant).id, ...batch }
    expectStatus(await shop.api.post('/inventory/batches', body), 201)
    repeat(batch.qty, () => putOne(books, shelfOf(books, outlet, variant), batch))
  })

export const transfer = (from: number, to: number, variant: number, qty: number): StockCommand =>
  command(`transfer(${from}, ${to}, ${variant}, ${qty})`, async (books, shop) => {
    const answer = await shop.api.post('/inventory/transfer', {
      fromOutletId: outletOf(shop, from),
      toOutletId: outletOf(shop, to),
      variantId: goodsOf(shop, variant).id,
      qty,
    })
    const [source, target] = [shelfOf(books, from, variant), shelfOf(books, to, variant)]
    if (from === to || qty > levelOf(source)) return expectStatus(answer, 422)
    expectStatus(answer, 200)
    repeat(qty, () => putOne(books, target, takeOne(source, 'transfer', shop.today(from))))
  })

export const order = (outlet: number, lines: readonly { variant: number; qty: number }[]): StockCommand =>
  command(`order(${outlet}, ${JSON.stringify(lines)})`, async (books, shop) => {
    const { data } = await shop.api.post('/purchase-orders', {
      outletId: outletOf(shop, outlet),
      items: lines.map(({ variant, qty }) => ({ variantId: goodsOf(shop, variant).id, qty, cost: 100 })),
    })
    const { id } = data.purchaseOrder
    expectStatus(await shop.api.post(`/purchase-orders/${id}/order`), 200)
    books.orders.push({ id, outlet, lines: new Map(lines.map(({ variant, qty }) => [variant, qty])) })
  })

export const receiveOrder = (pick: number, variant: number, qty: number): StockCommand =>
  command(
    `receive(${pick}, ${variant}, ${qty})`,
    async (books, shop) => {
      const which = books.orders[pick % books.orders.length]
      if (!which) return
      const row = { variantId: goodsOf(shop, variant).id, qty, batchNo: 'A' }
      const answer = await shop.api.post(`/purchase-orders/${which.id}/receive`, { items: [row] })
      const outstanding = which.lines.get(variant) ?? 0
      if ([...which.lines.values()].every((left) => left === 0)) return expectStatus(answer, 409)
      if (qty > outstanding) return expectStatus(answer, 422)
      expectStatus(answer, 200)
      which.lines.set(variant, outstanding - qty)
      const label = { batchNo: 'A', expiryDate: null }
      repeat(qty, () => putOne(books, shelfOf(books, which.outlet, variant), label))
    },
    (books) => books.orders.length > 0,
  )

/** What one piece takes; `what` beyond the goods is the composite. */
const recipeOf = ({ goods, composite }: Shop, what: number): [number, number][] =>
  what < goods.length ? [[what, 1]] : composite.recipe

function maySell(books: Books, shop: Shop, outlet: number, variant: number, wanted: number): boolean {
  const shelf = shelfOf(books, outlet, variant)
  const gone = piled(shelf.piles.filter((pile) => isGone(pile, shop.today(outlet))))
  if (goodsOf(shop, variant).requiresBatch) return wanted <= piled(shelf.piles) - gone
  return !books.blocks || wanted <= levelOf(shelf) - gone
}

export const sell = (outlet: number, what: number, qty: number): StockCommand =>
  command(`sell(${outlet}, ${what}, ${qty})`, async (books, shop) => {
    const recipe = recipeOf(shop, what)
    const allowed = recipe.every(([variant, units]) => maySell(books, shop, outlet, variant, units * qty))
    const answer = await shop.api.post('/sales', {
      outletId: outletOf(shop, outlet),
      items: [
        { variantId: what < shop.goods.length ? goodsOf(shop, what).id : shop.composite.id, quantity: qty },
      ],
      status: 'COMPLETED',
    })
    if (!allowed) return expectStatus(answer, 422)
    expectStatus(answer, 201)
    const taken = recipe.map(([variant, perPiece]): Taken => {
      const units: Unit[] = []
      const shelf = shelfOf(books, outlet, variant)
      repeat(perPiece * qty, () => units.push(takeOne(shelf, 'sale', shop.today(outlet))))
      return { variant, perPiece, units, back: 0 }
    })
    const { id, items } = answer.data.sale
    books.sales.push({ id, outlet, itemId: items[0].id, left: qty, refunded: false, taken })
  })

/** Puts pieces back where their units came from, the last used first (B-batch-3). */
function giveBack(books: Books, sale: Sold, pieces: number) {
  for (const taken of sale.taken) {
    const shelf = shelfOf(books, sale.outlet, taken.variant)
    repeat(pieces * taken.perPiece, () => {
      putOne(books, shelf, taken.units[taken.units.length - 1 - taken.back] ?? null)
      taken.back += 1
    })
  }
}

export const voidSale = (pick: number): StockCommand =>
  command(
    `void(${pick})`,
    async (books, shop) => {
      const sale = books.sales[pick % books.sales.length]
      if (!sale) return
      const answer = await shop.api.post(`/sales/${sale.id}/void`, {})
      if (sale.refunded || sale.left === 0) return expectStatus(answer, 409)
      expectStatus(answer, 200)
      giveBack(books, sale, sale.left)
      sale.left = 0
    },
    (books) => books.sales.length > 0,
  )

export const refund = (pick: number, qty: number, restock: boolean): StockCommand =>
  command(
    `refund(${pick}, ${qty}, ${restock})`,
    async (books, shop) => {
      const sale = books.sales[pick % books.sales.length]
      if (!sale) return
      const lines = [{ transactionItemId: sale.itemId, qty }]
      const answer = await shop.api.post(`/sales/${sale.id}/refund`, { lines, restock })
      if (sale.left === 0) return expectStatus(answer, 409)
      if (qty > sale.left) return expectStatus(answer, 422)
      expectStatus(answer, 200)
      sale.left -= qty
      sale.refunded = true
      if (restock) giveBack(books, sale, qty)
    },
    (books) => books.sales.length > 0,
  )

export const laterOn: StockCommand = command('laterOn()', async (_, shop) => shop.laterOn())

/** Everything that happens on random days; a new verb of the shop is one more line here. */
export function stockCommands(
  { outlets, goods }: { outlets: number; goods: number },
  dates: readonly string[],
) {
  const outlet = fc.nat({ max: outlets - 1 })
  const variant = fc.nat({ max: goods - 1 })
  const qty = fc.integer({ min: 1, max: 12 })
  const pick = fc.nat({ max: 20 })
  const batch = fc.record({
    qty,
    batchNo: fc.constantFrom('A', 'B'),
    expiryDate: fc.constantFrom(null, ...dates),
    cost: fc.nat({ max: 500 }),
  })
  const lines = fc.uniqueArray(fc.record({ variant, qty }), {
    minLength: 1,
    maxLength: 2,
    selector: (line) => line.variant,
  })
  const buy = fc.tuple(outlet, variant, batch).map((args) => receiveBatch(...args))
  const sale = fc
    .tuple(outlet, fc.nat({ max: goods }), fc.integer({ min: 1, max: 5 }))
    .map((args) => sell(...args))
  return [
    fc.tuple(outlet, variant, fc.integer({ min: -15, max: 15 })).map((args) => adjust(...args)),
    // Buying and selling twice as often as the rest, so that there is something to give back.
    buy,
    buy,
    sale,
    sale,
    fc.tuple(outlet, outlet, variant, qty).map((args) => transfer(...args)),
    fc.tuple(outlet, lines).map((args) => order(...args)),
    fc.tuple(pick, variant, qty).map((args) => receiveOrder(...args)),
    pick.map((args) => voidSale(args)),
    fc.tuple(pick, fc.integer({ min: 1, max: 3 }), fc.boolean()).map((args) => refund(...args)),
    fc.constant(laterOn),
  ]
}
