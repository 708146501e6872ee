import { Kysely } from 'kysely'
import pg from 'pg'
import { assert } from '../../core/assert.ts'
import { storedInstant } from '../../core/time.ts'
import { guardConnections } from './connections.ts'
import { dialectOf, type Source } from './dialect.ts'
import { TIME_LIMITS } from './limits.ts'
import { isConnectionLost, outcomeUnknown } from './pg-errors.ts'
import { control, type Sending, send, sendUnprepared } from './prepared.ts'
import type { Statement, WriteStatement } from './statement.ts'
import type { Database } from './tables.ts'

type Reading = 'selectFrom'
type Writing = 'insertInto' | 'updateTable' | 'deleteFrom'

/** Reads, and nothing else compiles on it: the pool as most see it, or a transaction. */
export type Db = Pick<Kysely<Database>, Reading>
/** The pool, for the few whose statement commits by itself, and for code that begins a transaction. */
export type WriteDb = Pick<Kysely<Database>, Reading | Writing>
declare const txBrand: unique symbol
/** A transaction: it writes, and it may be read from. */
export type Tx = WriteDb & { readonly [txBrand]: true }

const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184

const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: (text) => {
    const value = Number(text)
    if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is beyond exact integers`)
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
 * A request that gets no connection for this long answers 503 instead of holding a queue at the till. A test run on a
 * busy machine waits; a till needs an answer.
 */
export const poolWaitMs = (env: string): number => (env === 'test' ? 30_000 : 3_000)

/** A program between the service and PostgreSQL that lends out connections. */
export type Pooler = {
  /** Each transaction may run on another connection (transaction mode): what a session sets or prepares does not last. */
  sharesConnections: boolean
  /** What is prepared by name is found again on whichever connection a transaction gets. */
  keepsPrepared: boolean
  /** Time limits of TIME_LIMITS that its connections lack. */
  unlimited: string[]
}

export type OpenOptions = {
  url: string
  poolSize: number
  onError?: (error: Error) => void
  waitMs?: number
  silentMs?: number
  /** Whether the database is spread over workers, as `findEngine` found it. */
  isSharded?: boolean
  /** What stands between, as `findPooler` found it; null for PostgreSQL itself. */
  pooler?: Pooler | null
}
export type OpenDb = { db: WriteDb; pool: pg.Pool; close(): Promise<void> }

/** Poolers carry it along to whichever connection a client gets, since PostgreSQL reports it. */
const TIME_ZONE = `set time zone 'UTC'`
const SESSION = [TIME_ZONE, ...Object.entries(TIME_LIMITS).map(([name, ms]) => `set ${name} = ${ms}`)].join(
  '; ',
)

/**
 * A database that vanished without a word is given up after this long without a byte from it: five seconds after it
 * should have ended the longest statement by itself.
 */
const SILENT_MS = 20_000
/** How long a connection may take to end in good order. */
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
    // The pool waits for it although its type does not say so: no request meets a session without its limits.
    onConnect: ((client) => {
      connections.guard(client)
      if (pooler && !pooler.keepsPrepared) sendUnprepared(client)
      return client.query(pooler?.sharesConnections ? TIME_ZONE : SESSION)
    }) as (client: pg.ClientBase) => void,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => {
    // Without a listener of its own, a connection killed in mid-use ends the process.
    client.on('error', onError)
  })
  pool.on('acquire', connections.acquired)
  pool.on('release', (_error, client) => connections.released(client))
  const db = kyselyOn({ pool })
  pools.set(db, pool)
  if (isSharded) sharded.add(db)
  return { db, pool, close: () => connections.endWithin(CLOSE_MS, () => pool.end()) }
}

/** Databases whose rows are spread over several nodes, and transactions in them. */
const sharded = new WeakSet<Db>()

/**
 * Whether rows are spread over workers by workspace: a few statements have a form of their own for it, which plain
 * PostgreSQL takes as well (docs/scaling.md).
 */
export const isSharded = (db: Db): boolean => sharded.has(db)

const kyselyOn = (source: Source): WriteDb => new Kysely<Database>({ dialect: dialectOf(source) })

type Runner = pg.Pool | pg.PoolClient
const isPool = (runner: Runner): runner is pg.Pool => 'totalCount' in runner
const pools = new WeakMap<Db, Runner>()
const transactions = new WeakMap<pg.PoolClient, Tx>()

/** One Kysely per connection, made once: a transaction is that connection between BEGIN and COMMIT. */
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

/** Whether statements run in a transaction that somebody has begun. */
export const isTransaction = (db: WriteDb): db is Tx => {
  const runner = pools.get(db)
  return runner !== undefined && !isPool(runner)
}

async function run<R extends pg.QueryResultRow>(db: Db, sending: Sending): Promise<pg.QueryResult<R>> {
  const runner = pools.get(db)
  assert(runner, 'a statement was given a database that openDb did not make')
  if (!isPool(runner)) return send<R>(runner, sending, { isInTransaction: true })
  const client = await runner.connect()
  try {
    return await send<R>(client, sending, { isInTransaction: false })
  } finally {
    client.release()
  }
}

/** Runs a prepared statement by name: parsed and planned once per connection (design of the hot path). */
export async function named<R extends pg.QueryResultRow>(
  db: Db,
  statement: Statement,
  values: readonly unknown[],
): Promise<R[]> {
  return (await run<R>(db, { ...statement, values: [...values] })).rows
}

/**
 * Runs a text that is made while the service runs, so that it cannot be declared: the sweeper's, from what owners of
 * tables say expires, a query of invariants/invariants.sql, and `analyze` of a table. `count` is how many rows it changed.
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
 * Runs a prepared statement that commits by itself unless `db` is a transaction. A connection that is lost once the
 * statement was sent leaves its outcome unknown.
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
 * Waits for statements that were sent one behind the other (`isSharded`): all of them are over before the first that failed
 * is thrown, so that nothing is sent behind the end of its transaction.
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

/** Runs `work` in one transaction: its throw rolls everything back, its value is returned once COMMIT has succeeded. */
export const inTx = <T>(db: WriteDb, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(db, async (client, tx) => {
    await control(client, 'begin')
    return { value: await work(tx) }
  })

/**
 * The same where rows are spread over workers and each way to the database is long: two ways. What `first` sends travels
 * with BEGIN; `second` answers what it has sent, all of it at once, and that travels with COMMIT. Behind a statement that
 * fails nothing is carried out (flight.ts), and where one fails unsent, COMMIT is not sent either.
 */
export async function inTwoFlights<R, T>(
  db: WriteDb,
  first: (tx: Tx) => Promise<R>,
  second: (tx: Tx, answers: R) => { value: T; sent: readonly Promise<unknown>[] },
): Promise<T> {
  assert(isSharded(db), 'statements are sent one behind the other where rows are spread only')
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
    // Of a connection that was lost nobody knows how far it had come; an answer that says no came before COMMIT.
    throw isConnectionLost(written.reason) ? outcomeUnknown(written.reason) : written.reason
  })
}

/** What a transaction comes to; `committed` where COMMIT was sent already. */
type Done<T> = { value: T; committed?: Promise<pg.QueryResult> }

async function transact<T>(
  db: WriteDb,
  work: (client: pg.PoolClient, tx: Tx) => Promise<Done<T>>,
): Promise<T> {
  const pool = pools.get(db)
  assert(pool && isPool(pool), 'a transaction starts from the pool, not inside another one')
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    let done: Done<T>
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
    assert(outcome.command === 'COMMIT', 'the transaction was aborted and a statement hid it')
    return done.value
  } finally {
    client.release(broken)
  }
}
