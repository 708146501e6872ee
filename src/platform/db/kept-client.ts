import pg from 'pg'
import { endClient } from './connections.ts'

type Options = {
  url: string
  /** The time limit for connecting, and for each query. */
  timeoutMs: number
  /** SQL sent once on each new connection. */
  session?: string
}

/**
 * Keeps one connection for health checks outside the pool until it fails: a busy pool is not an outage. Callers must
 * not overlap.
 */
export function createKeptClient({ url, timeoutMs, session }: Options) {
  let client: pg.Client | undefined

  const connect = async () => {
    const made = new pg.Client({
      connectionString: url,
      application_name: 'kasir health',
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    })
    made.on('error', () => void end(made))
    client = made
    await made.connect()
    if (session !== undefined) await made.query(session)
    return made
  }
  const end = (gone: pg.Client) => {
    if (client === gone) client = undefined
    return endClient(gone)
  }
  return {
    get: async (): Promise<pg.Client> => client ?? connect(),
    /** Drops the connection; the next `get` connects to the database that answers at the address then. */
    forget: async () => {
      if (client) await end(client)
    },
  }
}
