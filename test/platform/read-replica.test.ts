import { fastify } from 'fastify'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { makeClient, withClient } from '../../src/platform/db/client.ts'
import { requireNoReplica } from '../../src/platform/db/replica.ts'
import { trackReplay } from '../../src/platform/db/replica-state.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { openMetrics } from '../../src/platform/metrics/metrics.ts'
import type { Api } from '../support/api.ts'
import { makeOutlet, makeVariant, openShift } from '../support/build.ts'
import { emptyDatabase } from '../support/db.ts'
import { done } from '../support/expect.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { kasir } from '../support/kasir.ts'
import { type Harness, startHarness } from '../support/service.ts'
import { type ReplicatedDatabase, startReplicated } from '../support/standby.ts'

const AS_OF = 'kasir-data-as-of'
const MAX_LAG_S = 4

let database: ReplicatedDatabase
let harness: Harness
let acme: Api
let stop: () => Promise<void>
let shop: { outletId: string; items: { variantId: string; quantity: number }[] }
const log: string[] = []

/** Collects what the service logs, one line for each entry. */
function logInto(lines: string[]) {
  const { log: write } = { log: (...entry: unknown[]) => void lines.push(JSON.stringify(entry)) }
  const logger = { info: write, warn: write, error: write, debug: write, trace: write, fatal: write }
  return Object.assign(logger, { child: () => logger, level: 'info' }) as unknown as Deps['log']
}

const serve = (url: string, lines: string[] = [], more: Record<string, string> = {}) =>
  startHarness({
    database: { url: database.primary.url, drop: async () => {} },
    env: {
      DATABASE_URL: database.primary.url,
      READ_REPLICA_URL: url,
      READ_REPLICA_MAX_LAG: String(MAX_LAG_S),
      SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64'),
      ...more,
    },
    log: logInto(lines),
  })

beforeAll(async () => {
  database = await startReplicated()
  const started = await serve(database.standby.url, log)
  harness = started.harness
  stop = started.stop
  acme = harness.acme
  const outletId = await makeOutlet(acme)
  shop = { outletId, items: [{ variantId: await makeVariant(acme, { price: 10_000 }), quantity: 1 }] }
  await openShift(acme, outletId)
}, 120_000)
afterAll(async () => {
  await stop()
  await database.remove()
})

const replay = (verb: 'pause' | 'resume') =>
  withClient({ connectionString: database.standby.adminUrl }, (client) =>
    client.query(`select pg_wal_replay_${verb}()`),
  )
const sell = async () =>
  done(await acme.post('/sales', { ...shop, payments: [{ method: 'CASH', amount: 10_000 }] }))
const summary = async () => {
  const { headers, data, status, text } = await acme.get('/reports/summary')
  expect(status, text).toBe(200)
  return { asOf: headers.get(AS_OF), sales: data.salesCount as number }
}
const ageOf = (asOf: string | null) => (asOf === null ? 0 : harness.deps.clock.ms() - Date.parse(asOf))
const isFromReplica = async () => (await summary()).asOf !== null
const healthOf = async () => (await acme.get('/health')).data.checks.replica

/** Waits until the replica answers reports and has every sale; returns their number. */
async function settled(): Promise<number> {
  await expect
    .poll(
      async () => (await summary()).asOf !== null && (await summary()).sales === (await soldOnPrimary()),
      {
        timeout: 30_000,
      },
    )
    .toBe(true)
  return soldOnPrimary()
}
async function soldOnPrimary(): Promise<number> {
  const { rows } = await withClient({ connectionString: database.primary.url }, (client) =>
    client.query<{ sold: number }>('select count(*)::int as sold from sales where account_id = $1', [
      acme.workspace.accountId,
    ]),
  )
  return rows[0]?.sold ?? 0
}

