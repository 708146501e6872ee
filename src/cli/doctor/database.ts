import { stat } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { nullOnCodes, StartError } from '../../core/fault.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { withClient } from '../../platform/db/client.ts'
import { readInvariants } from '../../platform/db/invariants.ts'
import {
  extensionsOf,
  ledgerFault,
  type Migration,
  readMigrations,
  SERVER_SETTINGS,
  serverFaults,
} from '../../platform/db/migrate.ts'
import { findPooler, poolerFault } from '../../platform/db/pooler.ts'
import { UNFINISHED_LIMIT } from '../../platform/jobs/board.ts'
import { fits } from '../../platform/secrets/key-file.ts'
import { CURRENT, keysOf, type SecretsKeyRow } from '../../platform/secrets/keyring.ts'
import { secretsOf } from '../../platform/secrets/secrets.ts'
import { sayAside } from '../command.ts'
import { withDatabase } from '../database.ts'
import { cluster } from './cluster.ts'
import { type Finding, fault, note, ok, type Report, warn } from './finding.ts'
import { giftCards } from './gift-cards.ts'

const CONNECT_MS = 5_000
/** Years of books take time to add up. A slower check must not delay the others. */
const BOOKS_MS = 60_000
const MOST_SKEW_MS = 2_000

/** Checks the configured database. `key` is the key for secrets that a start would use, if there is one. */
export async function examineDatabase(config: Config, report: Report, key: Buffer | null = null) {
  const isFresh =
    config.databaseUrl === null &&
    (await nullOnCodes(stat(path.resolve(config.dataDir, 'postgres')))) === null
  if (isFresh) return report(note('database', 'none yet; the first start creates the embedded one'))
  try {
    for (const finding of await pooler(config)) report(finding)
    await withDatabase(
      config,
      () => {},
      async ({ url, inUse }) => {
        const asked = {
          connectionString: url,
          connectionTimeoutMillis: CONNECT_MS,
          application_name: 'kasir-doctor',
        }
        await withClient(asked, async (client) => {
          await client.query(`set statement_timeout = ${BOOKS_MS}`)
          await checks(client, config, { inUse, report, key })
        })
      },
      { sayWaiting: sayAside },
    )
  } catch (error) {
    const { message } = error as Error
    const remedy =
      error instanceof StartError && error.code !== 'DATABASE_UNREACHABLE'
        ? 'Follow the line above.'
        : 'Is PostgreSQL running, and is DATABASE_URL right?'
    report(fault('database', message, remedy))
  }
}

/** Checks the connection pooler in front of PostgreSQL. Returns no findings when there is none. */
async function pooler({ databaseUrl, listenUrl }: Config): Promise<Finding[]> {
  const name = 'pooler'
  const found = databaseUrl === null ? null : await findPooler(databaseUrl)
  if (found === null) return []
  if (!found.sharesConnections) return [ok(name, 'one in session mode')]
  const wrong = poolerFault(found, listenUrl !== null)
  if (wrong !== null) return [fault(name, wrong, 'The service does not start until you do.')]
  return [
    ok(
      name,
      found.keepsPrepared
        ? 'one in transaction mode that keeps prepared statements'
        : 'one in transaction mode; it keeps no prepared statements, so PostgreSQL plans each statement every time',
    ),
  ]
}

type Setting = { name: string; setting: string }

async function checks(
  client: pg.Client,
  config: Config,
  { inUse, report, key }: { inUse: boolean; report: Report; key: Buffer | null },
) {
  const { rows } = await client.query<Setting>('select name, setting from pg_settings where name = any($1)', [
    [...SERVER_SETTINGS, 'server_version', 'max_connections'],
  ])
  const value = (name: string) => rows.find((row) => row.name === name)?.setting ?? ''
  const where =
    config.listenUrl !== null
      ? 'at LISTEN_URL'
      : config.databaseUrl !== null
        ? 'at DATABASE_URL'
        : inUse
          ? 'embedded, in use by a service'
          : 'embedded'
  const { off, isTooOld } = serverFaults(value)
  const version = `PostgreSQL ${value('server_version')}`
  report(
    isTooOld
      ? fault('database', `${version} is too old`, 'Kasir needs PostgreSQL 15 or newer.')
      : ok('database', `${version}, ${where}`),
  )
  if (config.databaseUrl !== null) report(await role(client))
  report(durability(off))
  report(connections(Number(value('max_connections')), config))
  report(await clock(client))
  const known = await readMigrations()
  report(await extensions(client, extensionsOf(known)))
  const schema = await migrations(client, known)
  report(schema)
  if (schema.state !== 'ok') return
  for (const finding of await cluster(client)) report(finding)
  report(await keyOfDatabase(client, key))
  for (const finding of await jobs(client)) report(finding)
  for (const finding of await giftCards(client)) report(finding)
  for await (const finding of books(client)) report(finding)
}

