import pg from 'pg'
import { endClient } from './connections.ts'

/** Whether sales can be made, asked on a connection of its own: a busy pool is not an outage. */
export type Pulse = {
  /** Resolves when the database takes writes; those who ask at the same time share one answer. */
  beat(): Promise<void>
  close(): Promise<void>
}

const PATIENCE_MS = 1_500
const ASK = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"`

export function openPulse(url: string): Pulse {
  let client: pg.Client | undefined
  let asking: Promise<void> | undefined

  const connect = async () => {
    const made = new pg.Client({
      connectionString: url,
      application_name: 'kasir health',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      keepAlive: true,
    })
    made.on('error', () => void forget(made))
    client = made
    await made.connect()
    return made
  }
  const forget = (gone: pg.Client) => {
    if (client === gone) client = undefined
    return endClient(gone)
  }
  const ask = async () => {
    const known = client ?? (await connect())
    const { rows } = await known.query<{ isReadOnly: boolean }>(ASK)
    if (rows[0]?.isReadOnly !== false) throw new Error('the database takes no writes')
  }
  return {
    beat: () => {
      asking ??= ask()
        .catch((error: unknown) => {
          // The next one asks whichever database answers at the address then.
          if (client) void forget(client)
          throw error
        })
        .finally(() => {
          asking = undefined
        })
      return asking
    },
    close: async () => {
      if (client) await forget(client)
    },
  }
}
