import { access, constants } from 'node:fs/promises'
import type { Static } from 'typebox'
import type { Deps } from '../../../platform/deps.ts'
import type { PartnerClient } from '../../../platform/partners/client.ts'
import { VERSION } from '../../../platform/version.ts'
import type { Health } from './schema.ts'

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

const stateOfReplica = ({ replica }: Deps): 'ok' | 'down' | 'off' =>
  replica === null ? 'off' : replica.status().fault === null ? 'ok' : 'down'

/**
 * Checks the services that sales need, the partners and the jobs (B-answer-2, B-answer-9, B-answer-10, B-answer-12).
 */
export async function readHealth(deps: Deps): Promise<Static<typeof Health>> {
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
    replica: stateOfReplica(deps),
    paymentPartner,
    fulfillmentPartner,
    marketingPartner,
  }
  const jobs = deps.jobs.list()
  const isDegraded =
    Object.values(checks).includes('down') ||
    disks.some(({ state }) => state === 'critical') ||
    jobs.some((job) => job.status === 'failing')
  const hasNoWorker = workers.size > 0 && lostWorkers.length === workers.size
  // The key for secrets changed without this process: it refuses what needs the key until it is restarted.
  const isDown = database === 'down' || hasNoWorker || deps.secrets.isLost()
  const status = isDown ? ('down' as const) : isDegraded ? ('degraded' as const) : ('ok' as const)
  return {
    status,
    version: VERSION,
    uptimeSeconds: Math.floor(process.uptime()),
    checks,
    // The route is public, so the answer does not name the directories.
    disks: disks.map(({ name, freeBytes, state }) => ({ name, freeBytes, state })),
    lostWorkers,
    jobs,
  }
}
