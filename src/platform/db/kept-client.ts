import pg from 'pg'
import { endClient } from './connections.ts'

type Options = {
  url: string
  /** What connecting, and each question, may take. */
  timeoutMs: number
  /** Sent once on each new connection. */
  session?: string
}

/** One connection for health, kept beside the pool until it fails: a busy pool is no outage. Callers ask one at a time. */
export function keepClient({ url, timeoutMs, session }: Options) {
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
    /** The next one is connected to whichever database answers at the address then. */
    forget: async () => {
      if (client) await end(client)
    },
  }
}
