import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Answer, Api } from '../support/api.ts'
import { makeCard, makeCustomer, makeOutlet, makeVariant, openShift } from '../support/build.ts'
import { assertInvariants, done, saleOf } from '../support/expect.ts'
import { deps, useService, workspace } from '../support/service.ts'
import { type Draw, drawFrom } from './draw.ts'
import { inEpisodes, RUNS } from './options.ts'

// The counter as an owner with a pencil would keep it, by the words of docs/behaviour.md alone: goods, drawer, card and
// points. Nothing here calls a rule of the service.

useService()

const TAX_BPS = 1_100
const RUPIAH_PER_POINT = 10_000
const FLOAT = 200_000
const CARD = 5_000_000
const PRICES = [12_345, 7_777, 25_000]

type Sold = {
  id: string
  paidBy: 'CASH' | 'QRIS' | 'GIFT_CARD'
  known: boolean
  items: { id: string; good: number; quantity: number; left: number; paid: number }[]
  goods: number
  goodsBack: number
  earned: number
  state: 'OPEN' | 'SOLD' | 'OVER'
}
type Model = { stock: number[]; drawer: number; card: number; points: number; sales: Sold[] }
type Shop = { api: Api; outletId: string; shiftId: string; goods: string[]; customerId: string; code: string }

const halfUp = (amount: number, bps: number) => Math.floor((2 * amount * bps + 10_000) / 20_000)

async function openShop(): Promise<{ shop: Shop; model: Model }> {
  const api = await workspace('Model')
  const outletId = await makeOutlet(api, { taxRateBps: TAX_BPS })
  const goods: string[] = []
  for (const price of PRICES) goods.push(await makeVariant(api, { price }))
  done(await api.put('/settings', { loyaltyRupiahPerPoint: RUPIAH_PER_POINT }))
  const card = await makeCard(api, CARD)
  const shop = {
    api,
    outletId,
    goods,
    shiftId: await openShift(api, outletId, FLOAT),
    customerId: await makeCustomer(api),
    code: card.code,
  }
  return { shop, model: { stock: PRICES.map(() => 0), drawer: FLOAT, card: CARD, points: 0, sales: [] } }
}

type Step = (draw: Draw, shop: Shop, model: Model) => Promise<void>

/** Books what a completed sale does to goods, money and points. */
function complete(model: Model, sale: Sold, total: number): void {
  for (const { good, quantity } of sale.items) model.stock[good] = (model.stock[good] ?? 0) - quantity
  if (sale.paidBy === 'CASH') model.drawer += total
  if (sale.paidBy === 'GIFT_CARD') model.card -= total
  sale.earned = sale.known ? Math.floor(sale.goods / RUPIAH_PER_POINT) : 0
  model.points += sale.earned
  sale.state = 'SOLD'
}

const totalOf = (goods: number) => goods + halfUp(goods, TAX_BPS)

const sell: Step = async (draw, shop, model) => {
  const chosen = draw(
    fc.uniqueArray(fc.record({ good: fc.nat({ max: 2 }), quantity: fc.integer({ min: 1, max: 9 }) }), {
      minLength: 1,
      maxLength: 3,
      selector: ({ good }) => good,
    }),
  )
  const paidBy = draw.one(['CASH', 'QRIS', 'GIFT_CARD'] as const)
  const known = draw.percent(50)
  const isBill = draw.percent(30)
  const goods = chosen.reduce((sum, { good, quantity }) => sum + (PRICES[good] ?? 0) * quantity, 0)
  const total = totalOf(goods)
  const payments = [
    { method: paidBy, amount: total, ...(paidBy === 'GIFT_CARD' && { reference: shop.code }) },
  ]
  const answer = await shop.api.post('/sales', {
    outletId: shop.outletId,
    items: chosen.map(({ good, quantity }) => ({ variantId: shop.goods[good], quantity })),
    ...(known && { customerId: shop.customerId }),
    ...(isBill ? { status: 'PARKED' } : { status: 'COMPLETED', payments }),
  })
  if (paidBy === 'GIFT_CARD' && !isBill && total > model.card) return refused(answer, 422)
  const { sale } = done(answer)
  expect(sale.total).toBe(total)
  const made: Sold = {
    id: sale.id,
    paidBy,
    known,
    items: chosen.map(({ good, quantity }, index) => ({
      id: sale.items[index].id,
      good,
      quantity,
      left: quantity,
      paid: sale.items[index].lineTotal,
    })),
    goods,
    goodsBack: 0,
    earned: 0,
    state: 'OPEN',
  }
  // Each item's share of the tax is the service's choice; the shares add up to the whole.
  expect(made.items.reduce((sum, { paid }) => sum + paid, 0)).toBe(total)
  model.sales.push(made)
  if (!isBill) complete(model, made, total)
}

const refused = (answer: Answer, status: number): void => expect(answer.status, answer.text).toBe(status)

const anySale = (draw: Draw, model: Model): Sold | undefined =>
  model.sales.length === 0 ? undefined : draw.one(model.sales)

const payBill: Step = async (draw, shop, model) => {
  const sale = anySale(draw, model)
  if (!sale) return
  const total = totalOf(sale.goods)
  const answer = await shop.api.post(`/sales/${sale.id}/payments`, {
    method: sale.paidBy,
    amount: total,
    ...(sale.paidBy === 'GIFT_CARD' && { reference: shop.code }),
  })
  if (sale.state !== 'OPEN') return refused(answer, 409)
  if (sale.paidBy === 'GIFT_CARD' && total > model.card) return refused(answer, 422)
  done(answer)
  complete(model, sale, total)
}

const discard: Step = async (draw, shop, model) => {
  const sale = anySale(draw, model)
  if (!sale) return
  const answer = await shop.api.post(`/sales/${sale.id}/discard`)
  if (sale.state !== 'OPEN') return refused(answer, 409)
  done(answer)
  sale.state = 'OVER'
}

