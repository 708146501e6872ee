import type pg from 'pg'

/** A background job of Citus, which runs on the coordinator without any client. Its tasks move one shard each. */
export type RebalanceStatus = {
  state: 'scheduled' | 'running' | 'finished' | 'cancelling' | 'cancelled' | 'failing' | 'failed'
  /** Shards to move in this job, and those that have moved. */
  total: number
  moved: number
  moving: ShardMove[]
  /** The task that failed and waits for its next attempt, or failed for good; null if there is none. */
  failed: FailedMove | null
}

/** A shard that is on its way: the same rows of every table. */
export type ShardMove = {
  from: string
  to: string
  /** The step in the words of Citus, such as "Copying Data". */
  phase: string
  sourceBytes: number
  targetBytes: number
}

export type FailedMove = { attempts: number; message: string }

const OVER = new Set<RebalanceStatus['state']>(['finished', 'cancelled', 'failed'])
export const isOver = ({ state }: Pick<RebalanceStatus, 'state'>) => OVER.has(state)

const UNFINISHED = `select job_id::text as id from pg_dist_background_job
  where job_type = 'rebalance' and state not in ('finished', 'cancelled', 'failed') order by job_id desc limit 1`

/** The rebalance that the coordinator is running; null if there is none. */
export async function findJob(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(UNFINISHED)
  return rows[0]?.id ?? null
}

/**
 * `auto` replicates a shard while it is written to. It refuses tables without a primary key before anything moves,
 * where `force_logical` would make their updates fail during the move.
 */
const START = `select citus_rebalance_start(shard_transfer_mode => 'auto')::text as id`

/** Returns null if every node has its share of shards. */
export async function startJob(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>(START)
  return rows[0]?.id ?? null
}

/** A task that copies reference tables to a new node comes before the moves and is not counted. */
const COUNTS = `select j.state, count(t.*)::int as total, (count(*) filter (where t.status = 'done'))::int as moved
  from pg_dist_background_job j
  left join pg_dist_background_task t on t.job_id = j.job_id and t.command like '%citus_move_shard_placement%'
  where j.job_id = $1 group by 1`

const FAILED = `select coalesce(retry_count, 0) as attempts, coalesce(message, '') as message
  from pg_dist_background_task
  where job_id = $1 and (status = 'error' or (status = 'runnable' and retry_count > 0))
  order by retry_count desc limit 1`

const MOVING = `select t->'hosts'->>'source' as "from", t->'hosts'->>'target' as "to", coalesce(t->>'phase', '') as phase,
    coalesce((t->'size'->>'source')::float8, 0) as "sourceBytes",
    coalesce((t->'size'->>'target')::float8, 0) as "targetBytes"
  from citus_job_status($1, true), jsonb_array_elements(details->'tasks') t
  where t->>'state' = 'running' and t->'hosts'->>'source' is not null order by 1, 2`

export async function readJob(client: pg.ClientBase, id: string): Promise<RebalanceStatus> {
  const { rows: counts } = await client.query<Pick<RebalanceStatus, 'state' | 'total' | 'moved'>>(COUNTS, [
    id,
  ])
  const { rows: failed } = await client.query<FailedMove>(FAILED, [id])
  const { rows: moving } = await client.query<ShardMove>(MOVING, [id])
  const { state, total, moved } = counts[0] ?? { state: 'cancelled', total: 0, moved: 0 }
  const last = failed[0]
  return {
    state,
    total,
    moved,
    moving,
    failed: last === undefined ? null : { ...last, message: errorLineOf(last.message) },
  }
}

/** The first line of the error in a message of the background worker, which adds notices and its context. */
const errorLineOf = (message: string) =>
  /^(?:ERROR|FATAL):\s*(.+)$/m.exec(message)?.[1] ?? message.split('\n')[0] ?? ''
