import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { withClient } from './client.ts'
import { isLockTimeout, isRetryable } from './pg-errors.ts'
import { isSpread, placeTable } from './place-table.ts'

/** Both src/platform/db and dist/platform/db are three folders below the root. */
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

/** One statement per message: a sharded database refuses some DDL inside a multi-statement string. */
export const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** The table of applied migrations: in the given schema, or in the session's. */
const ledgerIn = (schema: string | undefined) =>
  schema === undefined ? 'schema_migrations' : `${schema}.schema_migrations`

const makeLedger = (ledger: string) => `create table if not exists ${ledger} (
  name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`

/**
 * Several processes may start together: one applies the migrations, the others wait for this lock, as do backup and
 * restore.
 */
export const MIGRATION_LOCK = 7_351_120
const LOCK_LOOK_MS = 500
const LOCK_REPORT_MS = 5_000
/** A restore may lock the ledger for its whole run. */
const LEDGER_LOCK_MS = 2_000

/**
 * Applies the pending migrations in order, each file in its own transaction. Throws if an applied file was edited
 * afterwards, if the database is newer than this program, or if another session keeps a table locked. `schema` must
 * exist; it holds the list of applied migrations. `say` gets a line every five seconds while another process holds the
 * migration lock.
 */
export async function migrate(
  url: string,
  migrations?: Migration[],
  { patience = PATIENCE, schema, say = () => {}, signal }: MigrateOptions = {},
): Promise<string[]> {
  const ledger = ledgerIn(schema)
  const wanted = migrations ?? (await readMigrations())
  const config = { connectionString: url, application_name: 'kasir-migrate', keepAlive: true }
  return withClient(config, async (client) => {
    // The role may have time limits meant for sessions of the tills.
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    // Without pending migrations it does not wait: a backup or another start may hold the lock for long.
    if ((await pendingUnlocked(client, ledger, wanted))?.length === 0) return []
    await takeLock(client, say, signal)
    await client.query(makeLedger(ledger))
    const pending = await findPending(client, ledger, wanted)
    for (const migration of pending) await applyPatiently(client, { ledger, migration, patience })
    return pending.map((migration) => migration.name)
  })
}

type MigrateOptions = {
  patience?: Patience
  schema?: string
  say?: ((line: string) => void) | undefined
  /** Aborting it ends the wait for the lock; `migrate` then throws the reason. */
  signal?: AbortSignal | undefined
}

async function findPending(client: pg.Client, ledger: string, wanted: readonly Migration[]) {
  const { rows } = await client.query<LedgerRow>(`select name, checksum from ${ledger} order by name`)
  refuseStrangers(rows, wanted)
  const applied = new Set(rows.map((row) => row.name))
  return wanted.filter((migration) => !applied.has(migration.name))
}

/** Returns null if the ledger does not exist yet or is locked. */
async function pendingUnlocked(client: pg.Client, ledger: string, wanted: readonly Migration[]) {
  await client.query(`set lock_timeout = ${LEDGER_LOCK_MS}`)
  try {
    const { rows } = await client.query<{ found: string | null }>('select to_regclass($1)::text as found', [
      ledger,
    ])
    return rows[0]?.found ? await findPending(client, ledger, wanted) : null
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    return null
  } finally {
    await client.query('set lock_timeout = 0')
  }
}

const HOLDER = `select a.application_name as name, a.pid, a.client_addr as address
from pg_locks l join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1
  and l.database = (select oid from pg_database where datname = current_database())
order by a.backend_start limit 1`

async function takeLock(client: pg.Client, say: (line: string) => void, signal?: AbortSignal) {
  for (let waitedMs = 0; ; waitedMs += LOCK_LOOK_MS) {
    signal?.throwIfAborted()
    const { rows } = await client.query<{ isMine: boolean }>('select pg_try_advisory_lock($1) as "isMine"', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.isMine) return
    if (waitedMs % LOCK_REPORT_MS === LOCK_LOOK_MS) {
      type Holder = { name: string; pid: number; address: string | null }
      const [holder] = (await client.query<Holder>(HOLDER, [MIGRATION_LOCK])).rows
      const at = holder?.address ? ` from ${holder.address}` : ''
      const who = holder ? `${holder.name} (database session ${holder.pid}${at})` : 'another process of Kasir'
      say(`The schema needs an update; waiting for ${who} to end`)
    }
    await setTimeout(LOCK_LOOK_MS)
  }
}

