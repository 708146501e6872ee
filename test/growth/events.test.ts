import { beforeAll, expect, test } from 'vitest'
import { firstIdAt, newId } from '../../src/core/ids.ts'
import { expires } from '../../src/jobs.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { sweep } from '../../src/platform/jobs/sweep.ts'
import { makeCustomer, openShop } from '../support/build.ts'
import { saleOf } from '../support/expect.ts'
import { fillTable } from '../support/fill.ts'
import { longRunPlans, withClient } from '../support/plans.ts'
import { eventsAbout } from '../support/read.ts'
import { acme, alongside, deps, globex, useService } from '../support/service.ts'

const DAY = 24 * 3_600_000
const START = '2026-03-01T03:00:00.000Z'
const clock = manualClock(START)
useService({ clock, synthetic: true })

const FEW = 400
let customerId = ''
let saleId = ''

// A bill that stood open for sixty days of a busy workspace: 200,000 events were written meanwhile.
beforeAll(async () => {
  const shop = await openShop(acme())
  customerId = await makeCustomer(acme(), { name: 'Sari', phone: '0812345678' })
  const items = [{ variantId: shop.latte, quantity: 1 }]
  const open = { outletId: shop.outletId, customerId, status: 'PARKED', items }
  saleId = saleOf(await acme().post('/sales', open, { idempotencyKey: 'old' })).id
  await withClient((client) =>
    fillTable(
      client,
      'events',
      `insert into events (account_id, id, type, ref_id, body, created_at)
        select $1, $2::text || lpad(n::text, 16, '0'), 'service.sale.completed.v1', 'txn_' || n, '{}', now()
        from generate_series(1, 200000) n`,
      [acme().workspace.accountId, firstIdAt('event', Date.parse(START) + DAY)],
    ),
  )
  await withClient((client) =>
    fillTable(
      client,
      'idempotency_keys',
      `insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
        select $1, 'key-' || n, 'f', 200, '{}', $2::timestamptz from generate_series(1, 200000) n`,
      [acme().workspace.accountId, '2026-04-30T00:00:00Z'],
    ),
  )
  clock.advance(60 * DAY)
  saleOf(await acme().post(`/sales/${saleId}/payments`, { method: 'CASH', amount: 15_000 }))
}, 120_000)

test('who erases a customer reads the events of that customer and no others', async () => {
  // Connections that have held a transaction keep their statements to themselves; a second process has none such.
  const neighbour = await alongside()
  const plans = await longRunPlans(/select .*from events/s, async () => {
    const { status } = await neighbour.as(acme().workspace.key).delete(`/customers/${customerId}`)
    expect(status).toBe(200)
  })
  await neighbour.stop()
  expect(plans.length).toBeGreaterThan(1)
  for (const plan of plans) expect([plan.buffers < FEW, plan.text]).toEqual([true, plan.text])
  const told = await eventsAbout(acme(), saleId)
  expect(told.map(({ type, data }) => [type, data.sale.customer?.name])).toEqual([
    ['service.sale.parked.v1', 'Deleted customer'],
    ['service.sale.completed.v1', 'Deleted customer'],
  ])
})

const PORTION = 100

test('an erasure reads at most 100 events at once, however often a customer and a bill have changed', async () => {
  const wati = await makeCustomer(acme(), { name: 'Wati', phone: '0812000111' })
  const { outletId, latte } = await openShop(acme())
  const items = [{ variantId: latte, quantity: 1 }]
  const open = () => acme().post('/sales', { outletId, customerId: wati, status: 'PARKED', items })
  const bills = [saleOf(await open()).id, saleOf(await open()).id]
  const customer = { id: wati, name: 'Wati', phone: '0812000111' }
  const changed = [
    ['service.customer.updated.v1', wati, { customer }],
    ...bills.map((id) => ['service.sale.updated.v1', id, { sale: { id, customer } }]),
  ] as const
  for (const [type, refId, data] of changed)
    await deps().pool.query(
      `insert into events (account_id, id, type, ref_id, body, created_at)
        select $1, 'evt_wati' || right($3, 8) || lpad(n::text, 16, '0'), $2, $3, $4, now() from generate_series(1, 350) n`,
      [acme().workspace.accountId, type, refId, JSON.stringify({ data })],
    )
  const neighbour = await alongside()
  const plans = await longRunPlans(/select .*from events/s, async () => {
    const { status } = await neighbour.as(acme().workspace.key).delete(`/customers/${wati}`)
    expect(status).toBe(200)
  })
  await neighbour.stop()
  const rows = plans.map(({ text }) => Number(/rows=(\d+)/.exec(text)?.[1]))
  expect(Math.max(...rows)).toBe(PORTION)
  const { rows: left } = await deps().pool.query(
    `select type, count(*)::int, count(*) filter (where body ~ 'Wati|0812000111')::int as named from events
      where account_id = $1 and ref_id = any($2) and type ~ 'updated' group by type order by type`,
    [acme().workspace.accountId, [wati, ...bills]],
  )
  expect(left).toEqual([
    { type: 'service.customer.updated.v1', count: 350, named: 0 },
    { type: 'service.sale.updated.v1', count: 700, named: 0 },
  ])
})

