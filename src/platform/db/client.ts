import pg from 'pg'

/**
 * Creates a client whose lost connection does not end the process. The driver rejects the running query and also emits
 * 'error', which needs a listener.
 */
export function makeClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config)
  client.on('error', () => {})
  return client
}

/** Connects outside the pool, runs `work` and closes the connection. */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = makeClient(config)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
