import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/db/embedded.ts'
import { durabilityFaults, migrate } from '../../src/platform/db/migrate.ts'

export type Database = {
  url: string
  /** The same as the superuser, for statements that the role of the service may not run. */
  adminUrl: string
  dir: string
  pid: number
  stop(): Promise<void>
}

let version = '?'
/** PostgreSQL as it was measured in this run. */
export const versionSeen = () => version

let pristine: Promise<string> | undefined

/** An unused, migrated cluster: copying it is quicker than creating one for each suite. */
async function makePristine(): Promise<string> {
  const dir = await newDirectory()
  const embedded = await startEmbedded({ dataDir: path.join(dir, 'data'), say: () => {} })
  try {
    await migrate(embedded.url)
    // `settle` runs as the role of the service, which may not do this.
    await query(embedded.adminUrl, 'grant pg_checkpoint to kasir_service')
    await query(embedded.adminUrl, 'alter role kasir_service createdb')
    const [row] = await query<{ version: string }>(
      embedded.url,
      `select current_setting('server_version') as version`,
    )
    version = row?.version ?? '?'
  } finally {
    await embedded.stop()
  }
  return dir
}

async function newDirectory(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'kasir-bench-'))
  // Under root PostgreSQL runs as another user, who must be able to enter the directory.
  await chmod(dir, 0o711)
  return dir
}

export async function removePristine() {
  if (pristine) await rm(await pristine, { recursive: true, force: true })
}

/** A fresh PostgreSQL with the settings of production, durability included. */
export async function freshDatabase(settings: Record<string, string> = {}): Promise<Database> {
  pristine ??= makePristine()
  const from = await pristine
  const dir = await newDirectory()
  await promisify(execFile)('cp', ['-a', path.join(from, 'data'), dir])
  const embedded = await startEmbedded({ dataDir: path.join(dir, 'data'), say: () => {}, settings })
  const stop = async () => {
    await embedded.stop()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    const faults = await durabilityFaults(embedded.url)
    if (faults.length > 0) throw new Error(`not a durable database: ${faults.join(', ')}`)
    const pid = Number.parseInt(await readFile(path.join(dir, 'data/postgres/postmaster.pid'), 'utf8'), 10)
    return { url: embedded.url, adminUrl: embedded.adminUrl, dir, pid, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** For statements over sets, which take longer than a statement of the service may. */
export const setsOf = ({ adminUrl }: Database) => new pg.Pool({ connectionString: adminUrl, max: 1 })

/** One connection, one statement. */
export async function query<R extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Vacuum and checkpoint finish before the next run, so that it does not pay for the previous one. */
export async function settle(url: string) {
  await query(url, 'vacuum analyze')
  await query(url, 'checkpoint')
}
