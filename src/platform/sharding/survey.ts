import type pg from 'pg'
import { hasCitus, misplaced, type Node, readNodes, readPlaced } from '../db/cluster-catalog.ts'
import { isCanceled } from '../db/pg-errors.ts'

/** The contents of one worker; counts are null if it does not answer, or not in time. */
export type Holding = Node & {
  answers: boolean
  /**
   * Whether requests on this worker wait for a lock without limit: `kasir shard` has not run since the worker was
   * added.
   */
  waitsOn: boolean
  /** Shards of each table on this worker; the same number for every table. */
  shards: number
  workspaces: number | null
  sales: number | null
  events: number | null
}

export type Survey = {
  isSharded: boolean
  workers: Holding[]
  /** One sentence for each misplaced table. */
  misplaced: string[]
}

const SHARDS = `select p.groupid as "group", count(*)::int as shards from pg_dist_placement p
  join pg_dist_shard s on s.shardid = p.shardid
  where s.logicalrelid = 'accounts'::regclass group by 1`

/**
 * Counts the rows of a table on each worker. A shard on an unreachable worker returns a failure, which leaves that
 * worker out.
 */
const ROWS = `select p.groupid as "group", sum(case when r.success then r.result::bigint end)::float8 as rows
  from run_command_on_shards($1, 'select count(*) from %s') r
  join pg_dist_placement p on p.shardid = r.shardid group by 1 having bool_and(r.success)`

const ANSWERS = 'select citus_check_connection_to_node($1, $2) as "isThere"'

/** The limit may be set for the database, as `kasir shard` does, or for the whole server. */
const WAITING_ON = `select nodename as name, nodeport as port from run_command_on_workers($do$
    select current_setting('lock_timeout') = '0' and not exists (
      select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database() and s.setrole = 0 and s.setconfig::text ~ 'lock_timeout=')
  $do$) where success and result = 't'`

/** Reports where the rows of a database are; null if Citus is not installed. */
export async function inspectShards(client: pg.ClientBase): Promise<Survey | null> {
  if (!(await hasCitus(client))) return null
  const placed = await readPlaced(client)
  const isSharded = placed.some(({ table, placement }) => table === 'accounts' && placement === 'account')
  if (!isSharded) return { isSharded, workers: [], misplaced: [] }
  const nodes = (await readNodes(client)).filter(({ group, takesShards }) => group > 0 || takesShards)
  const shards = await byGroup<{ shards: number }>(client, SHARDS)
  const [workspaces, sales, events] = [
    await rowsByGroup(client, 'accounts'),
    await rowsByGroup(client, 'sales'),
    await rowsByGroup(client, 'events'),
  ]
  const { rows: waiting } = await client.query<{ name: string; port: number }>(WAITING_ON)
  const workers: Holding[] = []
  for (const node of nodes) {
    const { rows } = await client.query<{ isThere: boolean }>(ANSWERS, [node.name, node.port])
    workers.push({
      ...node,
      answers: rows[0]?.isThere === true,
      waitsOn: waiting.some(({ name, port }) => name === node.name && port === node.port),
      shards: shards.get(node.group)?.shards ?? 0,
      workspaces: workspaces.get(node.group)?.rows ?? null,
      sales: sales.get(node.group)?.rows ?? null,
      events: events.get(node.group)?.rows ?? null,
    })
  }
  return { isSharded, workers, misplaced: misplaced(placed).map(({ fault }) => fault) }
}

/** Empty if the rows take longer to count than the session allows. */
const rowsByGroup = (client: pg.ClientBase, table: string) =>
  byGroup<{ rows: number }>(client, ROWS, table).catch((error: unknown) => {
    if (!isCanceled(error)) throw error
    return new Map<number, { rows: number }>()
  })

async function byGroup<R extends object>(client: pg.ClientBase, text: string, table?: string) {
  const { rows } = await client.query<R & { group: number }>(text, table === undefined ? [] : [table])
  return new Map(rows.map((row) => [row.group, row]))
}