type LedgerRow = { name: string; checksum: string }
export type LedgerFault = { name: string; fault: 'unknown' | 'edited' }

/**
 * Returns the first applied migration that this version does not know, or knows with another text; null if all match.
 */
export function ledgerFault(rows: readonly LedgerRow[], known: readonly Migration[]): LedgerFault | null {
  const checksums = new Map(known.map((migration) => [migration.name, migration.checksum]))
  for (const { name, checksum } of rows) {
    const expected = checksums.get(name)
    if (expected === undefined) return { name, fault: 'unknown' }
    if (expected !== checksum) return { name, fault: 'edited' }
  }
  return null
}

function refuseStrangers(rows: readonly LedgerRow[], wanted: readonly Migration[]) {
  const found = ledgerFault(rows, wanted)
  if (found === null) return
  throw new Error(
    found.fault === 'unknown'
      ? `The database has migration ${found.name}, which this version does not know: start a newer version.`
      : `Migration ${found.name} was edited after it had been applied: restore the file.`,
  )
}

/** Extensions that the schema enables and the server must have installed. */
export const extensionsOf = (migrations: readonly Migration[]): string[] =>
  migrations
    .flatMap(({ sql }) => statementsOf(sql))
    .flatMap((statement) => /^create extension (?:if not exists )?(\w+)/i.exec(statement)?.[1] ?? [])
    .sort()

/** How long one attempt waits for a lock, the pause that lets the tills run, and the number of attempts. */
type Patience = { lockMs: number; pauseMs: number; attempts: number }
type PendingMigration = { ledger: string; migration: Migration; patience: Patience }
const PATIENCE: Patience = { lockMs: 2_000, pauseMs: 1_000, attempts: 20 }

/**
 * A migration that waits for a table makes every later statement on it wait too. It therefore waits briefly, pauses
 * so that others proceed, and tries again.
 */
async function applyPatiently(client: pg.Client, pending: PendingMigration) {
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
        `Migration ${migration.name} gave up waiting for a table that another session has locked; none of it was applied. Stop the other processes of Kasir, or wait for the long transaction or backup to end, and start again.`,
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

/** In a sharded database, distributes each new table right after its creation (docs/scaling.md). */
async function applyOne(client: pg.Client, ledger: string, { name, sql, checksum }: Migration) {
  const places = await isSpread(client)
  for (const statement of statementsOf(sql)) {
    await client.query(statement)
    const table = MAKES_TABLE.exec(statement)?.[1]
    if (places && table !== undefined) await placeTable(client, table)
  }
  await client.query(`insert into ${ledger} (name, checksum) values ($1, $2)`, [name, checksum])
}

async function apply(client: pg.Client, { ledger, migration, patience }: PendingMigration) {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${patience.lockMs}`)
    await applyOne(client, ledger, migration)
    await client.query('commit')
  } catch (error) {
    // On a lost connection the rollback fails too; the first error is the cause.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit']
const OLDEST_SERVER = 150_000
/** The settings that `serverFaults` reads, by their names in pg_settings. */
export const SERVER_SETTINGS = [...DURABLE, 'server_version_num']

/**
 * Settings without which an acknowledged sale may not survive a crash (PostgreSQL, reliability chapter), and the oldest
 * supported server version.
 */
export const serverFaults = (value: (name: string) => string) => ({
  off: DURABLE.filter((name) => value(name) === 'off'),
  isTooOld: Number(value('server_version_num')) < OLDEST_SERVER,
})

/** Reasons why the service should not start on this server; empty if there are none. */
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
