import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { examineDatabase } from '../../src/cli/doctor/database.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { readConfig } from '../../src/platform/config.ts'
import {
  durabilityFaults,
  extensionsOf,
  type Migration,
  migrate,
  readMigrations,
  serverFaults,
  statementsOf,
} from '../../src/platform/db/migrate.ts'
import { startHarness } from '../support/api.ts'
import { withDatabase } from '../support/global-setup.ts'
import { startDebianPostgres, type TestPostgres } from '../support/postgres.ts'

async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}

async function emptyDatabase(admin: string): Promise<string> {
  const name = `kasir_migrate_${randomBytes(6).toString('hex')}`
  await query(admin, `create database ${name}`)
  databases.push([admin, name])
  return withDatabase(admin, name)
}
const databases: [admin: string, name: string][] = []
afterAll(async () => {
  for (const [admin, name] of databases)
    await query(admin, `drop database if exists ${name} with (force)`).catch(() => {})
})

const empty = () => emptyDatabase(inject('databaseUrl'))
const all = async () => (await readMigrations()).map((migration) => migration.name)

test('an empty database gets every file once; a second run changes nothing', async () => {
  const url = await empty()
  expect(await migrate(url)).toEqual(await all())
  expect(await migrate(url)).toEqual([])
  const rows = await query<{ name: string }>(url, 'select name from schema_migrations order by name')
  expect(rows.map((row) => row.name)).toEqual(await all())
})

test('four processes at once: one applies, the others find it done', async () => {
  const url = await empty()
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url), migrate(url)])
  expect(applied.filter((names) => names.length > 0)).toEqual([await all()])
})

test('a file that was edited after it had been applied is refused, and nothing runs', async () => {
  const url = await empty()
  const files = [
    { name: '0001_a.sql', sql: 'create table a (id text)', checksum: 'one' },
    { name: '0002_b.sql', sql: 'create table b (id text)', checksum: 'two' },
  ]
  await migrate(url, files.slice(0, 1))
  const edited = files.map((file) => (file.name === '0001_a.sql' ? { ...file, checksum: 'other' } : file))
  await expect(migrate(url, edited)).rejects.toThrow(
    'Migration 0001_a.sql was edited after it had been applied',
  )
  expect(await query(url, `select to_regclass('b') as b`)).toEqual([{ b: null }])
})

test('a database from a newer version is refused', async () => {
  const url = await empty()
  await migrate(url, [{ name: '0009_later.sql', sql: 'select 1', checksum: 'x' }])
  await expect(migrate(url)).rejects.toThrow(
    /0009_later\.sql, which this version does not know: start a newer version/,
  )
})

test('a file that fails leaves nothing of itself, and the files before it stay', async () => {
  const url = await empty()
  const good = { name: '0001_a.sql', sql: 'create table a (id text)', checksum: 'one' }
  const bad = {
    name: '0002_b.sql',
    sql: 'create table b (id text);\ncreate table a (id text)',
    checksum: 'two',
  }
  await expect(migrate(url, [good, bad])).rejects.toThrow(/Migration 0002_b\.sql failed: .*already exists/)
  expect(await query(url, `select to_regclass('a')::text as a, to_regclass('b') as b`)).toEqual([
    { a: 'a', b: null },
  ])
  const mended = { ...bad, sql: 'create table b (id text)' }
  expect(await migrate(url, [good, mended])).toEqual(['0002_b.sql'])
})

test('statements are told apart, comments are not statements', () => {
  expect(statementsOf('-- a;\ncreate table a (\n  id text\n);\n\n-- b\nselect 1;')).toEqual([
    'create table a (\n  id text\n)',
    'select 1',
  ])
})

test('no two files have one number', async () => {
  const numbers = (await all()).map((name) => Number(name.slice(0, 4)))
  expect([numbers[0], new Set(numbers).size]).toEqual([1, numbers.length])
})

test('every extension that the schema turns on is known', async () => {
  expect(extensionsOf(await readMigrations())).toEqual(['btree_gin', 'pg_trgm'])
})

test('the doctor names the extensions that are not there yet and then their versions', async () => {
  const url = await empty()
  await query(url, 'create extension pg_trgm')
  const search = async () => {
    const findings: Finding[] = []
    await examineDatabase(readConfig({ DATABASE_URL: url }), (finding) => findings.push(finding))
    return findings.find(({ name }) => name === 'search')
  }
  expect(await search()).toEqual({
    name: 'search',
    state: 'note',
    found: 'at hand, the first start turns it on: the extension btree_gin',
  })
  await migrate(url)
  expect(await search()).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/^the extensions btree_gin [\d.]+, pg_trgm [\d.]+$/),
  })
})

