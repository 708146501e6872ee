import { beforeEach, expect, test } from 'vitest'
import { rebuildRollups } from '../../../../src/areas/insight/reports/index.ts'
import { rollUp } from '../../../../src/areas/insight/reports/roll.ts'
import { addMs } from '../../../../src/core/time.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Api } from '../../../support/api.ts'
import { fresh, openShift, openShop, type Shop, stock } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { done, refusalOf, saleOf } from '../../../support/expect.ts'
import { deps, useService, workspace } from '../../../support/service.ts'

const DAY_MS = 86_400_000
// Noon of the 3rd of March in Jakarta.
const START = '2026-03-03T05:00:00.000Z'
const clock = manualClock(START)
useService({ clock })

let api: Api
let shop: Shop
beforeEach(async () => {
  clock.set(START)
  api = await workspace('Offline')
  shop = await openShop(api)
  await stock(api, shop.outletId, shop.latte, 1_000)
})

const send = (soldAt: string, fields: object = {}, caller: Api = api) =>
  caller.post('/sales', {
    outletId: shop.outletId,
    items: [{ variantId: shop.latte, quantity: 2, unitPrice: 15_000 }],
    payments: [{ method: 'CASH', amount: 30_000 }],
    ...fields,
    offline: { ref: fresh('TILL-1'), soldAt, terms: {}, printedTotal: 30_000 },
  })
const sellOnline = () =>
  api.post('/sales', {
    outletId: shop.outletId,
    items: [{ variantId: shop.latte, quantity: 1 }],
    status: 'COMPLETED',
  })

/** Days with sales: their date, number of sales and net. */
const days = async () =>
  done(await api.get(`/reports/sales-by-day?days=31&outletId=${shop.outletId}`))
    .days.filter(({ salesCount }: { salesCount: number }) => salesCount > 0)
    .map(({ date, salesCount, net }: { date: string; salesCount: number; net: number }) => [
      date,
      salesCount,
      net,
    ])
const differences = async () => (await rebuildRollups(deps(), () => {})).differences
/** Rolls up until nothing is left: transactions of other tests on the same server hold the edge of the log back. */
async function rolled() {
  for (let left = true; left; ) {
    await rollUp(deps())
    const { rows } = await deps().pool.query(
      `select count(*) > 0 as left from report_positions p join events e on e.account_id = p.account_id
        and (e.tx, e.id) > (p.tx, p.event_id)`,
    )
    left = rows[0].left
  }
}

test.each([true, false])(
  'goods whose batch expired after the sale are taken from that batch (batch required: %s)',
  async (requiresBatch) => {
    const { data } = await api.post('/products', {
      name: fresh('Amoxicillin'),
      requiresBatch,
      variants: [{ price: 15_000 }],
    })
    const variantId = data.product.variants[0].id
    const receive = async (batchNo: string, expiryDate: string, qty: number) =>
      done(
        await api.post('/inventory/batches', {
          outletId: shop.outletId,
          variantId,
          batchNo,
          expiryDate,
          qty,
        }),
      ).batch.id
    const today = await receive('TODAY', '2026-03-03', 2)
    const later = requiresBatch ? null : await receive('LATER', '2026-06-30', 5)
    clock.set('2026-03-04T01:00:00.000Z')
    const sale = saleOf(await send(START, { items: [{ variantId, quantity: 2, unitPrice: 15_000 }] }))
    expect(sale.items[0].batches).toEqual([{ batchId: today, qty: 2 }])
    const { batches } = done(
      await api.get(`/inventory/batches?outletId=${shop.outletId}&variantId=${variantId}`),
    )
    expect(batches.map(({ id }: { id: string }) => id)).toEqual(later ? [later] : [])
  },
)

test('a sale may be exactly 30 days old and exactly 5 minutes ahead, and not a millisecond more', async () => {
  const old = addMs(START, -30 * DAY_MS)
  const ahead = addMs(START, 5 * 60_000)
  expect([(await send(old)).status, (await send(ahead)).status]).toEqual([201, 201])
  const refused = { status: 400, code: 'VALIDATION_ERROR', param: 'offline.soldAt' }
  const tooOld = await send(addMs(old, -1))
  expect(refusalOf(tooOld)).toEqual(refused)
  expect(tooOld.error.message).toContain(old)
  expect(refusalOf(await send(addMs(ahead, 1)))).toEqual(refused)
})

