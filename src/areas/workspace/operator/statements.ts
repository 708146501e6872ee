import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'

/** `pg_stat_database` shows connections of other roles too, which `pg_stat_activity` hides from an ordinary role. */
const SERVER = statement(
  'operator_server',
  `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
    current_setting('max_connections')::int as "limit",
    (select coalesce(sum(numbackends), 0)::int from pg_stat_database) as used`,
)

type ServerFacts = { version: string; bytes: number; limit: number; used: number }

export async function readServer(db: Db): Promise<ServerFacts> {
  const [facts] = await named<ServerFacts>(db, SERVER, [])
  if (!facts) throw new Error('the statement for the facts of the server returned no row')
  return facts
}

const LATENCY = statement('operator_latency', 'select 1')

export const ping = (db: Db) => named(db, LATENCY, [])

const TABLES = statement(
  'operator_tables',
  `select c.relname as name, coalesce(pg_total_relation_size(c.oid), 0) as bytes,
      case when c.reltuples >= 0 then c.reltuples::bigint end as rows
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by 2 desc, 1 limit 10`,
)

export const largestTables = (db: Db) =>
  named<{ name: string; bytes: number; rows: number | null }>(db, TABLES, [])

const JOBS = statement(
  'operator_jobs',
  `select name, running as "isRunning", started_at as "startedAt",
      failed_at as "failedAt", failure, unfinished_runs as "unfinishedRuns", due_at as "dueAt",
      case when not running and greatest(finished_at, failed_at) >= started_at
        then round(extract(epoch from greatest(finished_at, failed_at) - started_at) * 1000)::int end as "durationMs"
    from jobs order by name`,
)

type JobRun = {
  name: string
  isRunning: boolean
  startedAt: string | null
  failedAt: string | null
  failure: string | null
  unfinishedRuns: number
  dueAt: string
  durationMs: number | null
}

export const listJobs = (db: Db) => named<JobRun>(db, JOBS, [])

const BACKUPS = statement(
  'operator_backups',
  `select file, taken_at as "takenAt", bytes, sound as "isSound", verified_at as "verifiedAt"
    from backups order by taken_at desc, file limit 20`,
)

type RecordedBackup = {
  file: string
  takenAt: string
  bytes: number | null
  isSound: boolean
  verifiedAt: string | null
}

export const listBackups = (db: Db) => named<RecordedBackup>(db, BACKUPS, [])

/** Counts stop at this, so that a long queue costs no more than a short one. */
const MOST_COUNTED = 10_000

const WEBHOOKS = statement(
  'operator_webhooks',
  `select count(*)::int as count, min(due_at) as "oldestAt"
    from (select due_at from webhook_deliveries where status = 'pending' limit ${MOST_COUNTED}) waiting`,
)
const MAILS = statement(
  'operator_mails',
  `select count(*)::int as count, min(created_at) as "oldestAt"
    from (select created_at from mails limit ${MOST_COUNTED}) waiting`,
)
const PRINT_JOBS = statement(
  'operator_print_jobs',
  `select count(*)::int as count, min(queued_at) as "oldestAt"
    from (select queued_at from print_jobs where look_at is not null limit ${MOST_COUNTED}) waiting`,
)

type QueueState = { count: number; oldestAt: string | null }

async function queueOf(db: Db, which: typeof MAILS): Promise<QueueState> {
  const [state] = await named<QueueState>(db, which, [])
  return state ?? { count: 0, oldestAt: null }
}

export const waitingWebhooks = (db: Db) => queueOf(db, WEBHOOKS)
export const waitingMails = (db: Db) => queueOf(db, MAILS)
export const waitingPrintJobs = (db: Db) => queueOf(db, PRINT_JOBS)
