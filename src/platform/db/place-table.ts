import type pg from 'pg'
import { groupOf, hasCitus, readPlaced, WANTED } from './cluster-catalog.ts'
import type { Placement } from './tables.ts'

/** Shards of each table, which is also the most workers that the installation can ever use. */
export const SHARDS = 32

const HOW: Record<Exclude<Placement, 'local'>, string> = {
  account: `select create_distributed_table($1::regclass, 'account_id', colocate_with => 'accounts')`,
  reference: 'select create_reference_table($1::regclass)',
}
const FIRST = `select create_distributed_table($1::regclass, 'account_id', colocate_with => 'none', shard_count => $2::int)`

/**
 * Distributes a table, with its rows, that is on the coordinator only. `accounts` comes first among the tables
 * distributed by account: its shards, `shards` in number, are shared by all other tables.
 */
export async function placeTable(client: pg.ClientBase, table: string, shards = SHARDS) {
  const placement = WANTED.get(table) ?? 'local'
  if (placement === 'local') return
  // Otherwise a reference table would also convert the local tables that refer to it.
  await client.query('set citus.enable_local_reference_table_foreign_keys = off')
  if (table === 'accounts') await client.query(FIRST, [table, shards])
  else await client.query(HOW[placement], [table])
}

/** Whether the rows of this database are distributed over workers. */
export const isSpread = async (client: pg.ClientBase): Promise<boolean> =>
  (await hasCitus(client)) && groupOf(await readPlaced(client)) !== null
