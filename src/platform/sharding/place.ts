import type pg from 'pg'
import { StartError } from '../../core/fault.ts'
import { withClient } from '../db/client.ts'
import { groupOf, hasCitus, misplaced, type Node, readNodes, readPlaced } from '../db/cluster-catalog.ts'
import { MIGRATION_LOCK } from '../db/migrate.ts'
import { placeTable, SHARDS } from '../db/place-table.ts'
import { analyze } from '../db/statistics.ts'
import { hasServices } from './services.ts'

export const MOST_SHARDS = 1_024
/** The oldest version whose workers know all tables, which distributing a table with rows needs. */
const OLDEST = 12

const refuse = (reason: string): never => {
  throw new StartError('DATABASE_NOT_SHARDED', reason)
}

const LIBRARIES = `select current_setting('shared_preload_libraries') as libraries`
const VERSION = `select extversion as version from pg_extension where extname = 'citus'`
const ANSWERS = 'select citus_check_connection_to_node($1, $2) as "isThere"'

/** The workers that take shards; throws a StartError if there are none or one does not answer. */
export async function workersOf(client: pg.ClientBase): Promise<Node[]> {
  if (!(await hasCitus(client))) {
    const { rows } = await client.query<{ libraries: string }>(LIBRARIES)
    return refuse(
      rows[0]?.libraries.includes('citus')
        ? 'Citus is loaded, but not installed in this database: run "create extension citus" in it, on every node.'
        : 'This PostgreSQL has no Citus: install it and add it to shared_preload_libraries.',
    )
  }
  const { rows } = await client.query<{ version: string }>(VERSION)
  const version = rows[0]?.version ?? ''
  if (Number.parseInt(version, 10) < OLDEST)
    refuse(`Citus ${version} is too old: ${OLDEST} or newer is needed.`)
  const nodes = await readNodes(client)
  const workers = nodes.filter(({ group, takesShards }) => group > 0 && takesShards)
  if (workers.length === 0)
    refuse(
      'The cluster has no workers: set the coordinator with citus_set_coordinator_host and add each worker with citus_add_node.',
    )
  for (const { name, port } of workers) {
    const answer = await client.query<{ isThere: boolean }>(ANSWERS, [name, port])
    if (answer.rows[0]?.isThere !== true) refuse(`The worker ${name}:${port} does not answer.`)
  }
  return workers
}

/** A running service would keep writing as if the database were not sharded. */
async function refuseServices(client: pg.ClientBase) {
  if (await hasServices(client)) refuse('A service uses this database: stop every process of Kasir first.')
}

/** Sorts tables so that each follows the tables it refers to. */
const IN_ORDER = `with recursive refers as (
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
    where contype = 'f' and conrelid <> confrelid and connamespace = 'public'::regnamespace
  ), depth as (
    select name, 0 as d from unnest($1::text[]) as t (name)
    union select r."from", depth.d + 1 from depth join refers r on r."to" = depth.name where depth.d < 50
  )
  select name as "table" from depth where name = any($1) group by name order by max(d), name`

/**
 * Sets the lock timeout of the database on each worker. The coordinator does not pass on a session's own lock_timeout
 * to the worker where the wait happens. Without it, a request whose idempotency key is in use waits until the first
 * request times out. A worker accepts the setting only with DDL propagation off. Returns the workers that refused it.
 */
export const LIMIT_WAITS = `select nodename as name, nodeport as port, result as problem from run_command_on_workers(
    format('do $do$ begin set local citus.enable_ddl_propagation = off; alter database %I set lock_timeout = %L; end $do$',
      current_database(), '5s'))
  where not success`

export async function limitWaits(client: pg.ClientBase) {
  const { rows } = await client.query<{ name: string; port: number; problem: string }>(LIMIT_WAITS)
  for (const { name, port, problem } of rows)
    refuse(`The worker ${name}:${port} refused the lock timeout: ${problem}`)
}

export type Spread = {
  workers: Node[]
  /** Tables that this run distributed. */
  placed: string[]
}

/**
 * Distributes every table of a database whose schema is up to date. Skips tables that are placed already, so an
 * interrupted run can simply be repeated; each table moves with its rows in its own transaction. If all tables are
 * placed, services may stay connected, and a newly added worker gets its settings. Throws a StartError if the database
 * cannot be sharded.
 */
export async function shardDatabase(
  url: string,
  { shards = SHARDS, onTable = () => {} }: { shards?: number; onTable?: (table: string) => void } = {},
): Promise<Spread> {
  return withClient({ connectionString: url, application_name: 'kasir-shard' }, async (client) => {
    const workers = await workersOf(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const wrong = misplaced(await readPlaced(client))
    const isWhole = wrong.length === 0 && !(await hasLocalRows(client))
    if (!isWhole) await refuseServices(client)
    const astray = wrong.find(({ placed }) => placed.placement !== 'local')
    if (astray) refuse(`${astray.fault}: it was placed by hand, so correct it by hand.`)
    const found = await client.query<{ table: string }>(IN_ORDER, [wrong.map(({ table }) => table)])
    for (const { table } of found.rows) {
      onTable(table)
      await placeTable(client, table, shards)
    }
    if (!isWhole) await truncateLocalRows(client)
    await limitWaits(client)
    const placed = found.rows.map(({ table }) => table)
    // Workers analyze new shards some time later; a till that opens before then would sell with poor plans.
    await analyze(
      (text) => client.query(text),
      placed,
      () => {},
    )
    return { workers, placed }
  })
}

const LOCAL_ROWS = `select coalesce(sum(pg_relation_size(logicalrelid)), 0) > 0 as "areLeft" from pg_dist_partition
  where partmethod = 'h'`

async function hasLocalRows(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ areLeft: boolean }>(LOCAL_ROWS)
  return rows[0]?.areLeft === true
}

/** Removes the rows that distributed tables left behind on the coordinator, where no query reads them. */
async function truncateLocalRows(client: pg.ClientBase) {
  const placed = await readPlaced(client)
  if (groupOf(placed) === null) return
  await client.query(`select truncate_local_data_after_distributing_table('accounts'::regclass)`)
}
