import { readFile } from 'node:fs/promises'
import { fastify } from 'fastify'
import pg from 'pg'
import { expect, test } from 'vitest'
import { fairPlaces } from '../../src/platform/db/places.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { openMetrics } from '../../src/platform/metrics/metrics.ts'
import { makeOutlet } from '../support/build.ts'
import { startHarness } from '../support/service.ts'

/** Work that runs until it is let go. */
function held() {
  const open: (() => void)[] = []
  let running = 0
  return {
    work: async () => {
      running += 1
      await new Promise<void>((resolve) => open.push(resolve))
      running -= 1
    },
    running: () => running,
    letGo: () => {
      for (const go of open.splice(0)) go()
    },
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('one workspace gets ten of fourteen places, and another is served at once', async () => {
  const places = fairPlaces({ places: 14, waitMs: 60_000 })
  const greedy = held()
  const all = Array.from({ length: 40 }, () => places.within('greedy', greedy.work))
  await turn()
  expect(greedy.running()).toBe(10)
  expect(await places.within('modest', async () => 'served')).toBe('served')
  while (greedy.running() > 0) {
    greedy.letGo()
    await turn()
  }
  await Promise.all(all)
})

test('the last place goes to a workspace that has none', async () => {
  const places = fairPlaces({ places: 2, waitMs: 60_000 })
  const greedy = held()
  const all = [places.within('greedy', greedy.work), places.within('greedy', greedy.work)]
  await turn()
  expect(greedy.running()).toBe(1)
  expect(await places.within('modest', async () => 'served')).toBe('served')
  greedy.letGo()
  await turn()
  greedy.letGo()
  await Promise.all(all)
})

test('who waits is served in turns, workspace by workspace, and each in the order of its requests', async () => {
  const places = fairPlaces({ places: 1, waitMs: 60_000 })
  const first = held()
  const order: string[] = []
  const all = [places.within('x', first.work)]
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) {
    all.push(places.within(name.charAt(0), async () => void order.push(name)))
  }
  await turn()
  first.letGo()
  await Promise.all(all)
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
})

test('a wait has an end: 503 with Retry-After, and the place is not lost', async () => {
  const places = fairPlaces({ places: 1, waitMs: 20 })
  const first = held()
  const running = places.within('a', first.work)
  await expect(places.within('b', async () => 'never')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'retry-after': '1' },
  })
  first.letGo()
  await running
  expect(await places.within('b', async () => 'served')).toBe('served')
})

test('work that fails gives its place back', async () => {
  const places = fairPlaces({ places: 1, waitMs: 60_000 })
  await expect(places.within('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await places.within('a', async () => 'served')).toBe('served')
})

test('a workspace whose requests all wait for a lock holds up no other', async () => {
  const { harness, stop } = await startHarness({ env: { DATABASE_POOL_SIZE: '6' } })
  const { acme, globex, deps } = harness
  const outletId = await makeOutlet(acme)
  const [blocker, watcher] = await connectTwice(deps)
  try {
    await blocker.query('begin')
    await blocker.query('select from outlets where id = $1 for update', [outletId])
    let waitingStill = 24
    const stuck = Array.from({ length: 24 }, async (_, n) => {
      const answer = await acme.patch(`/outlets/${outletId}`, { name: `Outlet ${n}` })
      waitingStill -= 1
      return answer.status
    })
    await expect
      .poll(async () => (await watcher.query(WAITING)).rows[0].n, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(3)
    const [{ pid }] = (await blocker.query('select pg_backend_pid() as pid')).rows
    const sessions = (await watcher.query(await runbookStatement())).rows
    expect(sessions).toContainEqual(expect.objectContaining({ pid, state: 'idle in transaction' }))
    expect(sessions).toContainEqual(
      expect.objectContaining({ application_name: 'kasir', wait_event: 'transactionid', waits_for: [pid] }),
    )
    for (let n = 0; n < 5; n += 1) expect((await globex.get('/outlets')).status).toBe(200)
    // What is read for everybody at once needs no place: the workspace itself goes on scanning.
    expect((await acme.get('/products/lookup?barcode=8991001101234')).status).toBe(200)
    expect(waitingStill).toBe(24)
    await blocker.query('commit')
    // Whoever waited past the limit for locks was told so.
    for (const status of await Promise.all(stuck)) expect([200, 503]).toContain(status)
  } finally {
    await blocker.end()
    await watcher.end()
    await stop()
  }
})

test('twenty reports and whole lists of one workspace take two connections, and its pages and writes do not wait for them', async () => {
  const { harness, stop } = await startHarness({ env: { DATABASE_POOL_SIZE: '16' } })
  const { acme, globex, deps } = harness
  await makeOutlet(acme)
  const [blocker, watcher] = await connectTwice(deps)
  try {
    await blocker.query('begin')
    await blocker.query('lock table suppliers, report_figures in access exclusive mode')
    const large = Array.from({ length: 10 }, () => [
      acme.get('/suppliers'),
      acme.get('/reports/summary'),
    ]).flat()
    const waiting = async () => (await watcher.query(WAITING)).rows[0].n
    await expect.poll(waiting, { timeout: 10_000 }).toBe(2)
    expect((await acme.get('/customers?limit=20')).status).toBe(200)
    expect((await acme.post('/customers', { name: 'Budi' })).status).toBe(201)
    expect((await globex.get('/customers')).status).toBe(200)
    expect(await waiting()).toBe(2)
    await blocker.query('commit')
    // On a busy machine the first ones reach the limit for locks.
    for (const { status } of await Promise.all(large)) expect([200, 503]).toContain(status)
  } finally {
    await blocker.end()
    await watcher.end()
    await stop()
  }
})

test('the metrics count the requests that wait for a connection slot', async () => {
  const { harness, stop } = await startHarness({ env: { DATABASE_POOL_SIZE: '2' } })
  const { acme, deps } = harness
  const metrics = openMetrics(fastify(), deps)
  const waiting = async () =>
    /^kasir_database_connections\{state="waiting"\} (\d+)$/m.exec(await metrics.text())?.[1]
  const others = held()
  try {
    expect(await waiting()).toBe('0')
    const holding = ['one', 'another'].map((workspace) => deps.slots.within(workspace, others.work))
    const requests = Promise.all([1, 2, 3].map(() => acme.get('/customers?limit=20')))
    await expect.poll(waiting, { timeout: 10_000 }).toBe('3')
    others.letGo()
    await Promise.all(holding)
    for (const { status } of await requests) expect(status).toBe(200)
    expect(await waiting()).toBe('0')
  } finally {
    others.letGo()
    await stop()
  }
})

test('a report runs on one processor of the database', async () => {
  const { harness, stop } = await startHarness({})
  try {
    const { rows } = await harness.deps.pool.query('show max_parallel_workers_per_gather')
    expect(rows).toEqual([{ max_parallel_workers_per_gather: '0' }])
  } finally {
    await stop()
  }
})

/** Two connections beside the pool: one holds locks, the other watches who waits. */
async function connectTwice({ pool }: Pick<Deps, 'pool'>) {
  const connect = async () => {
    const client = new pg.Client({ connectionString: pool.options.connectionString })
    await client.connect()
    return client
  }
  return [await connect(), await connect()] as const
}

/** The statement that docs/operations.md shows for requests that wait for the database. */
async function runbookStatement(): Promise<string> {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## Requests wait for the database')
  return /```sql\n(.*?)```/s.exec(section)?.[1] ?? ''
}

const WAITING = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`
