import type pg from 'pg'
import { withClient } from '../db/client.ts'
import { StartError } from '../db/embedded/fault.ts'
import { MIGRATION_LOCK } from '../db/migrate.ts'
import { analyze } from '../db/statistics.ts'
import { groupOf, hasCitus, misplaced, type Node, readNodes, readPlaced } from './catalog.ts'
import { placeTable, SHARDS } from './place-table.ts'
import { hasServices } from './services.ts'

export const MOST_SHARDS = 1_024
/** The oldest version whose workers know all tables, which the placing of a filled database needs. */
const OLDEST = 12

const refuse = (reason: string): never => {
  throw new StartError('DATABASE_NOT_SHARDED', reason)
}

const LIBRARIES = `select current_setting('shared_preload_libraries') as libraries`
const VERSION = `select extversion as version from pg_extension where extname = 'citus'`
const ANSWERS = 'select citus_check_connection_to_node($1, $2) as "isThere"'

async function workersOf(client: pg.ClientBase): Promise<Node[]> {
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
      'The cluster has no workers: name the coordinator by citus_set_coordinator_host, and add each by citus_add_node.',
    )
  for (const { name, port } of workers) {
    const answer = await client.query<{ isThere: boolean }>(ANSWERS, [name, port])
    if (answer.rows[0]?.isThere !== true) refuse(`The worker ${name}:${port} does not answer.`)
  }
  return workers
}

/** A service would go on writing as if nothing had changed. */
async function refuseServices(client: pg.ClientBase) {
  if (await hasServices(client)) refuse('A service uses this database: stop every process of Kasir first.')
}

/** Tables in an order in which each comes behind those it refers to. */
const IN_ORDER = `with recursive refers as (
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
    where contype = 'f' and conrelid <> confrelid and connamespace = 'public'::regnamespace
  ), depth as (
    select name, 0 as d from unnest($1::text[]) as t (name)
    union select r."from", depth.d + 1 from depth join refers r on r."to" = depth.name where depth.d < 50
  )
  select name as "table" from depth where name = any($1) group by name order by max(d), name`

/**
 * What a session may wait for a lock is not told to the workers, where it waits: each has it for the database as a whole. A
 * request whose key is in use would else wait until the first one is given up. A worker takes such a setting only where
 * it need not pass it on; those that did not take it are the answer.
 */
export const LIMIT_WAITS = `select nodename as name, nodeport as port, result as problem from run_command_on_workers(
    format('do $do$ begin set local citus.enable_ddl_propagation = off; alter database %I set lock_timeout = %L; end $do$',
      current_database(), '5s'))
  where not success`

async function limitWaits(client: pg.ClientBase) {
  const { rows } = await client.query<{ name: string; port: number; problem: string }>(LIMIT_WAITS)
  for (const { name, port, problem } of rows)
    refuse(`The worker ${name}:${port} does not take a time limit for waits on locks: ${problem}`)
}

export type Spread = {
  workers: Node[]
  /** Tables that were placed by this run. */
  placed: string[]
}

/**
 * Places every table of a database whose schema is up to date. What lies where it should is left alone, so a run that was
 * cut off is simply run again; each table moves with its rows in a transaction of its own. Where all lies as it should,
 * services may be connected: a worker that was added gets its settings. `StartError` when it cannot be.
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
    if (astray) refuse(`${astray.fault}: it was placed by hand, so it has to be put right by hand.`)
    const found = await client.query<{ table: string }>(IN_ORDER, [wrong.map(({ table }) => table)])
    for (const { table } of found.rows) {
      onTable(table)
      await placeTable(client, table, shards)
    }
    if (!isWhole) await forgetLocalRows(client)
    await limitWaits(client)
    const placed = found.rows.map(({ table }) => table)
    // Workers look at what they were given when they get to it; a till that opens now would sell without.
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

/** The rows of a placed table stay behind on the coordinator, where nobody reads them, until they are let go. */
async function forgetLocalRows(client: pg.ClientBase) {
  const placed = await readPlaced(client)
  if (groupOf(placed) === null) return
  await client.query(`select truncate_local_data_after_distributing_table('accounts'::regclass)`)
}
