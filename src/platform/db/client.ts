import pg from 'pg'

/** After this long without a byte the system asks whether the other machine is still there. */
const PROBE_AFTER_MS = 30_000

/**
 * Creates a client whose lost connection does not end the process. The driver rejects the running query and also emits
 * 'error', which needs a listener. Statements may run for long, so only probes tell a machine that has vanished.
 */
export function makeClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client({
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    ...config,
  })
  client.on('error', () => {})
  return client
}

/**
 * Connects outside the pool, runs `work` and closes the connection. `signal` cuts it: a database that has vanished answers
 * neither a statement nor the goodbye.
 */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted()
  const client = makeClient(config)
  const cut = () => client.connection.stream.destroy()
  signal?.addEventListener('abort', cut)
  try {
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  } finally {
    signal?.removeEventListener('abort', cut)
  }
}
