import { beforeAll, describe, expect, test } from 'vitest'
import { rebuildRollups } from '../../../src/areas/insight/reports/index.ts'
import { rollUp } from '../../../src/areas/insight/reports/roll.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { makeCustomer } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { deps, useService, workspace } from '../../support/service.ts'

// Sums are taken here from the rows that the answers themselves point to, by arithmetic of the test's own.

const START = '2026-03-09T16:00:00.000Z'
const clock = manualClock(START)
useService({ clock })

const HOUR_MS = 3_600_000
const ZONES = ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura']

/** The same history on every run; SIM_SEED plays another. */
let state = Number(process.env['SIM_SEED'] ?? 20_260_309)
const dice = (sides: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * sides)
}
const oneOf = <T>(list: readonly T[]): T => list[dice(list.length)] as T

// oxlint-disable typescript/no-explicit-any -- answers are asserted, not typed
type Row = any

let api: Api
let outlets: { id: string; zone: string }[] = []
let goods: { id: string; productId: string }[] = []
const sales: { id: string; items: { id: string }[] }[] = []

beforeAll(async () => {
  api = await workspace('Three clocks')
  const cashRounding = { step: 500, mode: 'NEAREST' }
  const rules = [
    { taxRateBps: 1100, serviceChargeBps: 700, cashRounding },
    { taxRateBps: 1000, taxInclusive: true, serviceChargeBps: 500 },
    { cashRounding: { step: 100, mode: 'DOWN' } },
  ]
  for (const [index, zone] of ZONES.entries()) {
    const { outlet } = done(await api.post('/outlets', { name: zone, timezone: zone, ...rules[index] }))
    outlets.push({ id: outlet.id, zone })
    done(await api.post('/shifts/open', { outletId: outlet.id, openingFloat: 50_000 }))
  }
  const drinks = done(await api.post('/categories', { name: 'Drinks' })).category.id
  const make = async (fields: object, variant: object) => {
    const { product } = done(await api.post('/products', { name: 'Thing', ...fields, variants: [variant] }))
    goods.push({ id: product.variants[0].id, productId: product.id })
    return product
  }
  const beans = await make({ name: 'Beans' }, { price: 12_345, cost: 333 })
  const cup = await make({ name: 'Cup', taxRateBps: 0 }, { price: 777, cost: 50 })
  const drink = await make({ name: '=Drink', categoryId: drinks }, { price: 23_000 })
  const components = [beans, cup].map(({ variants }, index) => ({
    componentVariantId: variants[0].id,
    quantity: 2 - index,
  }))
  done(
    await api.put(`/products/${drink.id}/variants/${drink.variants[0].id}/recipe`, {
      isComposite: true,
      components,
    }),
  )
  await make({ name: 'Wrapping', kind: 'SERVICE' }, { price: 5_000 })
  await live(30)
}, 120_000)

/** Some days of selling, with everything that can become of a sale. */
async function live(steps: number) {
  const customerId = await makeCustomer(api)
  for (let step = 0; step < steps; step += 1) {
    clock.advance(dice(3) * HOUR_MS + dice(HOUR_MS))
    const outlet = oneOf(outlets)
    const items = Array.from({ length: 1 + dice(3) }, () => ({
      ...(dice(6) === 0 ? { name: 'Antar', unitPrice: 3_210 } : { variantId: oneOf(goods).id }),
      quantity: 1 + dice(4),
      discount: dice(400),
    }))
    const isBill = dice(4) === 0
    const { sale } = done(
      await api.post('/sales', {
        outletId: outlet.id,
        items,
        orderType: oneOf(['DINE_IN', 'TAKEAWAY', null]),
        orderDiscount: dice(370),
        deliveryFee: dice(3) === 0 ? dice(9_000) : 0,
        status: isBill ? 'PARKED' : 'COMPLETED',
        ...(dice(3) === 0 ? { customerId } : {}),
      }),
    )
    if (isBill) {
      clock.advance(dice(12) * HOUR_MS)
      const half = Math.floor(sale.total / 2)
      done(await api.post(`/sales/${sale.id}/payments`, { method: 'QRIS', amount: half }))
      if (dice(5) === 0) {
        done(await api.post(`/sales/${sale.id}/discard`))
        continue
      }
      done(
        await api.post(`/sales/${sale.id}/settle`, {
          payments: [{ method: 'CASH', amount: sale.total - half }],
        }),
      )
    }
    sales.push(done(await api.get(`/sales/${sale.id}`)).sale)
    if (step % 9 === 4) {
      const { id } = goods[0] as { id: string }
      const product = (goods[0] as { productId: string }).productId
      done(await api.patch(`/products/${product}/variants/${id}`, { cost: 300 + dice(100) }))
    }
    await disturb()
  }
}

