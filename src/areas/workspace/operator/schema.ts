import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, Text, Words } from '../../../platform/http/shapes.ts'
import { Health } from '../health/index.ts'

export const OperatorSignIn = Type.Object({ token: Text(200) }, { title: 'OperatorSignIn' })

export const OperatorSession = Type.Object(
  { expiresAt: { ...Instant, description: 'When the session ends' } },
  { title: 'OperatorSession' },
)

const HostProcess = Type.Object(
  {
    host: Type.String(),
    pid: Type.Integer(),
    nodeVersion: Type.String(),
    memoryBytes: Type.Integer({ description: 'Memory that the process holds' }),
  },
  { description: 'The process that answers; an installation may have several' },
)

const Table = Type.Object({
  name: Type.String(),
  bytes: Type.Integer({ description: 'With indexes' }),
  rows: { ...Nullable(Type.Integer()), description: 'An estimate of PostgreSQL; null if it has none yet' },
})

const Database = Type.Object({
  version: Type.String({ description: 'Version of PostgreSQL' }),
  isSharded: Type.Boolean({ description: 'True: sizes and connections are those of the coordinator alone' }),
  bytes: Type.Integer(),
  latencyMs: Type.Number({ description: 'Duration of one short statement, with the wait for a connection' }),
  connections: Type.Object({
    used: Type.Integer({ description: 'Of the whole server' }),
    limit: Type.Integer({ description: 'max_connections' }),
  }),
  tables: Type.Array(Table, { description: 'The ten largest' }),
})

const Job = Type.Object(
  {
    name: Type.String(),
    isRunning: Type.Boolean(),
    startedAt: { ...Nullable(Instant), description: 'Start of the current or last run' },
    durationMs: {
      ...Nullable(Type.Integer()),
      description: 'Of the last run; null while it runs or if it never ended',
    },
    failedAt: Nullable(Instant),
    failure: { ...Nullable(Type.String()), description: 'Why the last run failed; null if it succeeded' },
    unfinishedRuns: Type.Integer({ description: 'Runs in a row that began and never ended' }),
    dueAt: { ...Instant, description: 'When the next run is due' },
  },
  { title: 'OperatorJob' },
)

const Backup = Type.Object(
  {
    file: Type.String({ description: 'Name without its directory; - for standard output' }),
    takenAt: Instant,
    bytes: { ...Nullable(Type.Integer()), description: 'Null for standard output' },
    isSound: Type.Boolean({ description: 'Whether its books kept every invariant' }),
    verifiedAt: { ...Nullable(Instant), description: 'When it was restored as a test' },
  },
  { title: 'OperatorBackup' },
)

const Queue = Type.Object(
  {
    count: Type.Integer({ description: 'At most 10000; there may be more' }),
    oldestAt: Nullable(Instant),
  },
  { title: 'OperatorQueue' },
)

const Finding = Type.Object(
  {
    check: Type.String({ description: 'Name of the check, as kasir doctor prints it' }),
    state: Words(['ok', 'note', 'warn', 'fault']),
    found: Type.String(),
    remedy: { ...Nullable(Type.String()), description: 'What to do; null unless the state is warn or fault' },
  },
  { title: 'OperatorFinding' },
)

export const OperatorOverview = Type.Object(
  {
    readAt: Instant,
    sessionExpiresAt: Instant,
    health: Health,
    process: HostProcess,
    database: Database,
    jobs: Type.Array(Job),
    backups: Type.Array(Backup, { description: 'The newest 20 that kasir backup recorded' }),
    queues: Nullable(Type.Object({ webhooks: Queue, mails: Queue, printJobs: Queue })),
    workspaceCount: {
      ...Nullable(Type.Integer()),
      description: 'Null, as are queues, while a worker is lost',
    },
    findings: Type.Array(Finding, { description: 'Of the checks of kasir doctor that take little time' }),
  },
  { title: 'OperatorOverview' },
)
export type OperatorOverview = Static<typeof OperatorOverview>

export const OperatorWorkspace = Type.Object(
  {
    id: Id,
    name: Type.String(),
    createdAt: Instant,
    members: Type.Integer(),
    salesLast30Days: Type.Integer({ description: 'Completed sales, from the figures of reports' }),
    lastActiveAt: {
      ...Nullable(Instant),
      description:
        'When a session or an API key was last used, accurate to minutes; null if none was, or only sessions that have expired',
    },
  },
  { title: 'OperatorWorkspace' },
)
export type OperatorWorkspace = Static<typeof OperatorWorkspace>
