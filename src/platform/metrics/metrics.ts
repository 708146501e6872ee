import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { epochMsOf } from '../../core/time.ts'
import type { Deps } from '../deps.ts'
import { expiryInUse } from '../http/tls.ts'
import { VERSION } from '../version.ts'
import { watchBackups } from './backup-times.ts'

/** Seconds. A sale takes about 10 ms; a person notices 250 ms; requests are given up after 30 s. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const MS_PER_SECOND = 1_000

export type Metrics = { text(): Promise<string>; contentType: string }

/**
 * The figures of this process in the text format of Prometheus. It counts the requests of `app` from now on and reads the
 * gauges when the figures are asked for. Labels name routes, states and jobs, never a workspace, a person or an address.
 */
export function openMetrics(app: FastifyInstance, deps: Deps): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  countRequests(app, register)
  countReplicaReads(deps, register)
  const gauges = [...gaugesOf(deps), workerGauge(deps), backupGauge(deps), certificateGauge(app)]
  for (const { name, help, label, read } of gauges) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [register],
      collect: async () => {
        gauge.reset()
        for (const [value, figure] of await read()) gauge.set({ [label]: value }, figure)
      },
    })
  }
  return { text: () => register.metrics(), contentType: register.contentType }
}

function countRequests(app: FastifyInstance, register: Registry) {
  const answers = new Histogram({
    name: 'kasir_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [register],
  })
  app.addHook('onResponse', (request, reply, next) => {
    // The text of an unknown path is no label: strangers would make a time series for each path that they try.
    const route = request.routeOptions.url ?? 'unknown'
    const labels = { method: request.method, route, status: reply.statusCode }
    answers.observe(labels, reply.elapsedTime / MS_PER_SECOND)
    next()
  })
}

function countReplicaReads({ replica }: Deps, register: Registry) {
  const reads = new Counter({
    name: 'kasir_replica_reads_total',
    help: 'Reads that may use the read replica, by the server that answered them',
    labelNames: ['server'],
    registers: [register],
    collect: () => {
      reads.reset()
      for (const [server, count] of Object.entries(replica?.status().reads ?? {}))
        reads.inc({ server }, count)
    },
  })
}

type Figure = readonly [labelValue: string, figure: number]
type GaugeReading = {
  name: string
  help: string
  label: string
  read(): readonly Figure[] | Promise<readonly Figure[]>
}

const certificateGauge = (app: FastifyInstance): GaugeReading => ({
  name: 'kasir_certificate_expiry_timestamp_seconds',
  help: 'When the certificate in use expires; absent without TLS_CERT',
  label: 'certificate',
  read: () => {
    const expiry = expiryInUse(app)
    return expiry === null ? [] : [['https', epochMsOf(expiry) / MS_PER_SECOND]]
  },
})

const workerGauge = ({ workers }: Deps): GaugeReading => ({
  name: 'kasir_worker_up',
  help: '1 while a worker of the sharded database answers, else 0; absent without sharding',
  label: 'worker',
  read: async () =>
    [...(await workers.look())].map(([id, state]): Figure => [String(id), state === 'ok' ? 1 : 0]),
})

function backupGauge(deps: Deps): GaugeReading {
  const times = watchBackups(deps)
  return {
    name: 'kasir_backup_timestamp_seconds',
    help: 'When the newest and the newest verified backup were taken, as recorded by kasir backup. As long as none was verified, when the first to verify was taken. Absent without one',
    label: 'backup',
    read: async () => Object.entries(await times()),
  }
}

const gaugesOf = ({ pool, slots, pulse, disks, jobs, replica }: Deps): GaugeReading[] => [
  {
    name: 'kasir_build_info',
    help: 'Always 1',
    label: 'version',
    read: () => [[VERSION, 1]],
  },
  {
    name: 'kasir_database_up',
    help: '1 while the database answers and can be written to, else 0',
    label: 'database',
    read: async () => [
      [
        'books',
        await pulse.beat().then(
          () => 1,
          () => 0,
        ),
      ],
    ],
  },
  {
    name: 'kasir_database_connections',
    help: 'Connections to the database by state; waiting: requests that wait for a connection or a slot',
    label: 'state',
    read: () => [
      ['busy', pool.totalCount - pool.idleCount],
      ['idle', pool.idleCount],
      ['waiting', slots.waiting() + pool.waitingCount],
    ],
  },
  {
    name: 'kasir_replica_up',
    help: '1 while the read replica is usable, else 0; absent without one',
    label: 'database',
    read: () => (replica ? [['books', replica.status().fault === null ? 1 : 0]] : []),
  },
  {
    name: 'kasir_replica_lag_seconds',
    help: 'How old the data of the read replica is; absent without one',
    label: 'database',
    read: () => (replica ? [['books', replica.status().lagSeconds]] : []),
  },
  {
    name: 'kasir_disk_free_bytes',
    help: 'Free space of the disks of this machine',
    label: 'disk',
    read: async () => (await disks()).map(({ name, freeBytes }) => [name, freeBytes]),
  },
  {
    name: 'kasir_job_ok',
    help: '0 while a background job is failing as GET /health says, else 1',
    label: 'job',
    read: () => jobs.list().map(({ name, status }) => [name, status === 'failing' ? 0 : 1]),
  },
  {
    name: 'kasir_job_last_run_timestamp_seconds',
    help: 'When the last run of a background job began; absent before the first run',
    label: 'job',
    read: () =>
      jobs
        .list()
        .flatMap(({ name, lastRunAt }): Figure[] =>
          lastRunAt === null ? [] : [[name, epochMsOf(lastRunAt) / MS_PER_SECOND]],
        ),
  },
]