describe('a report (B-report-15)', () => {
  afterEach(() => replay('resume'))

  test('comes from the replica: while that stands still, the report is old and says as of when', async () => {
    const before = await settled()
    await replay('pause')
    await sell()
    const soldAt = harness.deps.clock.now()
    await expect.poll(async () => ageOf((await summary()).asOf)).toBeGreaterThan(2_000)
    const { asOf, sales } = await summary()
    expect(sales).toBe(before)
    expect(asOf !== null && asOf <= soldAt).toBe(true)
    const csv = await acme.get('/reports/summary?format=csv')
    expect(csv.text).toContain(`computedAt,${csv.headers.get(AS_OF)}`)
  })

  test('has every sale that was answered before its instant', async () => {
    await settled()
    for (let sale = 0; sale < 3; sale += 1) {
      await sell()
      const soldAt = harness.deps.clock.now()
      const isLater = async () => {
        const { asOf, sales } = await summary()
        return asOf !== null && asOf > soldAt ? sales : null
      }
      await expect.poll(isLater, { timeout: 10_000, interval: 20 }).not.toBeNull()
      expect(await isLater()).toBe(await soldOnPrimary())
    }
  })

  test('comes from the primary while the replica is further behind than it may be, and not after that', async () => {
    const before = await settled()
    log.length = 0
    await replay('pause')
    await sell()
    await expect.poll(isFromReplica, { timeout: 30_000 }).toBe(false)
    expect(await summary()).toEqual({ asOf: null, sales: before + 1 })
    expect(await healthOf()).toBe('down')
    const figures = await openMetrics(fastify(), harness.deps).text()
    expect(figures).toContain('kasir_replica_up{database="books"} 0')
    expect(Number(/kasir_replica_lag_seconds\{.*\} (\d+)/.exec(figures)?.[1])).toBeGreaterThanOrEqual(
      MAX_LAG_S,
    )
    expect(figures).toMatch(/kasir_replica_reads_total\{server="primary"\} [1-9]/)
    expect(log.filter((line) => line.includes('read replica'))).toHaveLength(1)
    await replay('resume')
    expect(await settled()).toBe(before + 1)
    expect(await healthOf()).toBe('ok')
  })

  test('that the replica cancels comes from the primary, and those of others still come from the replica', async () => {
    await settled()
    const [primary, standby] = [database.primary, database.standby].map(({ adminUrl }) =>
      makeClient({ connectionString: adminUrl }),
    ) as [pg.Client, pg.Client]
    await Promise.all([primary.connect(), standby.connect()])
    // The standby stops between the lock and its release, so that only there a report waits for it.
    await primary.query('begin; lock table sales in access exclusive mode')
    const locks = `select from pg_locks where relation = 'sales'::regclass and mode = 'AccessExclusiveLock'`
    await expect.poll(async () => (await standby.query(locks)).rowCount).toBe(1)
    await replay('pause')
    await primary.query('commit')
    const report = summary()
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'`
    await expect.poll(async () => (await standby.query(cancel)).rowCount).toBe(1)
    expect((await report).asOf).toBeNull()
    expect(await healthOf()).toBe('ok')
    await Promise.all([primary.end(), standby.end()])
  })

  test('about an outlet that the replica does not have yet comes from the primary', async () => {
    await settled()
    await replay('pause')
    const outletId = await makeOutlet(acme, { name: 'New' })
    const { status, headers } = await acme.get(`/reports/summary?outletId=${outletId}`)
    expect([status, headers.get(AS_OF)]).toEqual([200, null])
  })
})

test('only reports that add up days or rows come from the replica: an open drawer and stock levels do not', async () => {
  await settled()
  const [shift] = done(await acme.get('/shifts?limit=1'))
  for (const path of [`/reports/shifts/${shift.id}`, '/reports/low-stock', '/inventory/levels', '/sales']) {
    const { status, headers } = await acme.get(path)
    expect([path, status, headers.get(AS_OF)]).toEqual([path, 200, null])
  }
})

test('kasir doctor says how far the replica is behind', async () => {
  await settled()
  const env = { DATABASE_URL: database.primary.url, PORT: '0' }
  const { out } = await kasir(['doctor'], { ...env, READ_REPLICA_URL: database.standby.url })
  expect(out).toMatch(/read replica +a standby that is \d+ ms behind/)
})

describe('a server that is no replica of this database is not asked, and the log says why:', () => {
  const reasonAt = async (url: string) => {
    const lines: string[] = []
    const other = await serve(url, lines)
    try {
      await expect
        .poll(() => lines.find((line) => line.includes('not usable')), { timeout: 10_000 })
        .toBeDefined()
      const { status, headers } = await other.harness.acme.get('/reports/summary')
      expect([status, headers.get(AS_OF)]).toEqual([200, null])
      return lines.filter((line) => line.includes('read replica')).join()
    } finally {
      await other.stop()
    }
  }

  test('a primary', async () => {
    const another = await emptyDatabase()
    expect(await reasonAt(another.url)).toContain('it is not a standby: it accepts writes')
    await another.drop()
  })
  test('a standby of another database', async () => {
    await withClient({ connectionString: database.primary.adminUrl }, (client) =>
      client.query('create database another'),
    )
    const url = database.standby.url.replace('/kasir?', '/another?')
    await expect
      .poll(() =>
        withClient({ connectionString: url }, () => Promise.resolve('there')).catch(() => 'not yet'),
      )
      .toBe('there')
    expect(await reasonAt(url)).toContain('it is a standby of another database')
  })
  test('an address where nothing listens', async () => {
    expect(await reasonAt('postgres://kasir@127.0.0.1:1/kasir')).toContain('it does not answer')
  })
})

