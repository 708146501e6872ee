import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { isSpread, placeTable } from '../sharding/place-table.ts'
import { withClient } from './client.ts'
import { isLockTimeout, isRetryable } from './pg-errors.ts'

/** Both src/platform/db and dist/platform/db lie three folders below the root. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../../../migrations/', import.meta.url))

export type Migration = { name: string; sql: string; checksum: string }

export async function readMigrations(dir = MIGRATIONS_DIR): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${dir}/${name}`, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** One statement per message: a sharded engine refuses some DDL inside a multi-statement string. */
export const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** Which migrations were applied: in the schema that they are about, or in that of the session. */
const ledgerIn = (schema: string | undefined) =>
  schema === undefined ? 'schema_migrations' : `${schema}.schema_migrations`

const makeLedger = (ledger: string) => `create table if not exists ${ledger} (
  name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`

/** Any number of processes may start at once; one applies, the others wait here, and so do backup and restore. */
export const MIGRATION_LOCK = 7_351_120

/**
 * Brings the schema up to date, forward only, each file in a transaction of its own. Throws when an applied file was
 * edited afterwards, when the database is newer than this program, or when something else keeps the tables of a file
 * locked. `schema` exists and keeps the list of what was applied.
 */
export async function migrate(
  url: string,
  migrations?: Migration[],
  { patience = PATIENCE, schema }: { patience?: Patience; schema?: string } = {},
): Promise<string[]> {
  const ledger = ledgerIn(schema)
  const wanted = migrations ?? (await readMigrations())
  return withClient({ connectionString: url, application_name: 'kasir-migrate' }, async (client) => {
    // The role may have limits for what its sessions do at the tills.
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(makeLedger(ledger))
    const { rows } = await client.query<Applied>(`select name, checksum from ${ledger} order by name`)
    refuseStrangers(rows, wanted)
    const applied = new Set(rows.map((row) => row.name))
    const pending = wanted.filter((migration) => !applied.has(migration.name))
    for (const migration of pending) await applyPatiently(client, { ledger, migration, patience })
    return pending.map((migration) => migration.name)
  })
}

type Applied = { name: string; checksum: string }
export type LedgerFault = { name: string; fault: 'unknown' | 'edited' }

/** The first applied migration that this version does not know, or knows with another text; null when there is none. */
export function ledgerFault(rows: readonly Applied[], known: readonly Migration[]): LedgerFault | null {
  const checksums = new Map(known.map((migration) => [migration.name, migration.checksum]))
  for (const { name, checksum } of rows) {
    const expected = checksums.get(name)
    if (expected === undefined) return { name, fault: 'unknown' }
    if (expected !== checksum) return { name, fault: 'edited' }
  }
  return null
}

function refuseStrangers(rows: readonly Applied[], wanted: readonly Migration[]) {
  const found = ledgerFault(rows, wanted)
  if (found === null) return
  throw new Error(
    found.fault === 'unknown'
      ? `The database has migration ${found.name}, which this version does not know: start a newer version.`
      : `Migration ${found.name} was edited after it had been applied; restore the file.`,
  )
}

/** Modules that the schema turns on and the server must bring along. */
export const extensionsOf = (migrations: readonly Migration[]): string[] =>
  migrations
    .flatMap(({ sql }) => statementsOf(sql))
    .flatMap((statement) => /^create extension (?:if not exists )?(\w+)/i.exec(statement)?.[1] ?? [])
    .sort()

/** How long one attempt waits for a lock, how long the tills are let through after it, and how often it is tried. */
type Patience = { lockMs: number; pauseMs: number; attempts: number }
type Pending = { ledger: string; migration: Migration; patience: Patience }
const PATIENCE: Patience = { lockMs: 2_000, pauseMs: 1_000, attempts: 20 }

/**
 * Anything that asks for a table after a waiting migration has to wait too: so the migration waits briefly, lets
 * everybody through, and asks again.
 */
async function applyPatiently(client: pg.Client, pending: Pending) {
  const { migration, patience } = pending
  for (let attempt = 1; ; attempt += 1) {
    const error = await apply(client, pending).then(
      () => null,
      (failure: unknown) => failure,
    )
    if (error === null) return
    if (!isLockTimeout(error) && !isRetryable(error)) {
      throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
    }
    if (attempt === patience.attempts) {
      throw new Error(
        `Migration ${migration.name} gave up waiting for a table that something else has locked; none of it was applied. Stop the other processes of Kasir, or wait for the long transaction or backup to end, and start again.`,
        { cause: error },
      )
    }
    await setTimeout(patience.pauseMs)
  }
}

/** Applies migrations in a transaction that the caller has begun. */
export async function applyWithin(
  client: pg.Client,
  migrations: readonly Migration[],
  schema?: string,
): Promise<void> {
  const ledger = ledgerIn(schema)
  await client.query(makeLedger(ledger))
  for (const migration of migrations) await applyOne(client, ledger, migration)
}

const MAKES_TABLE = /^create table (?:if not exists )?(\w+)/i

/** A table that is made in a database that is spread over workers is placed at once (docs/scaling.md). */
async function applyOne(client: pg.Client, ledger: string, { name, sql, checksum }: Migration) {
  const places = await isSpread(client)
  for (const statement of statementsOf(sql)) {
    await client.query(statement)
    const table = MAKES_TABLE.exec(statement)?.[1]
    if (places && table !== undefined) await placeTable(client, table)
  }
  await client.query(`insert into ${ledger} (name, checksum) values ($1, $2)`, [name, checksum])
}

async function apply(client: pg.Client, { ledger, migration, patience }: Pending) {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${patience.lockMs}`)
    await applyOne(client, ledger, migration)
    await client.query('commit')
  } catch (error) {
    // Where the connection is lost there is nothing to undo, and what ended it is the reason.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit']
const OLDEST_SERVER = 150_000
/** The settings that `serverFaults` reads, as pg_settings names them. */
export const SERVER_SETTINGS = [...DURABLE, 'server_version_num']

/** What must hold for an acknowledged sale to survive a crash (PostgreSQL, reliability chapter), and for the schema. */
export const serverFaults = (value: (name: string) => string) => ({
  off: DURABLE.filter((name) => value(name) === 'off'),
  isTooOld: Number(value('server_version_num')) < OLDEST_SERVER,
})

/** Why the service should not start on this server; empty when all is well. */
export async function durabilityFaults(url: string): Promise<string[]> {
  return withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [SERVER_SETTINGS],
    )
    const { off, isTooOld } = serverFaults((name) => rows.find((row) => row.name === name)?.setting ?? '')
    return [...off.map((name) => `${name} is off`), ...(isTooOld ? ['PostgreSQL 15 or newer is needed'] : [])]
  })
}
