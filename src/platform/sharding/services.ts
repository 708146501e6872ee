import type pg from 'pg'
import { withClient } from '../db/client.ts'
import { groupOf, hasCitus, readPlaced } from '../db/cluster-catalog.ts'

const SERVICES = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and application_name in ('kasir', 'kasir live', 'kasir health')`

/** Whether a service is connected. It writes with each sale. */
export async function hasServices(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ n: number }>(SERVICES)
  return rows[0]?.n !== 0
}

/**
 * Whether a backup of the database at `url` would mix several moments: its rows are on several workers and a service is
 * writing.
 */
export async function hasManyMoments(url: string): Promise<boolean> {
  return withClient({ connectionString: url, application_name: 'kasir-backup' }, async (client) => {
    return (
      (await hasCitus(client)) && groupOf(await readPlaced(client)) !== null && (await hasServices(client))
    )
  })
}
