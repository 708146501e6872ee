import { ApiError } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { job } from '../../../platform/worker.ts'
import type { Means } from './port.ts'
import { check, resume } from './shipments.ts'
import * as store from './store.ts'

/** Shipments asked about in one run; more wait for the next. */
const PORTION = 50
/** A request that nobody is at is left to its caller for so long, who may be about to send it again. */
const LEFT_MS = 10_000
/** A partner that cannot be asked is asked again after so long. */
const AGAIN_MS = 60_000
const SERVICE = { id: 'delivery', name: 'Delivery' }

type Row = { accountId: string; id: string }

/** Does one row after the other. Where the partner is left alone for a while, the rest waits as well. */
async function each(
  deps: Deps,
  rows: readonly Row[],
  stop: AbortSignal | undefined,
  work: (means: Means, id: string) => Promise<unknown>,
  onFailure: (means: Means, id: string) => Promise<unknown>,
) {
  for (const row of rows) {
    if (stop?.aborted) return
    const means = serviceMeans(deps, { accountId: row.accountId, service: SERVICE })
    try {
      await work(means, row.id)
    } catch (error) {
      deps.log.warn(
        { err: error, shipment: row.id },
        'the fulfilment partner could not be asked about a shipment',
      )
      await onFailure(means, row.id)
      if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return
    }
  }
}

const leftBefore = (deps: Deps) => addMs(deps.clock.now(), -LEFT_MS)

/** Ends what somebody began who did not come back, and hears of shipments that nobody reported (B-delivery-4, B-delivery-7). */
export async function mendShipments(deps: Deps, stop?: AbortSignal): Promise<void> {
  await each(deps, await store.listLeft(deps.db, leftBefore(deps), PORTION), stop, resume, async () => {})
  const later = ({ scope, partner }: Means, id: string) =>
    partner.inTx((tx) => store.update(tx, scope, id, { checkAt: addMs(deps.clock.now(), AGAIN_MS) }))
  await each(deps, await store.listDue(deps.db, deps.clock.now(), PORTION), stop, check, later)
}

export const deliveryJobs = [
  job({
    name: 'delivery.shipments',
    everyMs: 3_000,
    hasWork: async (deps) =>
      (await store.listLeft(deps.db, leftBefore(deps), 1)).length > 0 ||
      (await store.listDue(deps.db, deps.clock.now(), 1)).length > 0,
    run: mendShipments,
  }),
]
