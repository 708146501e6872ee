import { expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { makeOutlet, makeVariant, stock } from '../../support/build.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { useService, workspace } from '../../support/service.ts'

// Nine in the morning in Jakarta, and eleven in Jayapura.
const clock = manualClock('2026-03-10T02:00:00.000Z')
useService({ clock })

const DAY_MS = 86_400_000
const value = async (api: Api, query: Record<string, string> = {}) =>
  done(await api.get(`/reports/stock-value?${new URLSearchParams(query).toString()}`))
const receive = async (api: Api, outletId: string, variantId: string, qty: number, cost: number) =>
  done(await api.post('/inventory/batches', { outletId, variantId, qty, cost, batchNo: `B${cost}` }))

test('the example of B-report-13: a past day keeps the average cost that it had', async () => {
  const api = await workspace('Average')
  const outletId = await makeOutlet(api)
  const variantId = await makeVariant(api)
  const first = clock.now().slice(0, 10)
  await receive(api, outletId, variantId, 10, 1_000)
  clock.advance(DAY_MS)
  const second = clock.now().slice(0, 10)
  await receive(api, outletId, variantId, 30, 2_000)
  clock.advance(DAY_MS)
  done(await api.post('/inventory/adjust', { outletId, variantId, qtyDelta: -40, reasonCode: 'WASTE' }))
  expect(await value(api, { date: first })).toMatchObject({
    date: first,
    total: { quantity: 10, grams: 0, value: 10_000 },
    variants: [{ outletId, variantId, quantity: 10, cost: 1_000, value: 10_000 }],
  })
  expect((await value(api, { date: second })).total).toEqual({ quantity: 40, grams: 0, value: 70_000 })
  expect(await value(api)).toMatchObject({ total: { quantity: 0, value: 0 }, variants: [] })
})

test('every past day of a random month is worth what an independent book says', async () => {
  const api = await workspace('Month')
  const outlets = [
    await makeOutlet(api, { timezone: 'Asia/Jakarta' }),
    await makeOutlet(api, { timezone: 'Asia/Jakarta' }),
  ]
  const goods = [await makeVariant(api, { cost: 500 }), await makeVariant(api, { cost: 0 })]
  let state = 20_260_310
  const dice = (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
  const levels = new Map<string, number>()
  const costs = new Map(goods.map((id, n) => [id, n === 0 ? 500 : 0]))
  const add = (outletId: string, variantId: string, qty: number) =>
    levels.set(`${outletId} ${variantId}`, (levels.get(`${outletId} ${variantId}`) ?? 0) + qty)
  const held = (variantId: string) =>
    outlets.reduce((total, outletId) => total + (levels.get(`${outletId} ${variantId}`) ?? 0), 0)
  const books: { date: string; values: number[] }[] = []
  const valueAt = (outletId: string) =>
    goods.reduce((total, id) => total + (levels.get(`${outletId} ${id}`) ?? 0) * (costs.get(id) ?? 0), 0)
  for (let day = 0; day < 12; day += 1) {
    for (let act = 0; act < 4; act += 1) {
      clock.advance(3_600_000)
      const [outletId = '', variantId = ''] = [outlets[dice(2)], goods[dice(2)]]
      const qty = 1 + dice(20)
      switch (dice(3)) {
        case 0: {
          const cost = 1 + dice(5_000)
          const before = held(variantId)
          await receive(api, outletId, variantId, qty, cost)
          const old = costs.get(variantId) ?? 0
          costs.set(
            variantId,
            before > 0
              ? Math.floor((2 * (before * old + qty * cost) + before + qty) / (2 * (before + qty)))
              : cost,
          )
          add(outletId, variantId, qty)
          break
        }
        case 1:
          done(
            await api.post('/sales', {
              outletId,
              items: [{ variantId, quantity: qty }],
              status: 'COMPLETED',
            }),
          )
          add(outletId, variantId, -qty)
          break
        default:
          await stock(api, outletId, variantId, qty)
          add(outletId, variantId, qty)
      }
    }
    books.push({ date: clock.now().slice(0, 10), values: outlets.map(valueAt) })
    clock.advance(DAY_MS - 4 * 3_600_000)
  }
  for (const { date, values } of books) {
    for (const [n, outletId] of outlets.entries())
      expect([date, (await value(api, { date, outletId })).total.value]).toEqual([date, values[n]])
    expect((await value(api, { date })).total.value).toBe((values[0] ?? 0) + (values[1] ?? 0))
  }
}, 120_000)

test('a day ends at midnight on the clock of its outlet', async () => {
  const api = await workspace('Midnight')
  const jakarta = await makeOutlet(api, { timezone: 'Asia/Jakarta' })
  const jayapura = await makeOutlet(api, { timezone: 'Asia/Jayapura' })
  const variantId = await makeVariant(api, { cost: 100 })
  const today = clock.now().slice(0, 10)
  // Sixteen o'clock in UTC: eleven at night in Jakarta, and one o'clock on the next day in Jayapura.
  clock.set(`${today}T16:00:00.000Z`)
  await stock(api, jakarta, variantId, 1)
  await stock(api, jayapura, variantId, 10)
  clock.advance(2 * DAY_MS)
  const quantity = async (date: string, outletId: string) =>
    (await value(api, { date, outletId })).total.quantity
  const next = new Date(Date.parse(today) + DAY_MS).toISOString().slice(0, 10)
  expect([await quantity(today, jakarta), await quantity(today, jayapura)]).toEqual([1, 0])
  expect([await quantity(next, jakarta), await quantity(next, jayapura)]).toEqual([1, 10])
})

test('the largest values come first, `limit` shortens the list but not the total, and CSV has all', async () => {
  const api = await workspace('Limit')
  const outletId = await makeOutlet(api)
  for (const cost of [100, 300, 200]) await stock(api, outletId, await makeVariant(api, { cost }), 2)
  const short = await value(api, { limit: '2' })
  expect(short.variants.map((row: { value: number }) => row.value)).toEqual([600, 400])
  expect(short.total).toEqual({ quantity: 6, grams: 0, value: 1_200 })
  const csv = (await api.get('/reports/stock-value?format=csv&limit=1')).text
  expect(csv.trim().split('\r\n')).toHaveLength(4)
})

test('a day that has not begun is 422 date, a text that is no day 400, and an unknown outlet 404', async () => {
  const api = await workspace('Bad days')
  const outletId = await makeOutlet(api)
  const future = await api.get(`/reports/stock-value?outletId=${outletId}&date=2999-01-01`)
  expect(refusalOf(future)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'date' })
  expect(future.error.message).toMatch(
    /^The day 2999-01-01 has not begun\. Choose \d{4}-\d{2}-\d{2} or an earlier day$/,
  )
  for (const date of ['yesterday', '2026-02-30', '2026-02-01T00:00:00Z'])
    expect(refusalOf(await api.get(`/reports/stock-value?date=${date}`))).toMatchObject({
      status: 400,
      param: 'date',
    })
  expect(refusalOf(await api.get('/reports/stock-value?outletId=out_x'))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
    param: 'outletId',
  })
})