/** Now and then a sale of some time ago is voided, or refunded by lines, by an amount or whole; a refusal is no harm. */
async function disturb() {
  const { id, items } = oneOf(sales)
  const [item] = items as [{ id: string }]
  const what = dice(8)
  clock.advance(dice(9) * HOUR_MS)
  if (what === 0) await api.post(`/sales/${id}/void`)
  if (what === 1)
    await api.post(`/sales/${id}/refund`, {
      lines: [{ transactionItemId: item.id, qty: 1 }],
      restock: dice(2) === 0,
    })
  if (what === 2) await api.post(`/sales/${id}/refund`, { amount: 1 + dice(9_000), method: 'TRANSFER' })
  if (what === 3) await api.post(`/sales/${id}/refund`, { restock: true, refundToStoreCredit: dice(2) === 0 })
}

async function all(path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const { status, text, data, meta } = await api.get(`${path}&limit=100${cursor}`)
    expect(status, text).toBe(200)
    rows.push(...data)
    if (!meta.hasMore) return rows
    cursor = `&cursor=${meta.cursor}`
  }
}

const add = (list: number[]) => list.reduce((total, value) => total + value, 0)
const sumOf = (rows: Row[], field: string) => add(rows.map((row) => row[field]))

type Counted = { sales: Row[]; refunds: Row[]; voids: Row[] }

/** The rows that the summary of a window names: sales, the refunds within it on the sales that have one, and voids. */
async function counted({ from, to, rows }: Row): Promise<Counted> {
  const refunded = await all(rows.refunds)
  return {
    sales: await all(rows.sales),
    refunds: refunded.flatMap((sale) =>
      sale.refunds
        .filter(({ createdAt }: Row) => createdAt >= from && createdAt < to)
        .map((refund: Row) => ({ ...refund, outletId: sale.outletId })),
    ),
    voids: await all(rows.voids),
  }
}

/** Every figure of a report, from its rows. */
function figures({ sales: sold, refunds, voids }: Counted) {
  const gross = add(sold.map((sale) => sale.subtotal + sale.discountTotal - sale.orderDiscount))
  const discounts = sumOf(sold, 'discountTotal')
  const back = (part: string) => add(refunds.map(({ split }) => split[part]))
  const included = add(
    sold.map((sale) => (sale.taxInclusive ? sale.taxTotal - (sale.serviceCharge?.tax ?? 0) : 0)),
  )
  const net = gross - discounts - back('goods') - included
  const tax = sumOf(sold, 'taxTotal') - back('tax')
  const deliveryFees = sumOf(sold, 'deliveryFee') - back('deliveryFee')
  return {
    salesCount: sold.length,
    gross,
    discounts,
    refunds: back('goods'),
    tax,
    net,
    service: add(sold.map((sale) => sale.serviceCharge?.amount ?? 0)) - back('service'),
    rounding: sumOf(sold, 'roundingTotal') - sumOf(refunds, 'rounding'),
    deliveryFees,
    collected: sumOf(sold, 'total') - sumOf(refunds, 'amount'),
    avgTicket: sold.length === 0 ? 0 : Math.round(sumOf(sold, 'total') / sold.length),
    refundCount: refunds.length,
    voidCount: voids.length,
  }
}

function methods({ sales: sold, refunds }: Counted) {
  const paid = sold
    .flatMap(({ payments }) => payments)
    .filter(({ status, applied }: Row) => status === 'PAID' && applied)
  const given = refunds.flatMap(({ tenders }) => tenders)
  const names = [...new Set([...paid, ...given].map(({ method }) => method))].sort()
  return names.map((method) => {
    const own = paid.filter((payment) => payment.method === method)
    const amount = sumOf(own, 'amount')
    const refunded = sumOf(
      given.filter((tender) => tender.method === method),
      'amount',
    )
    return { method, count: own.length, amount, refunds: refunded, net: amount - refunded }
  })
}