test('late sales change the reports of their own days, across months and midnights, and the stored sums agree', async () => {
  saleOf(await sellOnline())
  await rolled()
  const today = ['2026-03-03', 1, 15_000]
  expect(await days()).toEqual([today])
  // Midnight in Jakarta is 17:00 UTC.
  for (const soldAt of [
    '2026-02-05T03:00:00.000Z',
    '2026-02-28T16:59:59.999Z',
    '2026-02-28T17:00:00.000Z',
    '2026-03-01T16:59:59.999Z',
  ])
    saleOf(await send(soldAt))
  const right = [['2026-02-05', 1, 30_000], ['2026-02-28', 1, 30_000], ['2026-03-01', 2, 60_000], today]
  expect(await days()).toEqual(right)
  await rolled()
  expect([await days(), await differences()]).toEqual([right, []])
  const late = saleOf(await send('2026-02-28T10:00:00.000Z'))
  const more = [right[0], ['2026-02-28', 2, 60_000], ...right.slice(2)]
  expect(await days()).toEqual(more)
  await rolled()
  expect([await days(), await differences()]).toEqual([more, []])
  done(await api.post(`/sales/${late.id}/void`, {}))
  await rolled()
  expect([await days(), await differences()]).toEqual([right, []])
})

test('a late sale changes no closed shift: its money is in the drawer that is open on arrival', async () => {
  const { api: cashier } = await memberOf(api, 'CASHIER')
  const yesterday = await openShift(cashier, shop.outletId, 50_000)
  done(await cashier.post(`/shifts/${yesterday}/close`, { countedCash: 50_000 }))
  const closed = done(await api.get(`/reports/shifts/${yesterday}`))
  const soldAt = clock.now()
  clock.advance(DAY_MS)
  const alone = saleOf(await send(soldAt, { shiftId: yesterday }, cashier))
  expect(alone.shiftId).toBeNull()
  const today = await openShift(cashier, shop.outletId, 20_000)
  const booked = saleOf(await send(soldAt, { shiftId: yesterday }, cashier))
  expect([booked.shiftId, booked.completedAt, booked.payments[0].shiftId]).toEqual([today, soldAt, today])
  expect(done(await api.get(`/reports/shifts/${yesterday}`))).toEqual(closed)
  const { shift } = done(await api.get(`/shifts/${today}`))
  expect([shift.summary.cash.expected, shift.expectedCash]).toEqual([50_000, 50_000])
})

test('a report as a table says when it was computed, so that two tables of one day can be told apart', async () => {
  const cellsOf = async (path: string) => {
    const { text } = await api.get(path)
    return text
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\r\n')
      .map((line: string) => line.split(','))
  }
  const soldAt = '2026-03-01T05:00:00.000Z'
  const ofDay = (format: string) =>
    `/reports/summary?outletId=${shop.outletId}&from=2026-03-01&to=2026-03-02${format}`
  const read = async () => {
    const table = new Map((await cellsOf(ofDay('&format=csv'))).map(([name, value]) => [name, value]))
    return [table.get('gross'), table.get('computedAt')]
  }
  expect(await read()).toEqual(['0', START])
  clock.advance(60_000)
  saleOf(await send(soldAt))
  expect(await read()).toEqual(['30000', '2026-03-03T05:01:00.000Z'])
  const [head, ...rows] = await cellsOf('/reports/sales-by-day?days=2&format=csv')
  expect(head?.at(-1)).toBe('computedAt')
  expect(rows.map((row) => row.at(-1))).toEqual(Array(2).fill('2026-03-03T05:01:00.000Z'))
  // Programs read the time in the envelope.
  expect((await api.get(ofDay(''))).meta.timestamp).toBe('2026-03-03T05:01:00.000Z')
})