async function role(client: pg.Client): Promise<Finding> {
  const name = 'role'
  const { rows } = await client.query<{ who: string; isSuperuser: boolean }>(
    'select rolname as who, rolsuper as "isSuperuser" from pg_roles where rolname = current_user',
  )
  const { who = '?', isSuperuser = false } = rows[0] ?? {}
  return isSuperuser
    ? note(name, `${who} is a superuser; an ordinary role that owns the database is enough`)
    : ok(name, `${who}, an ordinary role`)
}

function durability(off: readonly string[]): Finding {
  const name = 'durability'
  if (off.length === 0) return ok(name, 'fsync, full_page_writes and synchronous_commit are on')
  return fault(
    name,
    `${off.join(', ')}: off, so a crash may lose acknowledged sales`,
    `Set ${off.map((key) => `${key} = on`).join(', ')} in postgresql.conf and reload.`,
  )
}

/** Reserves a few connections for administrators and for a second process during an update. */
function connections(most: number, { databasePoolSize }: Config): Finding {
  const name = 'connections'
  const spare = 5
  if (databasePoolSize + spare <= most) return ok(name, `${databasePoolSize} wanted, ${most} allowed`)
  return fault(
    name,
    `${databasePoolSize} wanted, only ${most} allowed`,
    'Lower DATABASE_POOL_SIZE or raise max_connections.',
  )
}

async function clock(client: pg.Client): Promise<Finding> {
  const name = 'clock'
  const before = systemClock.ms()
  const { rows } = await client.query<{ ms: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`,
  )
  const ours = (before + systemClock.ms()) / 2
  const skewMs = Math.round(Math.abs(Number(rows[0]?.ms ?? ours) - ours))
  if (skewMs <= MOST_SKEW_MS) return ok(name, `within ${skewMs} ms of the database`)
  return fault(
    name,
    `${(skewMs / 1000).toFixed(1)} s apart from the database's`,
    'Synchronize both machines with NTP: receipts are dated by this clock.',
  )
}

type Extension = { name: string; installed: string | null }

async function extensions(client: pg.Client, wanted: readonly string[]): Promise<Finding> {
  const name = 'search'
  const { rows } = await client.query<Extension>(
    'select name, installed_version as installed from pg_available_extensions where name = any($1) order by name',
    [wanted],
  )
  const missing = wanted.filter((one) => rows.every((row) => row.name !== one))
  if (missing.length > 0) {
    return fault(
      name,
      `not on this server: the extension ${missing.join(', ')}`,
      'Install the contrib package of your PostgreSQL.',
    )
  }
  const waiting = rows.filter((row) => row.installed === null).map((row) => row.name)
  return waiting.length > 0
    ? note(name, `available, and enabled by the first start: the extension ${waiting.join(', ')}`)
    : ok(name, `the extensions ${rows.map((row) => `${row.name} ${row.installed}`).join(', ')}`)
}

async function migrations(client: pg.Client, known: readonly Migration[]): Promise<Finding> {
  const name = 'schema'
  const { rows: ledger } = await client.query<{ found: string | null }>(
    `select to_regclass('schema_migrations')::text as found`,
  )
  if (!ledger[0]?.found) return note(name, `empty; the first start applies ${known.length} migrations`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  )
  const strange = ledgerFault(rows, known)
  if (strange?.fault === 'unknown') {
    return fault(
      name,
      `${strange.name} is unknown to this version`,
      'Start the newer version that applied it.',
    )
  }
  if (strange)
    return fault(name, `${strange.name} was edited after it was applied`, 'Restore the original file.')
  const pending = known.length - rows.length
  return pending === 0
    ? ok(name, `up to date, ${rows.length} migrations`)
    : note(name, `${pending} migrations pending; the next start applies them, or run kasir migrate now`)
}

