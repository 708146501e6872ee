import fastify from 'fastify'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { jobs } from '../../src/jobs.ts'
import { openMetrics } from '../../src/platform/metrics/metrics.ts'
import { startDispatcher } from '../../src/platform/webhooks/dispatcher.ts'
import { startReceiver } from '../support/receiver.ts'
import { as, deps, useService } from '../support/service.ts'
import { loseWorker, type Side, sideOf } from '../support/sides.ts'
import { leaveWork, WORKING, workLeft } from '../support/work.ts'

// Run over a cluster by `npm run test:cluster`.

useService({ env: { WEBHOOK_ALLOW_PRIVATE_URLS: '1', WEBHOOK_TIMEOUT: '1' } })

const query = async (text: string, values: unknown[] = []) => (await deps().pool.query(text, values)).rows

let living: Side
let lost: Side

/** To whom nobody gave a key: all that anybody is told of a worker is its number. */
async function healthOf() {
  const { status, data } = await as(null).get('/health')
  return [status, data]
}

/** The gauge of the metrics, by the number of the worker. */
async function workersUp() {
  const text = await openMetrics(fastify(), deps()).text()
  return Object.fromEntries(
    [...text.matchAll(/^kasir_worker_up\{worker="(\d+)"\} (\d)$/gm)].map(([, id, up]) => [id, up]),
  )
}

const sell = ({ api, shop }: Side) =>
  api.post('/sales', {
    outletId: shop.outletId,
    items: [{ variantId: shop.latte, quantity: 1 }],
    status: 'COMPLETED',
  })

let find = async () => {}
const lose = async (side: Side) => {
  find = await loseWorker(side)
}

beforeAll(async () => {
  living = await sideOf(() => true)
  lost = await sideOf(({ group }) => group !== living.group)
})
afterEach(() => find())

test('a worker out of reach is 503 for its workspaces alone, and over once it is back', async () => {
  await lose(lost)
  const refused = await sell(lost)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await sell(living)).status).toBe(201)
  expect((await living.api.get('/sales')).status).toBe(200)
  // A look counts for five seconds, so the answer may still be of one before the worker went.
  await expect
    .poll(healthOf)
    .toMatchObject([200, { status: 'degraded', checks: { workers: 'down' }, lostWorkers: [lost.group] }])
  expect(await workersUp()).toEqual({ [living.group]: '1', [lost.group]: '0' })
  await find()
  expect((await sell(lost)).status).toBe(201)
  await expect.poll(healthOf).toMatchObject([200, { checks: { workers: 'ok' }, lostWorkers: [] }])
})

test('while no worker answers health is 503, and 200 again as soon as one does', async () => {
  const both = [living.group, lost.group].toSorted((a, b) => a - b)
  await lose(lost)
  const findLiving = await loseWorker(living)
  try {
    for (const side of [living, lost]) {
      const refused = await sell(side)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    }
    await expect
      .poll(healthOf)
      .toMatchObject([
        503,
        { status: 'down', checks: { database: 'ok', workers: 'down' }, lostWorkers: both },
      ])
  } finally {
    await findLiving()
  }
  await expect.poll(healthOf).toMatchObject([200, { status: 'degraded', lostWorkers: [lost.group] }])
  expect((await sell(living)).status).toBe(201)
})

test('who signs up meanwhile gets a workspace that can be reached', async () => {
  await lose(lost)
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      as(null).post('/auth/signup', {
        email: `owner${n}@example.test`,
        password: 'kopi susu gula aren',
        businessName: 'Toko',
      }),
    ),
  )
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
})

test('who signs up as a worker goes away under the COMMIT gets a workspace, and is in it', async () => {
  const email = 'sari@example.test'
  const { pool } = deps()
  const other = await pool.connect()
  try {
    // The address is claimed last: who waits for it has written everything else.
    await other.query('begin')
    await other.query(
      `insert into member_emails (email, account_id, member_id) values ($1, 'acc_nobody', 'mem_nobody')`,
      [email],
    )
    const signingUp = as(null).post('/auth/signup', { email, password: 'kopi susu gula aren' })
    const waits = `select count(*)::int as n from pg_stat_activity
      where wait_event_type = 'Lock' and query ~ 'member_emails' and datname = current_database()`
    await expect.poll(async () => (await query(waits))[0]).toEqual({ n: 1 })
    await query(`select run_command_on_workers(
      'select count(pg_terminate_backend(pid)) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()')`)
    await other.query('rollback')
    const { status, headers } = await signingUp
    expect(status).toBe(201)
    const [cookie] = headers.getSetCookie()
    expect(cookie).toMatch(/^kasir_session=/)
  } finally {
    await other.query('rollback')
    other.release()
  }
})

test('webhooks of all others go out meanwhile, and those that waited when it is back', async () => {
  const [here, there] = [await startReceiver(), await startReceiver()]
  const subscribe = (side: Side, url: string) =>
    side.api.post('/webhook-subscriptions', { url, events: ['service.sale.completed.v1'] })
  expect((await subscribe(living, here.url)).status).toBe(201)
  expect((await subscribe(lost, there.url)).status).toBe(201)
  expect((await sell(lost)).status).toBe(201)
  await lose(lost)
  const dispatcher = startDispatcher({ ...deps(), random: () => 0.5 })
  try {
    expect((await sell(living)).status).toBe(201)
    await expect.poll(() => here.received.length).toBe(1)
    expect(there.received).toHaveLength(0)
    await find()
    await expect.poll(() => there.received.length).toBe(1)
  } finally {
    await dispatcher.stop()
    here.stop()
    there.stop()
  }
})

test('jobs go on for all others, and for those that waited when it is back', async () => {
  const old = '2020-01-01T00:00:00.000Z'
  const keep = ({ api }: Side) =>
    query(
      `insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
        values ($1, 'old', 'of a request', 200, '', $2)`,
      [api.workspace.accountId, old],
    )
  const kept = async () =>
    (await query(`select account_id from idempotency_keys where key = 'old'`)).map((row) => row.account_id)
  for (const side of [living, lost]) {
    await keep(side)
    await leaveWork(side.api, side.shop)
  }
  await lose(lost)
  const run = async () => {
    for (const job of jobs) {
      await job.hasWork?.(deps())
      await job.run(deps(), new AbortController().signal)
    }
  }
  // Some read the log, whose edge another database of the cluster may hold back for a moment.
  const leftOf = async ({ api }: Side) => {
    await run()
    return workLeft(api)
  }
  await expect.poll(() => leftOf(living)).toEqual([])
  await find()
  expect(await workLeft(lost.api)).toEqual(WORKING)
  expect(await kept()).toEqual([lost.api.workspace.accountId])
  await expect.poll(() => leftOf(lost)).toEqual([])
  expect(await kept()).toEqual([])
})
