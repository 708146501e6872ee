import { Kysely } from 'kysely'
import pg from 'pg'
import { assert } from '../../core/assert.ts'
import { storedInstant } from '../../core/time.ts'
import { guardConnections } from './connections.ts'
import { type ConnectionSource, dialectOf } from './dialect.ts'
import { TIME_LIMITS } from './limits.ts'
import { isConnectionLost, outcomeUnknown } from './pg-errors.ts'
import { control, type QueryMessage, send, sendUnprepared } from './prepared.ts'
import type { Statement, WriteStatement } from './statement.ts'
import type { Database } from './tables.ts'

type ReadMethods = 'selectFrom'
type WriteMethod = 'insertInto' | 'updateTable' | 'deleteFrom'

/** Read access: the pool or a transaction. Writes do not compile on it. */
export type Db = Pick<Kysely<Database>, ReadMethods>
/** Write access to the pool, for statements that commit by themselves and for code that begins a transaction. */
export type WriteDb = Pick<Kysely<Database>, ReadMethods | WriteMethod>
declare const txBrand: unique symbol
/** A transaction, for reads and writes. */
export type Tx = WriteDb & { readonly [txBrand]: true }

const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184

const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: (text) => {
    const value = Number(text)
    if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is outside the range of exact integers`)
    return value
  },
  [DATE]: (text) => text,
  // Sessions run in UTC.
  [TIMESTAMPTZ]: storedInstant,
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/**
 * A request that gets no connection within this time answers 503, so that it does not block the queue at the till.
 * Tests on a busy machine may wait longer.
 */
export const poolWaitMs = (env: string): number => (env === 'test' ? 30_000 : 3_000)

/** A program between the service and PostgreSQL that lends out connections. */
export type Pooler = {
  /**
   * Whether each transaction may run on another connection (transaction mode). Session settings, locks and LISTEN do
   * not last then.
   */
  sharesConnections: boolean
  /** Whether statements prepared by name work on every connection that a transaction gets. */
  keepsPrepared: boolean
  /** The TIME_LIMITS that its connections lack. */
  unlimited: string[]
}

export type OpenOptions = {
  url: string
  poolSize: number
  onError?: (error: Error) => void
  waitMs?: number
  silentMs?: number
  /** Whether the database is sharded, as `findEngine` found it. */
  isSharded?: boolean
  /** The pooler at `url`, as `findPooler` found it; null for PostgreSQL itself. */
  pooler?: Pooler | null
}
export type OpenDb = { db: WriteDb; pool: pg.Pool; close(): Promise<void> }

/** PostgreSQL reports this setting to clients, so poolers restore it on each connection that a client gets. */
const TIME_ZONE = `set time zone 'UTC'`
/** Every statement runs on one processor: a report of one workspace must not take all of them from the tills of others. */
const ONE_PROCESSOR = 'set max_parallel_workers_per_gather = 0'
const SESSION = [
  TIME_ZONE,
  ONE_PROCESSOR,
  ...Object.entries(TIME_LIMITS).map(([name, ms]) => `set ${name} = ${ms}`),
].join('; ')

/**
 * How long a database may send no byte before its connection is closed: five seconds after it should have ended the
 * longest statement itself.
 */
const SILENT_MS = 20_000
/** How long connections may take to close in good order. */
const CLOSE_MS = 2_000

export function openDb({
  url,
  poolSize,
  waitMs = poolWaitMs('production'),
  silentMs = SILENT_MS,
  isSharded = false,
  pooler = null,
  onError = () => {},
}: OpenOptions): OpenDb {
  const connections = guardConnections(silentMs)
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    pipeline: isSharded,
    types,
    application_name: 'kasir',
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    stream: connections.dial,
    // The pool awaits the returned promise although its type does not say so: no request gets a session without its
    // limits.
    onConnect: ((client) => {
      connections.guard(client)
      if (pooler && !pooler.keepsPrepared) sendUnprepared(client)
      return client.query(pooler?.sharesConnections ? TIME_ZONE : SESSION)
    }) as (client: pg.ClientBase) => void,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => {
    // Without this listener, a connection killed while in use ends the process.
    client.on('error', onError)
  })
  pool.on('acquire', connections.acquired)
  pool.on('release', (_error, client) => connections.released(client))
  const db = kyselyOn({ pool })
  pools.set(db, pool)
  if (isSharded) sharded.add(db)
  return { db, pool, close: () => connections.endWithin(CLOSE_MS, () => pool.end()) }
}

/** Handles of sharded databases, and of transactions in them. */
const sharded = new WeakSet<Db>()

/**
 * Whether the database is sharded by workspace. A few statements have a variant for it, which plain PostgreSQL accepts
 * as well (docs/scaling.md).
 */
export const isSharded = (db: Db): boolean => sharded.has(db)

const kyselyOn = (source: ConnectionSource): WriteDb => new Kysely<Database>({ dialect: dialectOf(source) })

type Runner = pg.Pool | pg.PoolClient
const isPool = (runner: Runner): runner is pg.Pool => 'totalCount' in runner
const pools = new WeakMap<Db, Runner>()
const transactions = new WeakMap<pg.PoolClient, Tx>()

/** Creates one Kysely for each connection and keeps it: a transaction is that connection between BEGIN and COMMIT. */
function txOf(client: pg.PoolClient, db: WriteDb): Tx {
  let tx = transactions.get(client)
  if (!tx) {
    tx = kyselyOn({ client }) as Tx
    transactions.set(client, tx)
    pools.set(tx, client)
    if (sharded.has(db)) sharded.add(tx)
  }
  return tx
}

/** Whether `db` is a transaction rather than the pool. */
export const isTransaction = (db: WriteDb): db is Tx => {
  const runner = pools.get(db)
  return runner !== undefined && !isPool(runner)
}

async function run<R extends pg.QueryResultRow>(db: Db, sending: QueryMessage): Promise<pg.QueryResult<R>> {
  const runner = pools.get(db)
  assert(runner, 'a statement runs on a handle that openDb or inTx created')
  if (!isPool(runner)) return send<R>(runner, sending, { isInTransaction: true })
  const client = await runner.connect()
  try {
    return await send<R>(client, sending, { isInTransaction: false })
  } finally {
    client.release()
  }
}

/** Runs a prepared statement by name. Each connection parses and plans it once. */
export async function named<R extends pg.QueryResultRow>(
  db: Db,
  statement: Statement,
  values: readonly unknown[],
): Promise<R[]> {
  return (await run<R>(db, { ...statement, values: [...values] })).rows
}

/**
 * Runs a text that is built from a declaration, so that `statement()` cannot name it. These are the deletes of the
 * sweeper (`expires`), the updates of a key rotation (SEALED), the workspaces with rows of a table, the invariants,
 * and `analyze`. `count` is the number of changed rows.
 */
export async function runText<R extends pg.QueryResultRow>(
  db: WriteDb,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: R[]; count: number }> {
  const { rows, rowCount } = await run<R>(db, { text, values: [...values] })
  return { rows, count: rowCount ?? 0 }
}

/**
 * Runs a prepared statement, which commits by itself unless `db` is a transaction. Throws `outcomeUnknown` if the
 * connection is lost after the statement was sent.
 */
export async function namedWrite<R extends pg.QueryResultRow>(
  db: WriteDb,
  statement: WriteStatement,
  values: readonly unknown[],
): Promise<R[]> {
  const pool = pools.get(db)
  if (!pool || !isPool(pool)) return named<R>(db, statement as unknown as Statement, values)
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const sending = { ...statement, values: [...values] }
    return (await send<R>(client, sending, { isInTransaction: false })).rows
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    broken = error as Error
    throw outcomeUnknown(error)
  } finally {
    client.release(broken)
  }
}

/**
 * Waits until all these statements have ended, then throws the first error. So no statement is sent after the end of
 * its transaction (`isSharded`).
 */
export async function together<T extends readonly unknown[]>(
  statements: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const outcomes = await Promise.allSettled(statements)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as {
    [K in keyof T]: Awaited<T[K]>
  }
}

/** Runs `work` in one transaction. Rolls back if `work` throws; returns its value once COMMIT has succeeded. */
export const inTx = <T>(db: WriteDb, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(db, async (client, tx) => {
    await control(client, 'begin')
    return { value: await work(tx) }
  })

/**
 * Runs a transaction in two round trips, for a sharded database where each round trip is long. The statements of
 * `first` are sent with BEGIN. `second` sends its statements together and returns their promises; COMMIT is sent with
 * them. After a failed statement the server skips the rest (flight.ts). If a statement fails unsent, COMMIT is not sent
 * either.
 */
export async function inTwoFlights<R, T>(
  db: WriteDb,
  first: (tx: Tx) => Promise<R>,
  second: (tx: Tx, answers: R) => { value: T; sent: readonly Promise<unknown>[] },
): Promise<T> {
  assert(isSharded(db), 'inTwoFlights needs a sharded database')
  return transact(db, async (client, tx) => {
    const [, answers] = await together([control(client, 'begin'), first(tx)])
    const { value, sent } = second(tx, answers)
    let isWhole = true
    for (const statement of sent)
      statement.catch(() => {
        isWhole = false
      })
    const committed = control(client, 'commit', () => isWhole)
    const [written] = await Promise.allSettled([together(sent), committed])
    if (written.status === 'fulfilled') return { value, committed }
    // A lost connection leaves the outcome unknown; an error answer came before COMMIT.
    throw isConnectionLost(written.reason) ? outcomeUnknown(written.reason) : written.reason
  })
}

/** The result of a transaction's work; `committed` if COMMIT is already sent. */
type TransactionResult<T> = { value: T; committed?: Promise<pg.QueryResult> }

async function transact<T>(
  db: WriteDb,
  work: (client: pg.PoolClient, tx: Tx) => Promise<TransactionResult<T>>,
): Promise<T> {
  const pool = pools.get(db)
  assert(pool && isPool(pool), 'a transaction starts from the pool, not inside another transaction')
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    let done: TransactionResult<T>
    try {
      done = await work(client, txOf(client, db))
    } catch (error) {
      await control(client, 'rollback').catch((failure: Error) => {
        broken = failure
      })
      throw error
    }
    const outcome = await (done.committed ?? control(client, 'commit')).catch((failure: Error) => {
      broken = failure
      throw outcomeUnknown(failure)
    })
    assert(
      outcome.command === 'COMMIT',
      'COMMIT ended an aborted transaction: an earlier error was caught and hidden',
    )
    return done.value
  } finally {
    client.release(broken)
  }
}
