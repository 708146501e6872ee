import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startService } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { cloneDatabase } from '../support/db.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { makeWorkspace, startHarness } from '../support/service.ts'

const WAITING = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('a stop lets nobody in, finishes what runs, and waits for no connection that is kept alive', async () => {
  const database = await cloneDatabase()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-stop-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    ALLOW_UNSAFE_DATABASE: '1',
  })
  const service = await startService(config, { say: () => {} })
  const { key } = await makeWorkspace(service.deps, 'Acme')
  const locker = new pg.Client({ connectionString: database.url })
  await locker.connect()
  const watcher = new pg.Client({ connectionString: database.url })
  await watcher.connect()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      get(
        `${service.address}/api/v1/outlets`,
        { agent, headers: { authorization: `Bearer ${key}` } },
        (answer) => {
          answer.resume()
          answer.once('end', () => resolve(answer.statusCode ?? 0))
        },
      ).once('error', reject)
    })
  try {
    expect(await ask()).toBe(200)
    await locker.query('begin')
    await locker.query('lock table outlets in access exclusive mode')
    const running = ask()
    await expect.poll(async () => (await watcher.query(WAITING)).rows[0].n).toBe(1)
    const stopping = service.stop()
    const { port } = new URL(service.address)
    const isLetIn = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.destroy()
          resolve(true)
        })
        socket.once('error', () => resolve(false))
      })
    await expect.poll(isLetIn, { timeout: 1_500 }).toBe(false)
    await locker.query('commit')
    expect(await running).toBe(200)
    const began = performance.now()
    await locker.end()
    await watcher.end()
    await stopping
    expect(performance.now() - began).toBeLessThan(5_000)
  } finally {
    agent.destroy()
    await service.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}, 60_000)

type Running = Awaited<ReturnType<typeof startService>>

async function withService(work: (service: Running, databaseUrl: string) => Promise<void>) {
  const database = await cloneDatabase()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-stop-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    ALLOW_UNSAFE_DATABASE: '1',
  })
  const service = await startService(config, { say: () => {} })
  try {
    await work(service, database.url)
  } finally {
    await service.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A connection that is accepted, with whatever it sends first. */
async function connected(address: string, text = ''): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return socket
}

const isAccepted = ({ app }: Running, count: number) =>
  expect
    .poll(() => new Promise((resolve) => app.server.getConnections((_, open) => resolve(open))))
    .toBe(count)

test('a stop closes a connection that never sent a byte immediately', async () => {
  await withService(async (service) => {
    const silent = await Promise.all([connected(service.address), connected(service.address)])
    await isAccepted(service, 2)
    const closed = Promise.all(silent.map((socket) => once(socket, 'close')))
    const began = performance.now()
    await service.stop()
    expect(performance.now() - began).toBeLessThan(3_000)
    await closed
  })
}, 60_000)

test('a stop ends within ten seconds, whatever requests and connections are open', async () => {
  await withService(async (service, databaseUrl) => {
    const { key } = await makeWorkspace(service.deps, 'Acme')
    const locker = new pg.Client({ connectionString: databaseUrl })
    await locker.connect()
    await locker.query('begin')
    await locker.query('lock table outlets in access exclusive mode')
    const head = `GET /api/v1/outlets HTTP/1.1\r\nHost: kasir\r\nAuthorization: Bearer ${key}\r\n`
    const open = await Promise.all([
      connected(service.address),
      connected(service.address, head),
      connected(service.address, `${head}\r\n`),
    ])
    await expect.poll(async () => (await locker.query(WAITING)).rows[0].n).toBe(1)
    const began = performance.now()
    await service.stop()
    expect(performance.now() - began).toBeLessThan(10_000)
    await locker.end()
    for (const socket of open) socket.destroy()
  })
}, 60_000)

test('a stop ends within ten seconds although the database is silent', async () => {
  const database = await cloneDatabase()
  const proxy = await faultyProxy(database.url)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-stop-'))
  const settings = { DATA_DIR: dataDir, DATABASE_URL: proxy.url, PORT: '0', ALLOW_UNSAFE_DATABASE: '1' }
  try {
    const service = await startService(readConfig({ ...settings, LOG_LEVEL: 'silent' }), { say: () => {} })
    const { key } = await makeWorkspace(service.deps, 'Acme')
    const ask = (route: string) =>
      fetch(`${service.address}/api/v1${route}`, { headers: { authorization: `Bearer ${key}` } }).catch(
        () => null,
      )
    expect((await ask('/outlets'))?.status).toBe(200)
    proxy.silence(true)
    const asked = Promise.all(['/outlets', '/sales', '/health', '/products'].map(ask))
    const began = performance.now()
    await service.stop().catch(() => {})
    expect(performance.now() - began).toBeLessThan(10_000)
    await asked
  } finally {
    proxy.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}, 60_000)

test('health does not wait for the pool, and a database that takes no writes is down', async () => {
  const { harness, stop } = await startHarness({ env: { DATABASE_POOL_SIZE: '2' } })
  const { pool } = harness.deps
  try {
    const held = [await pool.connect(), await pool.connect()]
    const health = await harness.as(null).get('/health')
    expect([health.status, health.data.checks.database]).toEqual([200, 'ok'])
    const { rows } = (await held[0]?.query('select current_database() as name')) ?? { rows: [] }
    await held[0]?.query(`alter database ${rows[0].name} set default_transaction_read_only = on`)
    await held[0]?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'kasir health'`,
    )
    for (const client of held) client.release()
    await expect
      .poll(async () => {
        const standby = await harness.as(null).get('/health')
        return [standby.status, standby.data.status, standby.data.checks.database]
      })
      .toEqual([503, 'down', 'down'])
  } finally {
    await stop().catch(() => {})
  }
})
