import { access, constants } from 'node:fs/promises'
import { Type } from 'typebox'
import { route, withStatus, withTraits } from '../../../platform/http/route.ts'
import { Instant, Nullable, Words } from '../../../platform/http/shapes.ts'
import type { PartnerClient } from '../../../platform/partners/client.ts'
import { VERSION } from '../../../platform/version.ts'

const Check = Words(['ok', 'down', 'off'], { description: 'off: not configured' })
const Health = Type.Object(
  {
    status: Words(['ok', 'degraded', 'down']),
    version: Type.String(),
    uptimeSeconds: Type.Integer(),
    checks: Type.Object({
      database: Check,
      storage: Check,
      workers: Check,
      paymentPartner: Check,
      fulfillmentPartner: Check,
      marketingPartner: Check,
    }),
    disks: Type.Array(
      Type.Object({
        name: Words(['data', 'database', 'uploads'], { description: 'The data on this disk' }),
        freeBytes: Type.Integer(),
        state: Words(['ok', 'low', 'critical'], {
          description: 'low: less than 2 GiB are free; critical: less than 500 MiB',
        }),
      }),
      {
        description:
          'Free space of the disks of this machine. The disks of an external database or bucket are not listed.',
      },
    ),
    lostWorkers: Type.Array(Type.Integer(), {
      description:
        'Unreachable workers of a sharded database, by their numbers in `kasir doctor`. Only the workspaces on these workers are affected.',
    }),
    jobs: Type.Array(
      Type.Object({
        name: Type.String(),
        status: Words(['ok', 'failing', 'waiting'], {
          description: 'Result of the last run; waiting: no run has ended yet',
        }),
        lastRunAt: Nullable(Instant),
        runningSince: { ...Nullable(Instant), description: 'Start of the current run; null between runs' },
        unfinishedRuns: Type.Integer({
          description: 'Runs in a row that began and never ended: from two on the status is failing',
        }),
        lastFailureAt: Nullable(Instant),
      }),
      { description: 'Background jobs, as last read by the process that answers' },
    ),
  },
  { title: 'Health' },
)

const within = async (ms: number, check: Promise<unknown>): Promise<'ok' | 'down'> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), ms)
  })
  return Promise.race([check, late])
    .then(
      () => 'ok' as const,
      () => 'down' as const,
    )
    .finally(() => clearTimeout(timer))
}

const stateOf = async (partner: PartnerClient | null): Promise<'ok' | 'down' | 'off'> =>
  partner === null ? 'off' : partner.pulse()

const stateOfAll = (workers: number, lost: number): 'ok' | 'down' | 'off' =>
  workers === 0 ? 'off' : lost === 0 ? 'ok' : 'down'

/**
 * Checks the services that sales need, the partners and the jobs (B-answer-2, B-answer-9, B-answer-10, B-answer-12).
 */
export const healthRoutes = [
  withTraits(
    // Other requests from the same address must not make a probe fail: an orchestrator would restart a healthy
    // process.
    { perMinute: 6_000 },
    route({
      name: 'health.check',
      method: 'GET',
      path: '/health',
      area: 'health',
      summary: 'Read the status of the service and its dependencies',
      description:
        'The answer is 200 while sales are possible (ok, degraded) and 503 if the database is down or read-only. A sharded database is up if one worker answers.',
      access: 'open',
      auth: 'none',
      delegation: 'none',
      document: { alsoAnswers: [503] },
      returns: Health,
      handle: async ({ deps }) => {
        const { payment, fulfillment, marketing } = deps.partners
        const [database, disks, workers, storage, paymentPartner, fulfillmentPartner, marketingPartner] =
          await Promise.all([
            within(2_000, deps.pulse.beat()),
            deps.disks(),
            deps.workers.look(),
            within(1_500, access(deps.config.dataDir, constants.W_OK)),
            stateOf(payment),
            stateOf(fulfillment),
            stateOf(marketing),
          ])
        const lostWorkers = [...workers].flatMap(([id, state]) => (state === 'down' ? [id] : []))
        const checks = {
          database,
          storage,
          workers: stateOfAll(workers.size, lostWorkers.length),
          paymentPartner,
          fulfillmentPartner,
          marketingPartner,
        }
        const jobs = deps.jobs.list()
        const isDegraded =
          Object.values(checks).includes('down') ||
          disks.some(({ state }) => state === 'critical') ||
          jobs.some((job) => job.status === 'failing')
        const isDown = database === 'down' || (workers.size > 0 && lostWorkers.length === workers.size)
        const status = isDown ? ('down' as const) : isDegraded ? ('degraded' as const) : ('ok' as const)
        const health = {
          status,
          version: VERSION,
          uptimeSeconds: Math.floor(process.uptime()),
          checks,
          // The route is public, so the answer does not name the directories.
          disks: disks.map(({ name, freeBytes, state }) => ({ name, freeBytes, state })),
          lostWorkers,
          jobs,
        }
        return withStatus(status === 'down' ? 503 : 200, health)
      },
    }),
  ),
]
