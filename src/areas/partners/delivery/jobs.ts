import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { job } from '../../../platform/jobs/worker.ts'
import { rateLimitWaitMs } from '../../../platform/partners/answer.ts'
import { isCircuitOpen } from '../../../platform/partners/client.ts'
import type { CourierContext } from './port.ts'
import { check, resume } from './shipments.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

/** Shipments per run; the next run continues. */
const PORTION = 50
/** The job leaves an abandoned request alone for this long, because its caller may be about to retry it. */
const LEFT_MS = 10_000
/** The delay before the next request to a partner that cannot be reached. */
const AGAIN_MS = 60_000
const SERVICE = { id: 'delivery', name: 'Delivery' }

type ShipmentKey = { accountId: string; id: string }

/** Processes one row after another. Ends early if the circuit breaker of the partner is open, or after a 429. */
async function forEachShipment(
  deps: Deps,
  {
    rows,
    stop,
    work,
    onFailure,
  }: {
    rows: readonly ShipmentKey[]
    stop: AbortSignal | undefined
    work: (means: CourierContext, id: string) => Promise<unknown>
    onFailure: (means: CourierContext, id: string) => Promise<unknown>
  },
) {
  for (const row of rows) {
    if (stop?.aborted) return
    const means = serviceMeans(deps, { accountId: row.accountId, service: SERVICE })
    try {
      await work(means, row.id)
    } catch (error) {
      deps.log.warn({ err: error, shipment: row.id }, 'could not read a shipment at the fulfillment partner')
      const waitMs = rateLimitWaitMs(error)
      if (waitMs !== null) return postponeChecks(means, waitMs)
      await onFailure(means, row.id)
      if (isCircuitOpen(error)) return
    }
  }
}

/** The limit may be that of the workspace, so all its checks wait. */
async function postponeChecks({ deps, scope, partner }: CourierContext, waitMs: number) {
  await partner.inTx((tx) => store.postponeChecks(tx, scope, addMs(deps.clock.now(), waitMs)))
}

const abandonedBefore = (deps: Deps) => addMs(deps.clock.now(), -LEFT_MS)

/** Finishes abandoned requests, and reads the state of shipments without reports (B-delivery-4, B-delivery-7). */
export async function mendShipments(deps: Deps, stop?: AbortSignal): Promise<void> {
  await forEachShipment(deps, {
    rows: await statements.listLeft(deps.db, abandonedBefore(deps), PORTION),
    stop,
    work: resume,
    onFailure: async () => {},
  })
  const later = ({ scope, partner }: CourierContext, id: string) =>
    partner.inTx((tx) => store.update(tx, scope, id, { checkAt: addMs(deps.clock.now(), AGAIN_MS) }))
  await forEachShipment(deps, {
    rows: await statements.listDue(deps.db, deps.clock.now(), PORTION),
    stop,
    work: check,
    onFailure: later,
  })
}

export const deliveryJobs = [
  job({
    name: 'delivery.shipments',
    everyMs: 3_000,
    hasWork: async (deps) =>
      (await statements.listLeft(deps.db, abandonedBefore(deps), 1)).length > 0 ||
      (await statements.listDue(deps.db, deps.clock.now(), 1)).length > 0,
    run: mendShipments,
  }),
]
