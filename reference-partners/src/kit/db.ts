import {
  camelOf,
  isRetryable,
  migrate,
  openDb,
  outcomeUnknown,
  type Pooler,
  readMigrations,
  withClient,
} from 'kasir/partner-tools'
import type pg from 'pg'

const LOCK = 7_351_121

/** The schema of one partner; every statement names it, so none can meet a table of the service or of another partner. */
export type Books = { schema: string; migrations: string }

export type Values = readonly unknown[]
/** Reads: the pool, or a transaction. Columns come in camel case. `schema` is the partner's own. */
export type Db = { schema: string; rows<R>(text: string, values?: Values): Promise<R[]> }
declare const txBrand: unique symbol
/** Writes as well: everything between BEGIN and COMMIT. `afterCommit` keeps work for the moment it is certain. */
export type Tx = Db & { afterCommit(work: () => void): void; readonly [txBrand]: true }
export type PartnerDatabase = Db & {
  /** A throw rolls everything back; the value is returned once COMMIT has succeeded. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Brings the partner's schema up to date; the user of the database must be allowed to create a schema, once. */
export async function prepareSchema(url: string, { schema, migrations }: Books) {
  await withClient({ connectionString: url }, async (client) => {
    // Processes that start together take turns here, because creating one schema concurrently fails.
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema])
    // Only if it is missing: `if not exists` needs the right to create a schema even when the schema exists.
    if (rowCount === 0) await client.query(`create schema if not exists ${schema}`)
  })
  return migrate(url, await readMigrations(migrations), { schema })
}

const camelRow = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [camelOf(name), value]))

const rowsOn =
  (runner: pg.Pool | pg.PoolClient): Db['rows'] =>
  async <R>(text: string, values: Values = []) =>
    (await runner.query(text, [...values])).rows.map(camelRow) as R[]

export function openDatabase(options: {
  url: string
  schema: string
  poolSize: number
  pooler: Pooler | null
  onError(error: Error): void
}): PartnerDatabase {
  const { pool, close } = openDb(options)
  const { schema } = options
  return { schema, rows: rowsOn(pool), tx: (work) => withRetries(() => inTx(pool, schema, work)), close }
}

/** A deadlock: the database ends one of the transactions, which is retried. */
const ATTEMPTS = 3
async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error
    }
  }
}

async function inTx<T>(pool: pg.Pool, schema: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const later: (() => void)[] = []
  let broken: Error | undefined
  try {
    await client.query('begin')
    const tx = {
      schema,
      rows: rowsOn(client),
      afterCommit: (one: () => void) => void later.push(one),
    } as Tx
    const value = await work(tx).catch(async (error: unknown) => {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
      throw error
    })
    await client.query('commit').catch((failure: Error) => {
      broken = failure
      throw outcomeUnknown(failure)
    })
    for (const one of later) one()
    return value
  } finally {
    client.release(broken)
  }
}
