import { beforeAll, expect, test } from 'vitest'
import { endBookings, finishCloses } from '../../src/areas/selling/shifts/service.ts'
import { addMs } from '../../src/core/time.ts'
import { jobs } from '../../src/jobs.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { inTx } from '../../src/platform/db/open.ts'
import type { Api } from '../support/api.ts'
import { openShift, openShop, type Shop } from '../support/build.ts'
import { scopeOf } from '../support/clients.ts'
import { refusalOf, saleOf } from '../support/expect.ts'
import { fillSales, fillTable } from '../support/fill.ts'
import { longRunPlans, withClient } from '../support/plans.ts'
import { eventsAbout, waiting } from '../support/read.ts'
import { acme, deps, useService, workspace } from '../support/service.ts'

const clock = manualClock('2026-11-21T03:00:00.000Z')
useService({ clock, synthetic: true })

const SALES = 100_000
let shop: Shop
let shiftId = ''

// One long shift: 100,000 cash sales of 10,000.
beforeAll(async () => {
  shop = await openShop(acme())
  shiftId = await openShift(acme(), shop.outletId, 5_000)
  await withClient(async (client) => {
    await fillSales(client, acme(), { outletId: shop.outletId, shiftId, count: SALES })
    await fillTable(
      client,
      'payments',
      `insert into payments (account_id, sale_id, id, method, amount, status, shift_id, created_at, updated_at)
        select $1, 'txn_' || lpad(n::text, 26, '0'), 'pay_' || lpad(n::text, 26, '0'), 'CASH', 10000, 'PAID', $2, now(), now()
        from generate_series(1, $3::int) n`,
      [acme().workspace.accountId, shiftId, SALES],
    )
  })
}, 120_000)

const sell = (api: Api) =>
  api.post('/sales', {
    outletId: shop.outletId,
    items: [{ variantId: shop.bag, quantity: 2 }],
    status: 'COMPLETED',
  })