const local = (instant: string, outletId: string) => {
  const { zone } = outlets.find(({ id }) => id === outletId) as { zone: string }
  // English names of one spelling: Sunday is 0.
  const [day = '', time = ''] = new Date(instant).toLocaleString('sv-SE', { timeZone: zone }).split(' ')
  return {
    day,
    hour: Number(time.slice(0, 2)),
    weekday: ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1,
  }
}

/** The rows that belong to one key: a day, an hour, a cashier. */
const having = (
  rows: Counted,
  keyOf: (at: ReturnType<typeof local>, who: string) => unknown,
  key: unknown,
): Counted => ({
  sales: rows.sales.filter((row) => keyOf(local(row.completedAt, row.outletId), row.cashierId) === key),
  refunds: rows.refunds.filter((row) => keyOf(local(row.createdAt, row.outletId), row.actorId) === key),
  voids: rows.voids.filter((row) => keyOf(local(row.voidedAt, row.outletId), row.cashierId) === key),
})

const WINDOWS = (): string[] => {
  const now = clock.now()
  return [
    '',
    `from=2026-03-10&to=2026-03-13`,
    `from=2026-03-11T03:17:29.123Z&to=2026-03-13T20:01:02.003Z`,
    `from=2026-03-09T17:00:00Z&to=${now}`,
    `from=${now}&to=${now}`,
    'from=2026-03-12T02:00:00Z&to=2026-03-12T05:30:00Z',
  ]
}

async function compareAll() {
  for (const outletId of [undefined, ...outlets.map(({ id }) => id)]) {
    // Every window for all outlets; of one outlet those that its clock matters to.
    for (const window of outletId === undefined ? WINDOWS() : WINDOWS().slice(0, 2)) {
      const query = `${window}${outletId === undefined ? '' : `&outletId=${outletId}`}`
      const summary = done(await api.get(`/reports/summary?${query}`))
      const rows = await counted(summary)
      const { from: _, to: __, rows: ___, byMethod, taxes, ...told } = summary
      expect([query, told]).toEqual([query, figures(rows)])
      expect([query, byMethod]).toEqual([query, methods(rows)])
      // The identity, on the answer alone.
      expect(summary.collected).toBe(summary.net + summary.tax + summary.deliveryFees + summary.service)
      expect(summary.tax).toBe(sumOf(taxes, 'tax'))
      expect(summary.collected).toBe(sumOf(byMethod, 'net'))
      const hours = done(await api.get(`/reports/hours?${query}`)).hours
      expect(hours).toHaveLength(168)
      for (const { weekday, hour, ...figure } of hours.filter(
        (row: Row) => row.salesCount + row.refundCount + row.voidCount > 0,
      )) {
        const keyOf = (at: ReturnType<typeof local>) => at.weekday * 100 + at.hour
        expect([weekday, hour, figure]).toEqual([
          weekday,
          hour,
          figures(having(rows, keyOf, weekday * 100 + hour)),
        ])
      }
      expect([sumOf(hours, 'collected'), sumOf(hours, 'voidCount')]).toEqual([
        summary.collected,
        summary.voidCount,
      ])
      const { cashiers } = done(await api.get(`/reports/cashiers?${query}`))
      for (const { cashierId, name: ____, ...figure } of cashiers)
        expect(figure).toEqual(figures(having(rows, (_____, who) => who, cashierId)))
      expect(sumOf(cashiers, 'net')).toBe(summary.net)
      await compareGoods(query, rows)
    }
    const days = done(
      await api.get(`/reports/sales-by-day?days=30${outletId === undefined ? '' : `&outletId=${outletId}`}`),
    ).days
    await compareDays(days, outletId)
  }
}

async function compareDays(days: Row[], outletId: string | undefined) {
  const own = outletId === undefined ? outlets : outlets.filter(({ id }) => id === outletId)
  const today = own
    .map(({ id }) => local(clock.now(), id).day)
    .sort()
    .at(-1)
  expect([days.length, days.at(-1).date]).toEqual([30, today])
  const query = `from=2026-02-20&to=2026-05-20${outletId === undefined ? '' : `&outletId=${outletId}`}`
  const rows = await counted(done(await api.get(`/reports/summary?${query}`)))
  for (const { date, from: _, to: __, total, ...figure } of days) {
    const { collected, avgTicket: ___, ...expected } = figures(having(rows, ({ day }) => day, date))
    expect([date, figure, total]).toEqual([date, expected, collected])
  }
}

