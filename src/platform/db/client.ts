import pg from 'pg'

/**
 * A connection that is lost rejects the query on its way with the reason, and tells the driver's 'error' as well: one
 * that nobody listens to ends the process.
 */
export function makeClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config)
  client.on('error', () => {})
  return client
}

/** A connection beside the pool, for as long as `work` takes. */
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