test('a sweep finds what is old through an index, workspace by workspace', async () => {
  const plans = await longRunPlans(/^(select a\.account_id|delete from (idempotency_keys|events))/, () =>
    sweep(deps(), expires),
  )
  expect(plans.length).toBeGreaterThan(3)
  for (const plan of plans)
    expect([plan.text.includes('Seq Scan on events'), plan.text]).toEqual([false, plan.text])
  for (const plan of plans)
    expect([plan.text.includes('Seq Scan on idempotency_keys'), plan.text]).toEqual([false, plan.text])
})

test('events are kept for 90 days, those of the audit log for 400', async () => {
  const write = (type: string, daysAgo: number, api = acme()) => {
    const at = clock.ms() - daysAgo * DAY
    const id = `${firstIdAt('event', at)}${newId('event').slice(-16)}`
    return deps().pool.query(
      'insert into events (account_id, id, type, ref_id, body, created_at) values ($1, $2, $3, $4, $5, $6)',
      [api.workspace.accountId, id, type, 'kept', String(daysAgo), new Date(at).toISOString()],
    )
  }
  const SERVICE = 'service.outlet.tested.v1'
  const AUDIT = 'audit.outlet.deleted.v1'
  for (const days of [89, 91, 401]) {
    await write(SERVICE, days)
    await write(SERVICE, days, globex())
    await write(AUDIT, days)
  }
  await write(AUDIT, 399)
  await sweep(deps(), expires)
  const { rows } = await deps().pool.query(
    `select account_id = $1 as mine, type, body from events where ref_id = 'kept' order by 1, 2, body::int`,
    [acme().workspace.accountId],
  )
  expect(rows.map(({ mine, type, body }) => [mine ? 'acme' : 'globex', type, Number(body)])).toEqual([
    ['globex', SERVICE, 89],
    ['acme', AUDIT, 89],
    ['acme', AUDIT, 91],
    ['acme', AUDIT, 399],
    ['acme', SERVICE, 89],
  ])
})

test('a sweep of ordinary events reads none of the older events of the audit log', async () => {
  const [audit, ordinary] = ['audit.outlet.deleted.v1', 'service.outlet.tested.v1']
  const insert = (count: number, type: string, daysAgo: number) =>
    withClient((client) =>
      fillTable(
        client,
        'events',
        `insert into events (account_id, id, type, ref_id, body, created_at)
          select $1, $2::text || lpad(n::text, 16, '0'), $3, 'swept', '{}', now() from generate_series(1, $4::int) n`,
        [acme().workspace.accountId, firstIdAt('event', clock.ms() - daysAgo * DAY), type, count],
      ),
    )
  for (const daysAgo of [100, 200, 300]) await insert(35_000, audit, daysAgo)
  await sweep(deps(), expires)
  clock.advance(DAY / 2)
  await insert(1, ordinary, 90.25)
  const plans = await longRunPlans(/^(select a\.account_id|delete from) .*type not like 'audit/s, () =>
    sweep(deps(), expires),
  )
  expect(plans.length).toBe(2)
  for (const plan of plans) expect([plan.buffers < FEW, plan.text]).toEqual([true, plan.text])
  const { rows } = await deps().pool.query(`select type from events where ref_id = 'swept' group by 1`)
  expect(rows).toEqual([{ type: audit }])
})
