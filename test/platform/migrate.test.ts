import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { brokenMigrations, extendedSums } from '../../scripts/lib/checksums.ts'
import { examineDatabase } from '../../src/cli/doctor/database.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import {
  durabilityFaults,
  extensionsOf,
  MIGRATION_LOCK,
  type Migration,
  migrate,
  readMigrations,
  serverFaults,
  statementsOf,
} from '../../src/platform/db/migrate.ts'
import type { Finding } from '../../src/platform/doctor/finding.ts'
import { assertInvariants } from '../support/expect.ts'
import { withDatabase } from '../support/global-setup.ts'
import { startDebianPostgres, type TestPostgres } from '../support/postgres.ts'
import { startHarness } from '../support/service.ts'

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

test('a migration that loses its connection says what ended it', async () => {
  const sql = 'select pg_terminate_backend(pg_backend_pid())'
  await expect(migrate(await empty(), [{ name: '0001_lost.sql', sql, checksum: 'x' }])).rejects.toThrow(
    'Migration 0001_lost.sql failed: terminating connection due to administrator command',
  )
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

test('a payment from before sessions were written on it knows the one whose money it is', async () => {
  const url = await empty()
  const files = await readMigrations()
  const at = files.findIndex(({ name }) => name.startsWith('0089_'))
  await migrate(url, files.slice(0, at))
  const day = (n: number) => `2026-01-0${n}T00:00:00Z`
  const payment = (id: string, ref: string | null, paidOn: number, status = 'PAID', verified = true) =>
    `('acc', 'txn', '${id}', 'QRIS', 5, ${ref === null ? 'null' : `'${ref}'`}, '${status}', ${verified},
      '${day(paidOn)}', '${day(1)}', '${day(1)}')`
  const session = (id: string, paymentId: string, status: string, paidOn: number) =>
    `('acc', '${id}', 'txn', '${paymentId}', 'qris', 5, '${status}', '${day(1)}', '${day(paidOn)}', '${day(1)}', '${day(1)}')`
  await query(
    url,
    `alter table payments drop constraint payments_account_id_sale_id_fkey;
    alter table payment_sessions drop constraint payment_sessions_account_id_fkey,
      drop constraint payment_sessions_account_id_sale_id_fkey;
    insert into payments (account_id, sale_id, id, method, amount, provider_ref, status, verified, paid_at, created_at, updated_at)
    values ${[
      payment('own', 'cks_own', 2),
      payment('again', 'cks_own', 3),
      payment('of_till', 'till-1', 4),
      payment('called_paid', 'till-2', 5),
      payment('forgotten', 'cks_forgotten', 6),
      payment('unnamed', null, 6),
      payment('claimed', 'till-3', 7, 'PAID', false),
      payment('failed', 'cks_failed', 8, 'FAILED', false),
    ].join()};
    insert into payment_sessions (account_id, id, sale_id, payment_id, method, amount, status, expires_at, paid_at, created_at,
      updated_at)
    values ${[
      session('cks_own', 'own', 'paid', 2),
      session('cks_again', 'own', 'paid', 3),
      session('cks_of_till', 'of_till', 'paid', 4),
      session('cks_called', 'called_paid', 'paid', 9),
      session('cks_failed', 'failed', 'failed', 8),
    ].join()}`,
  )
  await migrate(url, files)
  expect(await query(url, 'select id, session_id from payments order by id')).toEqual([
    { id: 'again', session_id: 'cks_again' },
    { id: 'called_paid', session_id: 'cks_called' },
    { id: 'claimed', session_id: null },
    { id: 'failed', session_id: null },
    { id: 'forgotten', session_id: 'cks_forgotten' },
    { id: 'of_till', session_id: 'cks_of_till' },
    { id: 'own', session_id: 'cks_own' },
    { id: 'unnamed', session_id: null },
  ])
})

test('statements are separated, comments are not statements', () => {
  expect(statementsOf('-- a;\ncreate table a (\n  id text\n);\n\n-- b\nselect 1;')).toEqual([
    'create table a (\n  id text\n)',
    'select 1',
  ])
})

test('no two files have one number', async () => {
  const numbers = (await all()).map((name) => Number(name.slice(0, 4)))
  expect([numbers[0], new Set(numbers).size]).toEqual([1, numbers.length])
})

test('a migration that waits for a table lets the tills through and is applied when the table is free', async () => {
  const url = await empty()
  await migrate(url, [{ name: '0001_a.sql', sql: 'create table a (id text)', checksum: 'one' }])
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin; select * from a')
  const change = { name: '0002_b.sql', sql: 'alter table a add column b text', checksum: 'two' }
  const files = [{ name: '0001_a.sql', sql: 'create table a (id text)', checksum: 'one' }, change]
  const patience = { lockMs: 400, pauseMs: 50, attempts: 200 }
  const migrating = migrate(url, files, { patience })
  const waiting = async () =>
    (await query(url, `select 1 from pg_locks where not granted and relation = 'a'::regclass`)).length
  await expect.poll(waiting).toBe(1)
  // Queued behind the migration, this one would wait for as long as the holder stays.
  expect(await query(url, 'select * from a')).toEqual([])
  await holder.query('commit')
  await holder.end()
  expect(await migrating).toEqual(['0002_b.sql'])
  expect(await query(url, 'select b from a')).toEqual([])
})

describe('while another process holds the migration lock', () => {
  const known: Migration[] = [{ name: '0001_a.sql', sql: 'create table a (id int)', checksum: 'one' }]
  const more = [...known, { name: '0002_b.sql', sql: 'create table b (id int)', checksum: 'two' }]

  async function withLockHeld(url: string, work: (release: () => Promise<void>) => Promise<void>) {
    const holder = new pg.Client({ connectionString: url, application_name: 'kasir-backup' })
    await holder.connect()
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    let isHeld = true
    const release = async () => {
      if (isHeld) await holder.end()
      isHeld = false
    }
    try {
      await work(release)
    } finally {
      await release()
    }
  }

  test('a start with nothing to migrate does not wait', async () => {
    const url = await empty()
    await migrate(url, known)
    await withLockHeld(url, async () => expect(await migrate(url, known)).toEqual([]))
  })

  test('a start with something to migrate names the holder, and goes on when it ends', async () => {
    const url = await empty()
    await migrate(url, known)
    await withLockHeld(url, async (release) => {
      const lines: string[] = []
      const migrating = migrate(url, more, { say: (line) => lines.push(line) })
      await expect
        .poll(() => lines)
        .toEqual([
          expect.stringMatching(
            /^The schema needs an update; waiting for kasir-backup \(database session \d+.*\) to end$/,
          ),
        ])
      await release()
      expect(await migrating).toEqual(['0002_b.sql'])
    })
  })
})

test('a migration whose table stays locked gives up in a sentence, and leaves nothing of itself', async () => {
  const url = await empty()
  const files = [{ name: '0001_a.sql', sql: 'create table a (id text)', checksum: 'one' }]
  await migrate(url, files)
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin; select * from a')
  const change = {
    name: '0002_b.sql',
    sql: 'create table b (id text);\nalter table a add column b text',
    checksum: 'two',
  }
  const patience = { lockMs: 50, pauseMs: 1, attempts: 3 }
  await expect(migrate(url, [...files, change], { patience })).rejects.toThrow(
    'Migration 0002_b.sql gave up waiting for a table that another session has locked; none of it was applied. Stop the other processes of Kasir, or wait for the long transaction or backup to end, and start again.',
  )
  await holder.end()
  expect(await query(url, `select to_regclass('b') as b`)).toEqual([{ b: null }])
  expect(await migrate(url, [...files, change])).toEqual(['0002_b.sql'])
})

describe('migrations are only added', () => {
  test('none was edited, renamed or removed since it was committed, and each has its checksum', async () => {
    const sums = await readFile(new URL('../../migrations/SHA256SUMS', import.meta.url), 'utf8')
    const files = await readMigrations()
    expect(brokenMigrations(sums, files)).toEqual([])
    expect(extendedSums(sums, files)).toBe(sums)
    expect(sums).toContain(
      '5da56a9fc2783c28b58c14c1ca238c1dcde4ff9a9572ec8d1ba52fa67cf28218  0001_workspace.sql',
    )
  })

  test('an edited, a renamed and a removed one are named; a new one gets a line and changes no other', async () => {
    const files = (['0001_a.sql', '0002_b.sql', '0003_c.sql', '0004_d.sql'] as const).map((name) => ({
      name,
      sql: '',
      checksum: `sum of ${name}`,
    }))
    const [a, b, c, d] = files as [Migration, Migration, Migration, Migration]
    const sums = extendedSums('', [c, a, b])
    expect(sums).toBe(
      'sum of 0001_a.sql  0001_a.sql\nsum of 0002_b.sql  0002_b.sql\nsum of 0003_c.sql  0003_c.sql\n',
    )
    const after = [{ ...a, checksum: 'edited' }, { ...b, name: '0002_renamed.sql' }, d]
    expect(brokenMigrations(sums, after)).toEqual(['0001_a.sql', '0002_b.sql', '0003_c.sql'])
    expect(extendedSums(sums, [a, b, c, d])).toBe(`${sums}sum of 0004_d.sql  0004_d.sql\n`)
  })
})

describe('a database that is full of 0005_stock.sql', () => {
  const FIXTURE = new URL('./fixtures/filled-0005.sql.gz', import.meta.url)
  const NOW = '2026-11-22T05:14:00.000Z'
  const KEY = 'kasir_sk_01M801Z5R0PJ56D5A0B99C11X1_qa1tH_SnQ9AxOq3L3-ST4OmPUv8voiOz0d3dUawpLe8'
  let url: string
  let before: Record<string, number | undefined>

  const countsOf = async (at: string, tables: readonly string[]) =>
    Object.fromEntries(
      await Promise.all(
        tables.map(async (table) => {
          const [row] = await query<{ count: number }>(at, `select count(*)::int as count from ${table}`)
          return [table, row?.count] as const
        }),
      ),
    )

  beforeAll(async () => {
    url = await empty()
    await migrate(url, (await readMigrations()).slice(0, 5))
    const statements = gunzipSync(await readFile(FIXTURE))
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('--'))
    for (const statement of statements) await query(url, statement)
    const tables = await query<{ name: string }>(
      url,
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'schema_migrations'`,
    )
    before = await countsOf(
      url,
      tables.map(({ name }) => name),
    )
  })

  test('has rows in every table, and keeps each of them through every migration since', async () => {
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
    expect(before).toMatchObject({ sales: 28, stock_movements: 103, mails: 1, purchase_orders: 1 })
    const applied = await migrate(url)
    expect(applied).toEqual((await all()).slice(5))
    const kept = await query<{ name: string }>(
      url,
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const names = new Set(kept.map(({ name }) => name))
    const still = Object.keys(before).filter((name) => names.has(name))
    expect(await countsOf(url, still)).toEqual(
      Object.fromEntries(Object.entries(before).filter(([name]) => names.has(name))),
    )
  })

  test('is served: its books hold, its key signs in, retries of that time find their answers, its sales can be voided', async () => {
    const { harness, stop } = await startHarness({
      database: { url, drop: async () => {} },
      clock: manualClock(NOW),
      env: { SECRETS_KEY: 'OQxQbxE39d8RZMvzQ3HTkJwMpl2uOhR4F7QPqxsjP64=' },
    })
    try {
      await assertInvariants(harness.deps.db)
      const shop = harness.as(KEY)
      const outletId = 'out_01M801Z5R0PJ56D5A0B99C11X3'
      const items = [{ variantId: 'var_01M801Z5R0PJ56D5A0B99C1274', quantity: 2 }]
      const sale = { outletId, items, payments: [{ method: 'CASH', amount: 2_000_000 }] }
      const again = await shop.post('/sales', sale, { idempotencyKey: 'fixture-sale' })
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
      expect(again.data.sale).toMatchObject({ id: 'txn_01M80TQWBE47X0M437B7W922DM', total: 52_800 })
      const key = await shop.post('/api-keys', { name: 'Till 7' }, { idempotencyKey: 'fixture-key' })
      expect([key.status, key.data.key]).toEqual([201, KEY])
      const anew = await shop.post('/sales', sale, { idempotencyKey: 'of-today' })
      expect(anew.status).toBe(201)
      expect((await shop.post(`/sales/${anew.data.sale.id}/void`)).data.sale.status).toBe('VOIDED')
      await assertInvariants(harness.deps.db)
    } finally {
      await stop()
    }
  })
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
    found: 'available, and enabled by the first start: the extension btree_gin',
  })
  await migrate(url)
  expect(await search()).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/^the extensions btree_gin [\d.]+, pg_trgm [\d.]+$/),
  })
})

test('the doctor names the role at DATABASE_URL', async () => {
  const url = await empty()
  const findings: Finding[] = []
  await examineDatabase(readConfig({ DATABASE_URL: url }), (finding) => findings.push(finding))
  const [row] = await query<{ who: string; super: boolean }>(
    url,
    'select rolname as who, rolsuper as super from pg_roles where rolname = current_user',
  )
  expect(findings.find(({ name }) => name === 'role')).toEqual(
    row?.super
      ? {
          name: 'role',
          state: 'note',
          found: `${row.who} is a superuser; an ordinary role that owns the database is enough`,
        }
      : { name: 'role', state: 'ok', found: `${row?.who}, an ordinary role` },
  )
})

test('the doctor reports a schema of another version as the start would refuse it', async () => {
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

test('a server is judged by its settings: what is off, and whether it is too old', () => {
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
