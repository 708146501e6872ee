import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { camelOf, snakeOf } from './names.ts'
import { nameOf, send } from './prepared.ts'

/**
 * Camel case in the code, snake case in the database: changed where the text is written, instead of in a second tree.
 */
class Compiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snakeOf(identifier))
  }
}

/** Where statements run: each on a connection of the pool, or all on that of a transaction. */
export type Source = { pool: pg.Pool } | { client: pg.PoolClient }

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

type Connection = DatabaseConnection & { release(): void }

function connectionOf(client: pg.PoolClient, isInTransaction: boolean): Connection {
  return {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      const statement = { name: nameOf(sql), text: sql, values: [...parameters] }
      const { command, rowCount, rows } = await send(client, statement, { isInTransaction, rename: camelOf })
      return {
        rows: rows as R[],
        ...(CHANGES.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
      }
    },
    streamQuery: () => {
      throw new Error('Lists are read in portions, not in streams')
    },
    release: () => {
      if (!isInTransaction) client.release()
    },
  }
}

/** Where connections come from: of the pool one for each statement, of a transaction always its own. */
function acquirerOf(source: Source): () => Promise<Connection> {
  if ('client' in source) {
    const own = connectionOf(source.client, true)
    return async () => own
  }
  const known = new WeakMap<pg.PoolClient, Connection>()
  return async () => {
    const client = await source.pool.connect()
    const connection = known.get(client) ?? connectionOf(client, false)
    known.set(client, connection)
    return connection
  }
}

function driverOf(source: Source): Driver {
  const none = async () => {
    throw new Error('Transactions are begun by inTx')
  }
  return {
    init: async () => {},
    acquireConnection: acquirerOf(source),
    releaseConnection: async (connection) => (connection as Connection).release(),
    beginTransaction: none,
    commitTransaction: none,
    rollbackTransaction: none,
    destroy: async () => {},
  }
}

/**
 * PostgreSQL for the query builder. Its statements go out prepared, named by their text (decision 0014), and names are
 * changed between camel and snake case once for each statement, never for each row.
 */
export const dialectOf = (source: Source): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driverOf(source),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new Compiler(),
})