const voidSale: Step = async (draw, shop, model) => {
  const sale = anySale(draw, model)
  if (!sale) return
  const answer = await shop.api.post(`/sales/${sale.id}/void`)
  if (sale.state !== 'SOLD' || sale.goodsBack > 0) return refused(answer, 409)
  done(answer)
  const total = totalOf(sale.goods)
  for (const { good, quantity } of sale.items) model.stock[good] = (model.stock[good] ?? 0) + quantity
  if (sale.paidBy === 'CASH') model.drawer -= total
  if (sale.paidBy === 'GIFT_CARD') model.card += total
  model.points -= sale.earned
  sale.state = 'OVER'
}

/** The refund of some units of one item: its share of what was paid, so that the last unit brings the rest. */
const refund: Step = async (draw, shop, model) => {
  const sale = anySale(draw, model)
  if (!sale) return
  const item = draw.one(sale.items)
  const qty = draw(fc.integer({ min: 1, max: 4 }))
  const restock = draw.percent(60)
  const answer = await shop.api.post(`/sales/${sale.id}/refund`, {
    lines: [{ transactionItemId: item.id, qty }],
    restock,
  })
  if (sale.state !== 'SOLD') return refused(answer, 409)
  if (qty > item.left) {
    expect([409, 422], answer.text).toContain(answer.status)
    return
  }
  const refund = saleOf(answer).refunds.at(-1)
  const worthOf = (units: number) => Math.floor((item.paid * units) / item.quantity)
  const gone = item.quantity - item.left
  expect(refund.amount, 'a refund is the share of its units').toBe(worthOf(gone + qty) - worthOf(gone))
  item.left -= qty
  if (item.left === 0) expect(await refundedOf(shop, sale, item.id)).toBe(item.paid)
  if (restock) model.stock[item.good] = (model.stock[item.good] ?? 0) + qty
  // A gift card gets its share back; everything else is paid out in cash (B-refund-8).
  if (sale.paidBy === 'GIFT_CARD') model.card += refund.amount
  else model.drawer -= refund.amount
  sale.goodsBack += (PRICES[item.good] ?? 0) * qty
  const kept = sale.known ? Math.floor((sale.goods - sale.goodsBack) / RUPIAH_PER_POINT) : 0
  model.points -= sale.earned - kept
  sale.earned = kept
}

async function refundedOf(shop: Shop, sale: Sold, itemId: string): Promise<number> {
  const { sale: now } = done(await shop.api.get(`/sales/${sale.id}`))
  const refunds = now.refunds as { lines: { transactionItemId: string; amount: number }[] }[]
  return refunds
    .flatMap(({ lines }) => lines)
    .filter((line) => line.transactionItemId === itemId)
    .reduce((sum, { amount }) => sum + amount, 0)
}

const adjust: Step = async (draw, shop, model) => {
  const good = draw(fc.nat({ max: 2 }))
  const qtyDelta = draw(fc.integer({ min: -20, max: 60 }).filter((delta) => delta !== 0))
  done(
    await shop.api.post('/inventory/adjust', {
      outletId: shop.outletId,
      variantId: shop.goods[good],
      qtyDelta,
      reason: 'Count',
    }),
  )
  model.stock[good] = (model.stock[good] ?? 0) + qtyDelta
}

const moveCash: Step = async (draw, shop, model) => {
  const amount = draw(fc.integer({ min: 1, max: 150_000 }))
  const type = draw.one(['PAID_IN', 'PAID_OUT'] as const)
  const answer = await shop.api.post(`/shifts/${shop.shiftId}/cash-movements`, {
    type,
    amount,
    reason: 'Change',
  })
  if (type === 'PAID_OUT' && amount > model.drawer) {
    expect([409, 422], answer.text).toContain(answer.status)
    return
  }
  done(answer)
  model.drawer += type === 'PAID_IN' ? amount : -amount
}

const STEPS: readonly Step[] = [
  sell,
  sell,
  sell,
  payBill,
  discard,
  voidSale,
  refund,
  refund,
  adjust,
  moveCash,
]

async function compare(
  { api, outletId, shiftId, goods, customerId, code }: Shop,
  model: Model,
): Promise<void> {
  const { levels } = done(await api.get(`/inventory/levels?outletId=${outletId}`))
  const stock = goods.map(
    (id) =>
      (levels as { variantId: string; quantity: number }[]).find(({ variantId }) => variantId === id)
        ?.quantity ?? 0,
  )
  const { shift } = done(await api.get(`/shifts/${shiftId}`))
  const { customer } = done(await api.get(`/customers/${customerId}`))
  const { giftCard } = done(await api.get(`/gift-cards/${code}`))
  expect({
    stock,
    drawer: shift.expectedCash,
    points: customer.pointsBalance,
    card: giftCard.balance,
  }).toEqual({
    stock: model.stock,
    drawer: model.drawer,
    points: model.points,
    card: model.card,
  })
}

/** A step of a history takes the time of several random requests. */
const SHARE = 4
/** Steps between two comparisons. */
const ROUND = 20

test('after any history the service has the goods, the drawer, the card and the points that a pencil has', async () => {
  await inEpisodes(RUNS / SHARE, async (seed, steps) => {
    const draw = drawFrom(seed)
    const { shop, model } = await openShop()
    for (let taken = 0; taken < steps; taken += 1) {
      await draw.one(STEPS)(draw, shop, model)
      if (taken % ROUND === 0) await compare(shop, model)
    }
    await compare(shop, model)
    await assertInvariants(deps().db)
    console.log(`model of seed ${seed}: ${steps} steps, ${model.sales.length} sales`)
    return steps
  })
})