test('fifty readers get every report while the replica is killed, and it is used again when it is back', async () => {
  await settled()
  let isFallenBack = false
  const statuses = new Set<number>()
  const reader = async () => {
    while (!isFallenBack) statuses.add((await acme.get('/reports/summary')).status)
    statuses.add((await acme.get('/reports/hours')).status)
  }
  const readers = Promise.all(Array.from({ length: 50 }, reader))
  await isFromReplica()
  database.standby.kill()
  await expect.poll(isFromReplica, { timeout: 30_000 }).toBe(false)
  isFallenBack = true
  await readers
  expect([...statuses]).toEqual([200])
  await database.standby.start()
  await settled()
})

test('the primary answers reports while the replica is silent and earlier reports hold all its slots', async () => {
  const away = await faultyProxy(database.standby.url)
  // In production a report waits three seconds for a slot, and not half a minute as in tests.
  const url = new URL(away.url)
  url.searchParams.set('application_name', 'away')
  const { harness: served, stop: stopServing } = await serve(url.href, [], {
    NODE_ENV: 'production',
    DATABASE_POOL_SIZE: '2',
  })
  let answered = 0
  const report = async (api: Api) => {
    const { status, headers } = await api.get('/reports/summary')
    answered += 1
    return [status, headers.get(AS_OF) === null ? 'primary' : 'replica']
  }
  const apis = [served.acme, served.globex]
  const reports = () => Array.from({ length: 3 }, () => apis.map(report)).flat()
  const connections = `select from pg_stat_activity where application_name = 'away'`
  try {
    await withClient({ connectionString: database.standby.adminUrl }, (standby) => {
      const connected = async () => {
        await Promise.all(reports())
        return (await standby.query(connections)).rowCount
      }
      // The two of the pool, and one that watches the replica.
      return expect.poll(connected, { timeout: 30_000 }).toBe(3)
    })
    away.silence(true)
    answered = 0
    const early = reports()
    const health = async () => (await served.acme.get('/health')).data.checks.replica
    await expect.poll(health, { timeout: 15_000 }).toBe('down')
    for (const api of apis) expect(await report(api)).toEqual([200, 'primary'])
    // All but the two that hold the slots: they get no answer before their connections end.
    await expect.poll(() => answered).toBe(apis.length + early.length - 2)
    away.close()
    for (const answer of await Promise.all(early)) expect(answer).toEqual([200, 'primary'])
  } finally {
    away.close()
    await stopServing()
  }
})

test('without READ_REPLICA_URL the primary answers and health says that there is no replica', async () => {
  const plain = await startHarness({})
  const { status, headers } = await plain.harness.acme.get('/reports/summary')
  expect([status, headers.get(AS_OF)]).toEqual([200, null])
  expect((await plain.harness.acme.get('/health')).data.checks.replica).toBe('off')
  await plain.stop()
})

test('a distributed database refuses a read replica', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://coordinator/kasir',
    READ_REPLICA_URL: 'postgres://standby/kasir',
  })
  expect(() => requireNoReplica(config)).toThrow(/remove the setting/)
})

describe('the age of a replica', () => {
  const at = (ms: number, position: bigint) => ({ ms, position, instant: `at ${ms}` })

  test('does not grow while the primary is idle', () => {
    const track = trackReplay()
    for (const ms of [1, 2, 3]) {
      track.mark(at(ms, 100n))
      track.replayedTo(100n)
    }
    expect(track.replayed()?.ms).toBe(3)
  })
  test('is that of the newest position that it has replayed', () => {
    const track = trackReplay()
    track.replayedTo(1n)
    expect(track.replayed()).toBeNull()
    for (const ms of [1, 2, 3]) track.mark(at(ms, BigInt(100 * ms)))
    track.replayedTo(250n)
    expect(track.replayed()?.ms).toBe(2)
  })
  test('is unknown again when an older copy takes its place', () => {
    const track = trackReplay()
    track.mark(at(1, 100n))
    track.replayedTo(100n)
    track.replayedTo(50n)
    expect(track.replayed()).toBeNull()
  })
})
