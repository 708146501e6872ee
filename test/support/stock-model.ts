import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answer, Api } from './api.ts'

/** What the shop really is: served over HTTP, only ids are known to the model. */
export type Shop = {
  api: Api
  outlets: string[]
  goods: { id: string; requiresBatch: boolean }[]
  /** A composite: its variant, and [index into goods, units] of every component. */
  composite: { id: string; recipe: [number, number][] }
  nextDay(): void
}

type Sold = {
  id: string
  outlet: number
  itemId: string
  units: Map<number, number>
  left: number
  refunded: boolean
}
type Ordered = { id: string; outlet: number; lines: Map<number, number> }

/** What the shop ought to be: units by outlet and variant, worked out without any rule of the service. */
export type Books = {
  blocks: boolean
  levels: Map<string, number>
  sales: Sold[]
  orders: Ordered[]
}

export const emptyBooks = (blocks: boolean): Books => ({ blocks, levels: new Map(), sales: [], orders: [] })

export type StockCommand = fc.AsyncCommand<Books, Shop>

const keyOf = (outlet: number, variant: number) => `${outlet} ${variant}`
const levelOf = (books: Books, outlet: number, variant: number) =>
  books.levels.get(keyOf(outlet, variant)) ?? 0
const add = (books: Books, outlet: number, variant: number, qty: number) =>
  books.levels.set(keyOf(outlet, variant), levelOf(books, outlet, variant) + qty)

/** Every level the service tells equals the books, and what the books never touched is 0. */
export async function expectLevels(books: Books, { api, outlets, goods }: Shop) {
  const { data } = await api.get('/inventory/levels')
  const told: Record<string, number> = {}
  for (const { outletId, variantId, quantity } of data.levels) {
    const variant = goods.findIndex((each) => each.id === variantId)
    if (quantity !== 0) told[keyOf(outlets.indexOf(outletId), variant)] = quantity
  }
  const written = [...books.levels].filter(([, quantity]) => quantity !== 0)
  expect(told).toEqual(Object.fromEntries(written))
}

const outletOf = (shop: Shop, index: number) => shop.outlets[index] ?? ''
const goodsOf = (shop: Shop, index: number) => shop.goods[index] ?? { id: '', requiresBatch: false }
const expectStatus = (answer: Answer, status: number) =>
  expect([answer.status, answer.error?.message ?? null]).toEqual([
    status,
    status < 300 ? null : expect.any(String),
  ])

/** A command that may always be tried; `say` is how it reads in a counterexample. */
const always = (say: string, run: (books: Books, shop: Shop) => Promise<void>): StockCommand => ({
  check: () => true,
  run: async (books, shop) => {
    await run(books, shop)
    await expectLevels(books, shop)
  },
  toString: () => say,
})

export const adjust = (outlet: number, variant: number, qtyDelta: number): StockCommand =>
  always(`adjust(${outlet}, ${variant}, ${qtyDelta})`, async (books, shop) => {
    const { id, requiresBatch } = goodsOf(shop, variant)
    const answer = await shop.api.post('/inventory/adjust', {
      outletId: outletOf(shop, outlet),
      variantId: id,
      qtyDelta,
    })
    const tooMuch = -qtyDelta > Math.max(0, levelOf(books, outlet, variant))
    if (qtyDelta === 0 || (tooMuch && (books.blocks || requiresBatch))) return expectStatus(answer, 422)
    expectStatus(answer, 200)
    add(books, outlet, variant, qtyDelta)
  })

export const receiveBatch = (
  outlet: number,
  variant: number,
  batch: { qty: number; batchNo: string; expiryDate: string | null; cost: number },
): StockCommand =>
  always(`batch(${outlet}, ${variant}, ${JSON.stringify(batch)})`, async (books, shop) => {
    const body = { outletId: outletOf(shop, outlet), variantId: goodsOf(shop, variant).id, ...batch }
    expectStatus(await shop.api.post('/inventory/batches', body), 201)
    add(books, outlet, variant, batch.qty)
  })

export const transfer = (from: number, to: number, variant: number, qty: number): StockCommand =>
  always(`transfer(${from}, ${to}, ${variant}, ${qty})`, async (books, shop) => {
    const answer = await shop.api.post('/inventory/transfer', {
      fromOutletId: outletOf(shop, from),
      toOutletId: outletOf(shop, to),
      variantId: goodsOf(shop, variant).id,
      qty,
    })
    if (from === to || qty > levelOf(books, from, variant)) return expectStatus(answer, 422)
    expectStatus(answer, 200)
    add(books, from, variant, -qty)
    add(books, to, variant, qty)
  })

export const order = (outlet: number, lines: readonly { variant: number; qty: number }[]): StockCommand =>
  always(`order(${outlet}, ${JSON.stringify(lines)})`, async (books, shop) => {
    const { data } = await shop.api.post('/purchase-orders', {
      outletId: outletOf(shop, outlet),
      items: lines.map(({ variant, qty }) => ({ variantId: goodsOf(shop, variant).id, qty, cost: 100 })),
    })
    const { id } = data.purchaseOrder
    expectStatus(await shop.api.post(`/purchase-orders/${id}/order`), 200)
    books.orders.push({ id, outlet, lines: new Map(lines.map(({ variant, qty }) => [variant, qty])) })
  })