test('the figures of a long shift are read from its sales and payments, not from their lines', async () => {
  const [plan] = await longRunPlans(/ sold as \(/, () => acme().get(`/shifts/${shiftId}`))
  expect([plan?.text.includes('sale_items'), (plan?.buffers ?? 1e9) < 20_000], plan?.text).toEqual([
    false,
    true,
  ])
})

test('a sale does not wait while a long shift is added up, and is not counted in it', async () => {
  expect((await sell(acme())).data.sale.shiftId).toBe(shiftId)
  const client = await deps().pool.connect()
  let closing: ReturnType<Api['post']> | undefined
  try {
    // Whoever adds the shift up waits here; sales know nothing of this table.
    await client.query('begin')
    await client.query('lock table cash_movements in access exclusive mode')
    closing = acme().post(`/shifts/${shiftId}/close`, { countedCash: 1_000_006_000 })
    await expect.poll(waiting).toBeGreaterThan(0)
    const later = await sell(acme())
    expect([later.status, later.data?.sale.shiftId], later.text).toEqual([201, null])
  } finally {
    await client.query('rollback')
    client.release()
  }
  const { status, data, text } = await closing
  expect(status, text).toBe(200)
  expect(data.shift).toMatchObject({
    status: 'CLOSED',
    expectedCash: 1_000_006_000,
    difference: 0,
    summary: { salesCount: 100_001, gross: 1_000_001_000, cash: { sales: 1_000_001_000 } },
  })
})

/** The first step of a close whose process dies before the second. */
const beginClose = (api: Api, id: string, now = clock.now()) =>
  inTx(deps().db, (tx) =>
    endBookings(tx, scopeOf(api, now), { id, input: { countedCash: 6_500, notes: 'short' }, idem: null }),
  )

/** A close whose process dies between its two steps. */
async function cutOff(api: Api) {
  const outlet = await api.post('/outlets', { name: 'Kemang' })
  const id = await openShift(api, outlet.data.outlet.id, 7_000)
  await beginClose(api, id)
  return id
}

test('a close that was cut off is closed for everybody, and finished by its repetition', async () => {
  const api = await workspace()
  const id = await cutOff(api)
  const seen = { status: 'CLOSED', countedCash: 6_500, expectedCash: 7_000, difference: -500 }
  expect((await api.get(`/shifts/${id}`)).data.shift).toMatchObject(seen)
  expect((await api.get('/shifts')).data).toEqual([expect.objectContaining(seen)])
  const other = await api.post(`/shifts/${id}/close`, { countedCash: 7_000 })
  expect(refusalOf(other)).toMatchObject({ status: 409, code: 'CONFLICT' })
  const again = await api.post(`/shifts/${id}/close`, { countedCash: 6_500, notes: 'short' })
  expect([again.status, again.data.shift]).toEqual([200, expect.objectContaining(seen)])
  const third = await api.post(`/shifts/${id}/close`, { countedCash: 6_500, notes: 'short' })
  expect(refusalOf(third)).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect((await eventsAbout(api, id)).map(({ type }) => type)).toEqual([
    'service.shift.opened.v1',
    'service.shift.closed.v1',
  ])
})

test('a close that was cut off and never sent again is finished by a job, once it must be over', async () => {
  const api = await workspace()
  const id = await cutOff(api)
  const closed = async () =>
    (await eventsAbout(api, id)).filter(({ type }) => type === 'service.shift.closed.v1')
  clock.advance(60_000)
  await finishCloses(deps())
  expect(await closed()).toEqual([])
  clock.advance(1)
  await finishCloses(deps())
  await finishCloses(deps())
  const events = await closed()
  expect(events.map(({ data }) => [data.shift.expectedCash, data.shift.difference])).toEqual([[7_000, -500]])
  expect((await api.post(`/shifts/${id}/close`, { countedCash: 6_500, notes: 'short' })).status).toBe(409)
})

test('the job that finishes interrupted closes runs every minute', () => {
  expect(jobs.find(({ name }) => name === 'shifts.cut-off-closes')?.everyMs).toBeLessThanOrEqual(60_000)
})

/** An open shift with one sale, and a function that adds another sale or an open bill to it. */
async function sellInShift(api: Api) {
  const { outletId, bag } = await openShop(api)
  const id = await openShift(api, outletId)
  const make = async (status: 'COMPLETED' | 'PARKED') => {
    const items = [{ variantId: bag, quantity: 1, discount: 100 }]
    return saleOf(await api.post('/sales', { outletId, items, status }))
  }
  return { id, make, total: (await make('COMPLETED')).total }
}
const summaryOf = async (api: Api, id: string) => (await api.get(`/shifts/${id}`)).data.shift.summary

test('a cut-off close keeps the figures of its moment, whatever is voided, completed or discarded before it is finished', async () => {
  const api = await workspace()
  const { id, make, total } = await sellInShift(api)
  const [voided, early, completed, discarded] = [
    await make('COMPLETED'),
    await make('COMPLETED'),
    await make('PARKED'),
    await make('PARKED'),
  ]
  await make('PARKED')
  clock.advance(1)
  saleOf(await api.post(`/sales/${early.id}/void`))
  clock.advance(1)
  const before = await summaryOf(api, id)
  expect(before).toMatchObject({
    salesCount: 2,
    discounts: 200,
    openBills: 3,
    byMethod: [{ method: 'CASH', count: 3, amount: 3 * total, refunds: total, net: 2 * total }],
  })
  await beginClose(api, id)
  clock.advance(1)
  saleOf(await api.post(`/sales/${voided.id}/void`))
  saleOf(await api.post(`/sales/${completed.id}/settle`, { payments: [{ method: 'CASH', amount: total }] }))
  saleOf(await api.post(`/sales/${discarded.id}/discard`))
  expect(await summaryOf(api, id)).toEqual(before)
  clock.advance(60_001)
  await finishCloses(deps())
  expect(await summaryOf(api, id)).toEqual(before)
})

test('a void counts before a close exactly when it was booked to the shift, whichever request began first', async () => {
  const api = await workspace()
  const first = await sellInShift(api)
  const began = clock.now()
  clock.advance(5)
  saleOf(await api.post(`/sales/${(await first.make('COMPLETED')).id}/void`))
  await beginClose(api, first.id, began)
  expect(await summaryOf(api, first.id)).toMatchObject({
    salesCount: 1,
    byMethod: [{ count: 2, net: first.total }],
  })
  const second = await sellInShift(api)
  const sale = await second.make('COMPLETED')
  await beginClose(api, second.id, addMs(clock.now(), 5))
  saleOf(await api.post(`/sales/${sale.id}/void`))
  expect(await summaryOf(api, second.id)).toMatchObject({
    salesCount: 2,
    byMethod: [{ count: 2, refunds: 0, net: 2 * second.total }],
  })
})

test('a close that answered 503 is settled by its key, even once the service has finished it', async () => {
  const api = await workspace()
  const outlet = await api.post('/outlets', { name: 'Senayan' })
  const id = await openShift(api, outlet.data.outlet.id, 7_000)
  const close = (countedCash = 6_500, idempotencyKey = 'close-1') =>
    api.post(`/shifts/${id}/close`, { countedCash }, { idempotencyKey })
  const { pool } = deps()
  await pool.query(`create function lose() returns trigger language plpgsql as
    $$ begin if new.summary is not null then raise 'gone' using errcode = '57P01'; end if; return new; end $$`)
  await pool.query('create trigger lose before update on shifts for each row execute function lose()')
  try {
    expect((await close()).status).toBe(503)
  } finally {
    await pool.query('drop trigger lose on shifts')
    await pool.query('drop function lose')
  }
  clock.advance(60_001)
  await finishCloses(deps())
  expect(refusalOf(await close(6_500, 'another'))).toEqual({ status: 409, code: 'CONFLICT' })
  const settled = await close()
  expect([settled.status, settled.data?.shift]).toEqual([200, expect.objectContaining({ difference: -500 })])
  expect(await close()).toMatchObject({ status: 200, data: settled.data })
  expect(refusalOf(await close(7_000))).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
  const closed = (await eventsAbout(api, id)).filter(({ type }) => type === 'service.shift.closed.v1')
  expect(closed).toHaveLength(1)
})

test('a cut-off close that cannot be finished holds up none of the others, and the job says that it failed', async () => {
  const api = await workspace()
  const ids = [await cutOff(api), await cutOff(api), await cutOff(api)]
  const broken = [ids[0], ids[2]]
  const done = async () =>
    (await Promise.all(ids.map((id) => eventsAbout(api, id)))).map((events) =>
      events.some(({ type }) => type === 'service.shift.closed.v1'),
    )
  const { pool } = deps()
  await pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin if new.id = any ('{${broken.join()}}') then raise 'planted'; end if; return new; end $$`)
  await pool.query('create trigger refuse before update on shifts for each row execute function refuse()')
  clock.advance(60_001)
  try {
    await expect(finishCloses(deps())).rejects.toThrow('planted')
    expect(await done()).toEqual([false, true, false])
  } finally {
    await pool.query('drop trigger refuse on shifts')
    await pool.query('drop function refuse')
  }
  await finishCloses(deps())
  expect(await done()).toEqual([true, true, true])
})