/** Checks whether the next start would reject its key (platform/secrets/key-file.ts). */
async function keyOfDatabase(client: pg.Client, key: Buffer | null): Promise<Finding> {
  const name = 'secrets'
  const { rows } = await client.query<SecretsKeyRow>(
    `select name, key_id as "keyId", check_value as "checkValue", sealed, null as "expiresAt" from secrets_keys`,
  )
  const known = rows.find((row) => row.name === CURRENT)
  if (!known) return note(name, 'no key used yet; the next start records its key')
  const held = key && secretsOf(key)
  if (held && fits(held, known)) return ok(name, `used with the key ${known.keyId}, which is here`)
  if (held && keysOf(rows, [held]).has(known.keyId)) {
    return note(name, `used with the key ${known.keyId}; the previous key is here and unlocks it`)
  }
  return fault(
    name,
    `used with the key ${known.keyId}, but ${held ? `the one here is ${held.keyId}` : 'there is none'}`,
    'Restore secrets.key from a backup or from another process of this installation, or set SECRETS_KEY.',
  )
}

type DoctoredJob = {
  job: string
  failedAt: Date
  failure: string | null
  runningFor: number | null
  unfinishedRuns: number
}
/** A run takes seconds. A longer one is reported. */
const LONG_RUN_S = 600

/** Returns a finding for each job that failed, is slow or never ended, or one finding if there is no such job. */
async function jobs(client: pg.Client): Promise<Finding[]> {
  const name = 'jobs'
  const { rows } = await client.query<DoctoredJob>(
    `select name as job, failed_at as "failedAt", failure, unfinished_runs as "unfinishedRuns",
      case when running then extract(epoch from now() - started_at)::float8 end as "runningFor"
    from jobs order by name`,
  )
  if (rows.length === 0) return [note(name, 'none has run yet; they begin with the first start')]
  const findings = rows.flatMap((row) => {
    const found = faultOfJob(row)
    return found === null
      ? []
      : [warn(name, found, 'It is retried automatically; see the log of the service for the cause.')]
  })
  return findings.length > 0
    ? findings
    : [ok(name, `${rows.map((row) => row.job).join(', ')}: every last run succeeded`)]
}

function faultOfJob({ job, failedAt, failure, runningFor, unfinishedRuns }: DoctoredJob): string | null {
  if (failure !== null) return `${job} failed at ${failedAt.toISOString()}: ${failure}`
  if (unfinishedRuns >= UNFINISHED_LIMIT)
    return `${job} began ${unfinishedRuns} times in a row and never ended: its process was killed, or it hangs`
  if (runningFor !== null && runningFor > LONG_RUN_S)
    return `${job} has been running for ${Math.round(runningFor / 60)} minutes`
  return null
}

/** Returns a finding for each consistent part of the books, and one for each broken invariant. */
async function* books(client: pg.Client): AsyncGenerator<Finding> {
  const all = await readInvariants()
  for (const part of new Set(all.map((invariant) => invariant.part))) {
    const sentences = all.filter((invariant) => invariant.part === part)
    const findings: Finding[] = []
    for (const { name, query } of sentences) {
      const broken = await client
        .query(`select * from (${query}) broken limit 3`)
        .catch((error: Error) => error)
      if (broken instanceof Error) {
        findings.push(note(`books: ${part}`, `not checked: ${name} (${broken.message})`))
      } else if (broken.rows.length > 0) {
        const what = `broken: ${name} (${JSON.stringify(broken.rows)})`
        findings.push(fault(`books: ${part}`, what, 'This is a defect of Kasir: please report it.'))
      }
    }
    yield* findings.length > 0 ? findings : [ok(`books: ${part}`, `${sentences.length} invariants hold`)]
  }
}
