import { access, constants } from 'node:fs/promises'
import { Type } from 'typebox'
import { route, withStatus } from '../../../platform/http/route.ts'
import { Instant, Nullable, Words } from '../../../platform/http/shapes.ts'
import type { PartnerClient } from '../../../platform/partners/client.ts'
import { VERSION } from '../../../platform/version.ts'

const Check = Words(['ok', 'down', 'off'], { description: 'off: not configured here' })
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
    lostWorkers: Type.Array(Type.Integer(), {
      description:
        'Workers of a database that is spread over several which do not answer, by the numbers that `kasir doctor` gives them. Their workspaces wait; all others go on.',
    }),
    jobs: Type.Array(
      Type.Object({
        name: Type.String(),
        status: Words(['ok', 'failing', 'waiting'], {
          description: 'How its last run ended; waiting: for its first one',
        }),
        lastRunAt: Nullable(Instant),
        lastFailureAt: Nullable(Instant),
      }),
      { description: 'What the service does by itself, as of the last look of the process that answers' },
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

/** The checks of what sales need and of the partners, and how the jobs went (B-answer-2, B-answer-9, B-answer-10, B-answer-12). */
export const healthRoutes = [
  route({
    name: 'health.check',
    method: 'GET',
    path: '/health',
    area: 'health',
    summary: 'Service status with its dependencies',
    description:
      '200 while sales can be made (ok, degraded), 503 when the database is down or takes no writes. Of a database that is spread over workers one that answers is enough.',
    access: 'open',
    auth: 'none',
    delegation: 'none',
    alsoAnswers: [503],
    returns: Health,
    handle: async ({ deps }) => {
      const { payment, fulfillment, marketing } = deps.partners
      const [database, workers, storage, paymentPartner, fulfillmentPartner, marketingPartner] =
        await Promise.all([
          within(2_000, deps.pulse.beat()),
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
        Object.values(checks).includes('down') || jobs.some((job) => job.status === 'failing')
      const isDown = database === 'down' || (workers.size > 0 && lostWorkers.length === workers.size)
      const status = isDown ? ('down' as const) : isDegraded ? ('degraded' as const) : ('ok' as const)
      const health = {
        status,
        version: VERSION,
        uptimeSeconds: Math.floor(process.uptime()),
        checks,
        lostWorkers,
        jobs,
      }
      return withStatus(status === 'down' ? 503 : 200, health)
    },
  }),
]