export const receiveOrder = (pick: number, variant: number, qty: number): StockCommand => ({
  ...always(`receive(${pick}, ${variant}, ${qty})`, async (books, shop) => {
    const which = books.orders[pick % books.orders.length]
    if (!which) return
    const row = { variantId: goodsOf(shop, variant).id, qty, batchNo: `PO ${pick}` }
    const answer = await shop.api.post(`/purchase-orders/${which.id}/receive`, { items: [row] })
    const outstanding = which.lines.get(variant) ?? 0
    const isClosed = [...which.lines.values()].every((left) => left === 0)
    if (isClosed) return expectStatus(answer, 409)
    if (qty > outstanding) return expectStatus(answer, 422)
    expectStatus(answer, 200)
    which.lines.set(variant, outstanding - qty)
    add(books, which.outlet, variant, qty)
  }),
  check: (books) => books.orders.length > 0,
})

/** Units of each variant that selling takes; `what` beyond the goods is the composite. */
const unitsOf = ({ goods, composite }: Shop, what: number, qty: number): Map<number, number> =>
  what < goods.length
    ? new Map([[what, qty]])
    : new Map(composite.recipe.map(([component, units]) => [component, units * qty]))

/** What may be sold of a variant: counted from the batches that the service itself lists. */
async function sellable(books: Books, shop: Shop, outlet: number, variant: number): Promise<number> {
  const { id, requiresBatch } = goodsOf(shop, variant)
  const query = `outletId=${outletOf(shop, outlet)}&variantId=${id}`
  const { data } = await shop.api.get(`/inventory/batches?${query}`)
  const held = (isExpired: boolean) =>
    data.batches
      .filter((batch: { isExpired: boolean }) => batch.isExpired === isExpired)
      .reduce((total: number, batch: { remainingQty: number }) => total + batch.remainingQty, 0)
  return requiresBatch ? held(false) : levelOf(books, outlet, variant) - held(true)
}

export const sell = (outlet: number, what: number, qty: number): StockCommand =>
  always(`sell(${outlet}, ${what}, ${qty})`, async (books, shop) => {
    const units = unitsOf(shop, what, qty)
    let refused = false
    for (const [variant, wanted] of units) {
      const strict = books.blocks || goodsOf(shop, variant).requiresBatch
      if (strict && wanted > (await sellable(books, shop, outlet, variant))) refused = true
    }
    const variantId = what < shop.goods.length ? goodsOf(shop, what).id : shop.composite.id
    const answer = await shop.api.post('/sales', {
      outletId: outletOf(shop, outlet),
      items: [{ variantId, quantity: qty }],
      status: 'COMPLETED',
    })
    if (refused) return expectStatus(answer, 422)
    expectStatus(answer, 201)
    for (const [variant, wanted] of units) add(books, outlet, variant, -wanted)
    const { id, items } = answer.data.sale
    books.sales.push({
      id,
      outlet,
      itemId: items[0].id,
      units: unitsOf(shop, what, 1),
      left: qty,
      refunded: false,
    })
  })

export const voidSale = (pick: number): StockCommand => ({
  ...always(`void(${pick})`, async (books, shop) => {
    const sale = books.sales[pick % books.sales.length]
    if (!sale) return
    const answer = await shop.api.post(`/sales/${sale.id}/void`, {})
    if (sale.refunded || sale.left === 0) return expectStatus(answer, 409)
    expectStatus(answer, 200)
    for (const [variant, units] of sale.units) add(books, sale.outlet, variant, units * sale.left)
    sale.left = 0
  }),
  check: (books) => books.sales.length > 0,
})

export const refund = (pick: number, qty: number, restock: boolean): StockCommand => ({
  ...always(`refund(${pick}, ${qty}, ${restock})`, async (books, shop) => {
    const sale = books.sales[pick % books.sales.length]
    if (!sale) return
    const lines = [{ transactionItemId: sale.itemId, qty }]
    const answer = await shop.api.post(`/sales/${sale.id}/refund`, { lines, restock })
    if (sale.left === 0) return expectStatus(answer, 409)
    if (qty > sale.left) return expectStatus(answer, 422)
    expectStatus(answer, 200)
    sale.left -= qty
    sale.refunded = true
    if (restock) for (const [variant, units] of sale.units) add(books, sale.outlet, variant, units * qty)
  }),
  check: (books) => books.sales.length > 0,
})

export const nextDay: StockCommand = always('nextDay()', async (_, shop) => shop.nextDay())

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
  return [
    fc.tuple(outlet, variant, fc.integer({ min: -15, max: 15 })).map((args) => adjust(...args)),
    fc.tuple(outlet, variant, batch).map((args) => receiveBatch(...args)),
    fc.tuple(outlet, outlet, variant, qty).map((args) => transfer(...args)),
    fc.tuple(outlet, lines).map((args) => order(...args)),
    fc.tuple(pick, variant, qty).map((args) => receiveOrder(...args)),
    fc.tuple(outlet, fc.nat({ max: goods }), fc.integer({ min: 1, max: 5 })).map((args) => sell(...args)),
    pick.map((args) => voidSale(args)),
    fc.tuple(pick, fc.integer({ min: 1, max: 3 }), fc.boolean()).map((args) => refund(...args)),
    fc.constant(nextDay),
  ]
}
