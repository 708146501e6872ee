import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { StartError } from '../../core/fault.ts'
import { makeClient } from './client.ts'
import { endClient } from './connections.ts'
import { TIME_LIMITS } from './limits.ts'
import type { Pooler } from './open.ts'
import { sqlStateOf } from './pg-errors.ts'

const WAIT_MS = 5_000
/** The most clients that hold a connection each, to make a pooler move the tested client to another one. */
const MOST_HOLDERS = 3
const NO_SUCH_STATEMENT = '26000'

type StatementText = { name?: string; text: string }

/**
 * Detects a pooler at `url` by trial; null for PostgreSQL itself. A pooler makes up the backend id that a client uses
 * for cancelling, and one that shares connections lends an idle client's connection to the next client.
 */
export async function findPooler(url: string): Promise<Pooler | null> {
  const clients: pg.Client[] = []
  const connect = async () => {
    const client = makeClient({
      connectionString: url,
      application_name: 'kasir-start',
      connectionTimeoutMillis: WAIT_MS,
      query_timeout: WAIT_MS,
    })
    clients.push(client)
    await client.connect()
    return client
  }
  try {
    const client = await connect()
    if ((await backendOf(client)) === (client as unknown as { processID: number | null }).processID)
      return null
    const sharing = await findSharing(client, connect)
    return { ...sharing, unlimited: sharing.sharesConnections ? await unlimitedOf(client) : [] }
  } finally {
    await Promise.all(clients.map((client) => endClient(client)))
  }
}

async function findSharing(client: pg.Client, connect: () => Promise<pg.Client>) {
  // The random name is new: no other client can have prepared it on another connection.
  const asked = { name: `kasir_${randomBytes(8).toString('hex')}`, text: BACKEND }
  const first = await backendOf(client, asked)
  for (let holders = 0; holders < MOST_HOLDERS; holders += 1) {
    const isHeld = await hold(connect).catch((error: unknown) => {
      if (holders === 0) throw error
      return false
    })
    // The pooler has no connection left because idle clients keep theirs: it does not share.
    if (!isHeld) break
    const found = await backendOf(client, asked).catch((error: unknown) => {
      if (sqlStateOf(error) !== NO_SUCH_STATEMENT && !isTimeout(error)) throw error
      return null
    })
    if (found !== first) return { sharesConnections: true, keepsPrepared: found !== null }
  }
  return { sharesConnections: false, keepsPrepared: true }
}

async function hold(connect: () => Promise<pg.Client>): Promise<true> {
  const holder = await connect()
  await holder.query('begin')
  await holder.query('select 1')
  return true
}

/** The driver's timeout, or the pooler's when it has no connection left. */
const isTimeout = (error: unknown) => /time-?out/i.test((error as Error).message)

const BACKEND = 'select pg_backend_pid() as pid'
const backendOf = async (
  client: pg.Client,
  asked: StatementText = { text: BACKEND },
): Promise<number | undefined> => (await client.query<{ pid: number }>(asked)).rows[0]?.pid

async function unlimitedOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; ms: number }>(
    'select name, setting::int as ms from pg_settings where name = any($1)',
    [Object.keys(TIME_LIMITS)],
  )
  return Object.entries(TIME_LIMITS)
    .filter(([name, mostMs]) => !rows.some((row) => row.name === name && row.ms > 0 && row.ms <= mostMs))
    .map(([name]) => name)
}

/** Explains why the service cannot use this pooler; null if it can. */
export function poolerFault(pooler: Pooler | null, isDirectKnown: boolean): string | null {
  if (!pooler?.sharesConnections) return null
  if (!isDirectKnown)
    return 'DATABASE_URL leads to a pooler in transaction mode. Through it live boards receive no changes, and a migration never releases its lock: set LISTEN_URL to the address of PostgreSQL itself (docs/scaling.md).'
  if (pooler.unlimited.length > 0)
    return `The pooler at DATABASE_URL sets no ${pooler.unlimited.join(', ')}, or too long a limit: one statement could block the tills forever. Set the limits in its connect_query (docs/scaling.md has the line).`
  return null
}

/** Throws if session locks, snapshots or LISTEN would not last at this address. `name` is the setting that holds it. */
export async function requireSessions(url: string, name: 'DATABASE_URL' | 'LISTEN_URL'): Promise<void> {
  const pooler = await findPooler(url).catch((error: Error) => {
    throw new StartError('DATABASE_UNREACHABLE', `The database at ${name} does not answer: ${error.message}`)
  })
  if (!pooler?.sharesConnections) return
  const remedy =
    name === 'LISTEN_URL'
      ? 'it must be the address of PostgreSQL itself'
      : 'set LISTEN_URL to the address of PostgreSQL itself'
  throw new StartError(
    'DATABASE_POOLED',
    `${name} leads to a pooler in transaction mode, where locks and live events do not last: ${remedy} (docs/scaling.md).`,
  )
}