/** Products by the lines of the sales and refunds, cost by the movements of the time. */
async function compareGoods(query: string, { sales: sold, refunds }: Counted) {
  const lines = await Promise.all(sold.map(async ({ id }) => (await details(id)).items))
  const expected = new Map<string | null, { quantity: number; revenue: number }>()
  const count = (productId: string | null, quantity: number, revenue: number) => {
    const before = expected.get(productId) ?? { quantity: 0, revenue: 0 }
    expected.set(productId, { quantity: before.quantity + quantity, revenue: before.revenue + revenue })
  }
  for (const line of lines.flat()) count(line.productId, line.quantity, line.lineTotal - line.taxAmount)
  for (const refund of refunds) {
    const whole = await details(refund.transactionId)
    const earlier = whole.refunds.filter(({ createdAt }: Row) => createdAt < refund.createdAt)
    for (const { transactionItemId, qty, amount } of refund.lines) {
      const item = whole.items.find(({ id }: Row) => id === transactionItemId)
      const before = add(
        earlier
          .flatMap((one: Row) => one.lines)
          .filter((line: Row) => line.transactionItemId === item.id)
          .map((line: Row) => line.qty),
      )
      const part = (whole: number, units: number) => Math.floor((whole * units) / item.quantity)
      const step = (whole: number) => part(whole, before + qty) - part(whole, before)
      count(item.productId, -qty, -(amount - step(item.taxAmount) - step(item.serviceShare)))
    }
  }
  const margin = done(await api.get(`/reports/margin?${query}`))
  const shown = margin.products.map(({ productId, quantity, revenue }: Row) => [productId, quantity, revenue])
  const wanted = [...expected]
    .map(([productId, { quantity, revenue }]) => [productId, quantity, revenue])
    .filter(([, quantity, revenue]) => quantity !== 0 || revenue !== 0)
  expect([query, shown.sort()]).toEqual([query, wanted.sort()])
  const { products } = done(await api.get(`/reports/top-products?${query}&limit=100`))
  expect(
    products.map(({ productId, quantity, revenue }: Row) => [productId, quantity, revenue]).sort(),
  ).toEqual(wanted.sort())
  const { categories } = done(await api.get(`/reports/categories?${query}`))
  for (const field of ['quantity', 'revenue', 'cost', 'margin'])
    expect(sumOf(categories, field)).toBe(margin.total[field])
  const sources = await movements()
  const units = (movement: Row, costs: Row) => -movement.qtyDelta * costs.unitCost
  const ids = new Set(sold.map(({ id }) => id))
  const back = new Set(refunds.map(({ id }) => id))
  const cost = add([
    ...sources.SALE.filter(({ transactionId }) => ids.has(transactionId)).map((one) => units(one, one)),
    ...sources.REFUND.filter(({ refundId }) => back.has(refundId)).map((one) =>
      units(
        one,
        sources.SALE.find(
          (sale) => sale.transactionId === one.transactionId && sale.variantId === one.variantId,
        ),
      ),
    ),
  ])
  expect([query, margin.total.cost]).toEqual([query, cost])
}

const seen = new Map<string, { at: string; sale: Promise<Row> }>()
/** A sale with its items, read once for each moment. */
async function details(id: string): Promise<Row> {
  const at = clock.now()
  const found = seen.get(id)
  if (found?.at === at) return found.sale
  const sale = (async () => done(await api.get(`/sales/${id}`)).sale)()
  seen.set(id, { at, sale })
  return sale
}

let known: { at: string; found: { SALE: Row[]; REFUND: Row[] } } | undefined
async function movements() {
  const at = `${clock.now()} ${sales.length}`
  const time = `from=2026-03-01&to=2026-05-30`
  if (known?.at !== at) {
    const found = {
      SALE: await all(`/inventory/movements?type=SALE&${time}`),
      REFUND: await all(`/inventory/movements?type=REFUND&${time}`),
    }
    known = { at, found }
  }
  return known.found
}

const differences = async () => (await rebuildRollups(deps(), () => {})).differences

describe('every figure is the sum of the rows that it names, in three time zones', () => {
  test('before anything is rolled up', compareAll, 120_000)

  test('rolled up, and with what has happened since', async () => {
    await rollUp(deps())
    expect(
      (await deps().pool.query('select count(*)::int as n from report_goods')).rows[0].n,
    ).toBeGreaterThan(5)
    await compareAll()
    await live(8)
    await compareAll()
    await rollUp(deps())
    expect(await differences()).toEqual([])
  }, 240_000)
})