test('the doctor tells a schema of another version as the start would refuse it', async () => {
  const schemaOf = async (...rows: Migration[]) => {
    const url = await empty()
    await migrate(url, rows)
    const findings: Finding[] = []
    await examineDatabase(readConfig({ DATABASE_URL: url }), (finding) => findings.push(finding))
    return findings.find(({ name }) => name === 'schema')
  }
  const [known] = await readMigrations()
  const later = { name: '0099_later.sql', sql: 'select 1', checksum: 'x' }
  const edited = { name: known?.name ?? '', sql: 'select 1', checksum: 'x' }
  expect(await schemaOf(later)).toMatchObject({ state: 'fault', found: expect.stringContaining('unknown') })
  expect(await schemaOf(edited)).toMatchObject({ state: 'fault', found: expect.stringContaining('edited') })
})

test('a server is told by its settings: what is off, and whether it is too old', () => {
  const told = (settings: Record<string, string>) => serverFaults((name) => settings[name] ?? 'on')
  expect(told({ server_version_num: '150000' })).toEqual({ off: [], isTooOld: false })
  expect(told({ server_version_num: '149999', fsync: 'off' })).toEqual({ off: ['fsync'], isTooOld: true })
})

test('a database that could lose a sale is named for what is wrong with it', async () => {
  // The test database is one: it trades what it could lose in a crash for speed.
  expect(await durabilityFaults(inject('databaseUrl'))).toEqual(
    expect.arrayContaining(['fsync is off', 'full_page_writes is off', 'synchronous_commit is off']),
  )
})

describe('on the PostgreSQL that Debian ships', () => {
  let debian: TestPostgres | null = null
  beforeAll(async () => {
    debian = await startDebianPostgres()
  }, 60_000)
  afterAll(() => debian?.stop())

  test('every migration runs, and the rules of a sale are held by the database', async ({ skip }) => {
    if (!debian) return skip('no Debian PostgreSQL on this machine')
    const url = await emptyDatabase(debian.url)
    expect(await migrate(url)).toEqual(await all())
    const [row] = await query<{ version: number }>(
      url,
      `select current_setting('server_version_num')::int / 10000 as version`,
    )
    expect(row?.version).toBeGreaterThanOrEqual(15)
  })

  test('a sale completes, stock falls, a bill is paid in parts and a sale is voided', async ({ skip }) => {
    if (!debian) return skip('no Debian PostgreSQL on this machine')
    const url = await emptyDatabase(debian.url)
    await migrate(url)
    const { harness, stop } = await startHarness({ database: { url, drop: async () => {} } })
    try {
      const { acme } = harness
      const outletId = (await acme.post('/outlets', { name: 'Kemang', taxRateBps: 1100 })).data.outlet.id
      const { product } = (await acme.post('/products', { name: 'Kopi', variants: [{ price: 18_000 }] })).data
      const variantId = product.variants[0].id
      await acme.post('/inventory/adjust', { outletId, variantId, qtyDelta: 10 })
      const items = [{ variantId, quantity: 2 }]
      const level = async () =>
        (await acme.get(`/inventory/levels?outletId=${outletId}`)).data.levels[0].quantity
      const sold = await acme.post('/sales', {
        outletId,
        items,
        payments: [{ method: 'CASH', amount: 50_000 }],
      })
      expect([sold.status, sold.data.sale.total, sold.data.sale.changeTotal]).toEqual([201, 39_960, 10_040])
      expect(await level()).toBe(8)
      const bill = (await acme.post('/sales', { outletId, items })).data.sale
      const part = await acme.post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: 20_000 })
      expect(part.data.sale).toMatchObject({ status: 'PARKED', remaining: 19_960 })
      const rest = await acme.post(`/sales/${bill.id}/payments`, { method: 'QRIS', amount: 19_960 })
      expect(rest.data.sale).toMatchObject({ status: 'COMPLETED', remaining: 0 })
      expect(await level()).toBe(6)
      expect((await acme.post(`/sales/${sold.data.sale.id}/void`)).data.sale.status).toBe('VOIDED')
      expect(await level()).toBe(8)
    } finally {
      await stop()
    }
  })
})
