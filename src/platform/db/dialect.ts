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
 * Names are camel case in the code and snake case in the database. Converts them while it writes the SQL, without a
 * second syntax tree.
 */
class Compiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snakeOf(identifier))
  }
}

/** Where statements run: in the pool, each on any connection, or all on the connection of a transaction. */
export type ConnectionSource = { pool: pg.Pool } | { client: pg.PoolClient }

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
      throw new Error('Streaming queries are not supported: read a list page by page')
    },
    release: () => {
      if (!isInTransaction) client.release()
    },
  }
}

/**
 * Returns a function that yields connections: from the pool a new one for each statement, in a transaction always its
 * own.
 */
function acquirerOf(source: ConnectionSource): () => Promise<Connection> {
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

function driverOf(source: ConnectionSource): Driver {
  const none = async () => {
    throw new Error('Begin transactions with inTx')
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
 * PostgreSQL for the query builder. Statements are sent prepared, named by their text (decision 0014). Names are
 * converted between camel and snake case once for each statement, never for each row.
 */
export const dialectOf = (source: ConnectionSource): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driverOf(source),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new Compiler(),
})
