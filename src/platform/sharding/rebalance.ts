import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StartError } from '../../core/fault.ts'
import { withClient } from '../db/client.ts'
import { type Node, readNodes } from '../db/cluster-catalog.ts'
import { MIGRATION_LOCK } from '../db/migrate.ts'
import { isConnectionLost } from '../db/pg-errors.ts'
import { findEngine } from './engine.ts'
import { limitWaits, workersOf } from './place.ts'
import { findJob, isOver, type RebalanceStatus, readJob, startJob } from './rebalance-job.ts'

/** Shards of each table on a node. */
type NodeShare = { name: string; port: number; shards: number }

export type Rebalance = {
  /** Shards that the job moved, including those before this command attached to it. */
  moved: number
  shares: NodeShare[]
}

type RebalanceOptions = {
  /** Called once, with the status of the job; `isNew` is false if the job was already running. */
  onStart?: (status: RebalanceStatus, isNew: boolean) => void
  /** Called at most once per poll. */
  onStatus?: (status: RebalanceStatus) => void
  /** Stops watching. The job continues on the coordinator. */
  signal?: AbortSignal
  pollMs?: number
  /** How long to wait for a job that is being cancelled or is failing. */
  endTimeoutMs?: number
}

const POLL_MS = 1_000
/** Citus tries a move again after 5 s, then after 20 s, then every minute for half an hour. */
const GIVE_UP_ATTEMPTS = 2
/**
 * A cancelled job ends after its current step. If this command wants to start a new job, it holds the migration lock
 * until then.
 */
const END_TIMEOUT_MS = 60_000

const AGAIN = 'run kasir shard --rebalance again'

const fail = (reason: string): never => {
  throw new StartError('REBALANCE_FAILED', reason)
}

/**
 * Moves shards until every worker has its share, while services run, and watches the move until it ends. Attaches to
 * a rebalance that is already running. Throws a StartError if the database is not sharded or a move fails.
 */
export async function rebalance(url: string, options: RebalanceOptions = {}): Promise<Rebalance> {
  await requireSharded(url)
  return connected(url, async (client) => {
    const { id, isNew } = await findOrStart(client, options.endTimeoutMs)
    if (id === null) return { moved: 0, shares: await readShares(client) }
    options.onStart?.(await readJob(client, id), isNew)
    const { state, moved, total } = await watch(client, id, options)
    if (state === 'cancelled')
      fail(`The rebalance was stopped: ${moved} of ${total} shards moved. To move the others, ${AGAIN}.`)
    return { moved, shares: await readShares(client) }
  })
}

/** Stops a running rebalance. Returns its last status; null if none was running. */
export async function stopRebalance(url: string): Promise<RebalanceStatus | null> {
  await requireSharded(url)
  return connected(url, async (client) => {
    const id = await findJob(client)
    return id === null ? null : cancel(client, id)
  })
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  try {
    return await withClient({ connectionString: url, application_name: 'kasir-shard' }, work)
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return fail(
      `The connection to the coordinator was lost. A rebalance that had begun continues once the coordinator is back: ${AGAIN} to see its progress.`,
    )
  }
}

async function requireSharded(url: string) {
  const { isSharded, faults } = await findEngine(url)
  if (!isSharded)
    throw new StartError(
      'DATABASE_NOT_SHARDED',
      'This database is not distributed over workers, so no shards can move. Stop every service and run kasir shard first.',
    )
  if (faults.length > 0)
    throw new StartError(
      'DATABASE_HALF_SHARDED',
      `Some tables are not in their place (${faults.slice(0, 3).join('; ')}). Stop every service and run kasir shard first.`,
    )
}

/** Attaches to the running job. A job that waits to retry a failed move is replaced, so that nothing waits for the retry. */
async function findOrStart(
  client: pg.Client,
  endTimeoutMs?: number,
): Promise<{ id: string | null; isNew: boolean }> {
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  try {
    const workers = await workersOf(client)
    await requireLogicalWal(client, workers)
    await limitWaits(client)
    const running = await findJob(client)
    if (running !== null) {
      const { state, failed } = await readJob(client, running)
      const isEnding = state === 'cancelling' || state === 'failing'
      if (failed === null && !isEnding) return { id: running, isNew: false }
      await (isEnding ? waitForEnd(client, running, endTimeoutMs) : cancel(client, running, endTimeoutMs))
    }
    return { id: await startJob(client), isNew: true }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
  }
}

