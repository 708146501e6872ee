import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { systemClock } from '../clock.ts'
import { type Config, referencePartnersOf } from '../config/config.ts'
import {
  extensionsOf,
  ledgerFault,
  type Migration,
  readMigrations,
  SERVER_SETTINGS,
  serverFaults,
} from '../db/migrate.ts'
import { LONG_RUN_MS, UNFINISHED_LIMIT } from '../jobs/board.ts'
import { fits } from '../secrets/key-file.ts'
import { CURRENT, keysOf, type SecretsKeyRow } from '../secrets/keyring.ts'
import { secretsOf } from '../secrets/secrets.ts'
import { type Finding, fault, note, ok, type Report, warn } from './finding.ts'

const MOST_SKEW_MS = 2_000
/** Settings of PostgreSQL that are on while it takes no writes. */
const READ_ONLY = ['in_hot_standby', 'default_transaction_read_only']

type Setting = { name: string; setting: string }

/**
 * Checks the server and the schema of a database. Returns whether the schema is up to date, which every other check
 * of its rows needs.
 */
export async function databaseServer(
  client: pg.ClientBase,
  config: Config,
  { inUse, report }: { inUse: boolean; report: Report },
): Promise<boolean> {
  const { rows } = await client.query<Setting>('select name, setting from pg_settings where name = any($1)', [
    [...SERVER_SETTINGS, 'server_version', 'max_connections', ...READ_ONLY],
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
  const isReadOnly = READ_ONLY.some((name) => value(name) === 'on')
  report(
    isTooOld
      ? fault('database', `${version} is too old`, 'Kasir needs PostgreSQL 15 or newer.')
      : isReadOnly
        ? fault(
            'database',
            `${version}, ${where}, is read-only`,
            'If it is a standby, promote it or correct DATABASE_URL.',
          )
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
  return schema.state === 'ok'
}

async function role(client: pg.ClientBase): Promise<Finding> {
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

/**
 * The most connections of a process beside its pool: one for live events, one for `/health`, and five for each reference
 * partner that it runs. docs/scaling.md has these numbers.
 */
const mostBesidePool = (config: Config) => 2 + 5 * referencePartnersOf(config).length

function connections(most: number, config: Config): Finding {
  const name = 'connections'
  const { databasePoolSize } = config
  const beside = mostBesidePool(config)
  if (databasePoolSize + beside <= most) return ok(name, `${databasePoolSize} wanted, ${most} allowed`)
  return fault(
    name,
    `${databasePoolSize} and up to ${beside} more wanted, only ${most} allowed`,
    'Lower DATABASE_POOL_SIZE or raise max_connections.',
  )
}

async function clock(client: pg.ClientBase): Promise<Finding> {
  const name = 'clock'
  const before = systemClock.ms()
  const { rows } = await client.query<{ ms: string }>(
    `select (extract(epoch from now()) * 1000)::bigint as ms`,
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

async function extensions(client: pg.ClientBase, wanted: readonly string[]): Promise<Finding> {
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

async function migrations(client: pg.ClientBase, known: readonly Migration[]): Promise<Finding> {
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
export async function keyOfDatabase(client: pg.ClientBase, key: Buffer | null): Promise<Finding> {
  const name = 'secrets'
  const { rows } = await client.query<SecretsKeyRow>(
    `select name, key_id as "keyId", check_value as "checkValue", sealed, null as "expiresAt" from secrets_keys`,
  )
  const known = rows.find((row) => row.name === CURRENT)
  if (!known) return note(name, 'no key used yet; the next start records its key')
  const held = key && secretsOf(key)
  if (held && fits(held, known)) return ok(name, `used with the key ${known.keyId}, which is here`)
  if (held && keysOf(rows, [held]).has(known.keyId)) {
    return warn(
      name,
      `used with the key ${known.keyId}; only the previous key is here, and a start with it soon fails`,
      'Replace secrets.key or SECRETS_KEY with that key. A running service writes secrets.key itself if it can.',
    )
  }
  return fault(
    name,
    `used with the key ${known.keyId}, but ${held ? `the one here is ${held.keyId}` : 'there is none'}`,
    'Restore secrets.key from a backup or from another process of this installation, or set SECRETS_KEY.',
  )
}

type DoctoredJob = {
  job: string
  failedAt: string
  failure: string | null
  runningFor: number | null
  unfinishedRuns: number
  beat: number
}

const isLong = ({ runningFor }: DoctoredJob) => runningFor !== null && runningFor > LONG_RUN_MS / 1_000

/**
 * Returns a finding for each job that failed, is slow or never ended, or one finding if there is no such job. A long run
 * without a heartbeat for `watchMs` is dead; with 0 every long run counts as running, because a service that runs takes
 * over dead ones.
 */
export async function jobs(client: pg.ClientBase, watchMs = 0): Promise<Finding[]> {
  const name = 'jobs'
  const { rows } = await client.query<DoctoredJob>(
    `select name as job, failure, unfinished_runs as "unfinishedRuns", beat::float8 as beat,
      to_char(failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failedAt",
      case when running then extract(epoch from now() - started_at)::float8 end as "runningFor"
    from jobs order by name`,
  )
  if (rows.length === 0) return [note(name, 'none has run yet; they begin with the first start')]
  const dead = watchMs === 0 ? new Set() : await findDead(client, rows.filter(isLong), watchMs)
  const findings = rows.flatMap((row) => faultOfJob(row, dead.has(row.job)) ?? [])
  return findings.length > 0
    ? findings
    : [ok(name, `${rows.map((row) => row.job).join(', ')}: every last run succeeded`)]
}

/** The jobs whose heartbeat stays as it is for `watchMs`. */
async function findDead(client: pg.ClientBase, rows: readonly DoctoredJob[], watchMs: number) {
  const silent = new Map(rows.map(({ job, beat }) => [job, beat]))
  for (const endMs = performance.now() + watchMs; silent.size > 0 && performance.now() < endMs; ) {
    await sleep(watchMs / 30)
    const { rows: now } = await client.query<Pick<DoctoredJob, 'job' | 'beat'>>(
      'select name as job, beat::float8 as beat from jobs',
    )
    for (const { job, beat } of now) if (silent.get(job) !== beat) silent.delete(job)
  }
  return new Set(silent.keys())
}

const RETRIED = 'It is retried automatically; see the log of the service for the cause.'
const ABANDONED = 'The service runs it again within a minute of its next start.'
const HANGS =
  'If it does not end, solve the cause and restart the services one after the other: no other process takes it over.'

function faultOfJob(row: DoctoredJob, isDead: boolean): Finding | null {
  const { job, failedAt, failure, runningFor, unfinishedRuns } = row
  const minutes = Math.round((runningFor ?? 0) / 60)
  // A hanging run comes first: the other two faults are of runs before it.
  if (isLong(row))
    return isDead
      ? warn('jobs', `${job} began ${minutes} minutes ago, but its process no longer runs`, ABANDONED)
      : warn('jobs', `${job} has been running for ${minutes} minutes`, HANGS)
  if (failure !== null) return warn('jobs', `${job} failed at ${failedAt}: ${failure}`, RETRIED)
  if (unfinishedRuns >= UNFINISHED_LIMIT)
    return warn(
      'jobs',
      `${job} began ${unfinishedRuns} times in a row and never ended: its process was killed, or it hangs`,
      RETRIED,
    )
  return null
}