const WAL_LEVELS = `select nodename as name, nodeport as port, result as level from run_command_on_workers('show wal_level')
  where success`

/** A shard is copied by logical replication. */
async function requireLogicalWal(client: pg.Client, workers: readonly Node[]) {
  const own = await client.query<{ level: string }>(`select current_setting('wal_level') as level`)
  const { rows } = await client.query<{ name: string; port: number; level: string }>(WAL_LEVELS)
  const lacking = [
    ...(own.rows[0]?.level === 'logical' ? [] : ['the coordinator']),
    ...workers
      .filter((node) => rows.some((row) => isSameNode(row, node) && row.level !== 'logical'))
      .map(({ name, port }) => `the worker ${name}:${port}`),
  ]
  if (lacking.length > 0)
    fail(
      `Shards move by logical replication, which needs wal_level = logical on every node. Set it on ${lacking.join(', ')}, restart PostgreSQL there, and ${AGAIN}.`,
    )
}

type NodeAddress = { name: string; port: number }
const isSameNode = (a: NodeAddress, b: NodeAddress) => a.name === b.name && a.port === b.port

async function watch(
  client: pg.Client,
  id: string,
  { onStatus, signal, pollMs = POLL_MS }: RebalanceOptions,
): Promise<RebalanceStatus> {
  for (;;) {
    const status = await readJob(client, id)
    onStatus?.(status)
    const { state, failed } = status
    if (state === 'failed') fail(await describeFailure(client, status))
    if (isOver(status)) return status
    if (failed !== null && failed.attempts >= GIVE_UP_ATTEMPTS) fail(await describeFailure(client, status))
    await sleep(pollMs, undefined, { signal }).catch(() => {
      throw new StartError(
        'INTERRUPTED',
        `Interrupted. The coordinator continues to move shards: ${AGAIN} to see its progress, or stop it with kasir shard --rebalance --stop.`,
      )
    })
  }
}

const ANSWERS = 'select citus_check_connection_to_node($1, $2) as "isThere"'

async function describeFailure(client: pg.Client, { state, moved, total, failed }: RebalanceStatus) {
  const lost: string[] = []
  for (const { group, name, port } of await readNodes(client)) {
    if (group === 0) continue
    const { rows } = await client.query<{ isThere: boolean }>(ANSWERS, [name, port])
    if (rows[0]?.isThere !== true) lost.push(`${name}:${port}`)
  }
  const counted = `${moved} of ${total} shards moved, and the others are still where they were.`
  const rest = state === 'failed' ? '' : ' The coordinator retries for half an hour.'
  return lost.length > 0
    ? `A shard could not be moved because the worker ${lost.join(', ')} does not answer. ${counted}${rest} Start the worker and ${AGAIN}.`
    : `A shard could not be moved: ${failed?.message ?? 'no reason was recorded'}. ${counted}${rest} Correct the cause and ${AGAIN}.`
}

async function cancel(client: pg.Client, id: string, endTimeoutMs?: number): Promise<RebalanceStatus> {
  await client.query('select citus_job_cancel($1::bigint)', [id])
  return waitForEnd(client, id, endTimeoutMs)
}

async function waitForEnd(
  client: pg.Client,
  id: string,
  endTimeoutMs = END_TIMEOUT_MS,
): Promise<RebalanceStatus> {
  const deadlineMs = performance.now() + endTimeoutMs
  for (;;) {
    const status = await readJob(client, id)
    if (isOver(status)) return status
    if (performance.now() >= deadlineMs)
      fail(
        `The rebalance (job ${id}) did not end within ${endTimeoutMs / 1_000} seconds and is still ${status.state}. No new rebalance was started. Wait a few minutes and run the same command again. If it still does not end, find its session in pg_stat_activity on the coordinator and end it with pg_terminate_backend.`,
      )
    await sleep(POLL_MS / 4)
  }
}

const SHARES = `select n.nodename as name, n.nodeport as port, count(s.shardid)::int as shards
  from pg_dist_node n left join pg_dist_placement p on p.groupid = n.groupid
  left join pg_dist_shard s on s.shardid = p.shardid and s.logicalrelid = 'accounts'::regclass
  where n.noderole = 'primary' group by n.groupid, n.nodename, n.nodeport, n.shouldhaveshards
  having n.shouldhaveshards or count(s.shardid) > 0 order by n.groupid`

const readShares = async (client: pg.Client) => (await client.query<NodeShare>(SHARES)).rows
