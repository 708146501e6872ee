import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { forEachDue } from '../../../platform/http/due-rows.ts'
import { job } from '../../../platform/jobs/worker.ts'
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

/**
 * The workspaces whose abandoned requests wait after a 429, with the end of the wait. It is kept in memory: a process
 * that runs the job next may send one request too early. The claim of a request stays free for its caller.
 */
const pauses = new WeakMap<Deps['partners'], Map<string, string>>()

/** The limit may be that of the workspace, so all its checks and abandoned requests wait. */
async function pauseWorkspace({ deps, scope, partner }: CourierContext, waitMs: number) {
  const until = addMs(deps.clock.now(), waitMs)
  pauses.set(deps.partners, (pauses.get(deps.partners) ?? new Map()).set(scope.accountId, until))
  await partner.inTx((tx) => store.postponeChecks(tx, scope, until))
}

function listLeft({ db, clock, partners }: Deps, limit: number) {
  const now = clock.now()
  const paused = pauses.get(partners) ?? new Map<string, string>()
  for (const [accountId, until] of paused) if (until <= now) paused.delete(accountId)
  return statements.listLeft(db, addMs(now, -LEFT_MS), limit, [...paused.keys()])
}

/** Finishes abandoned requests, and reads the state of shipments without reports (B-delivery-4, B-delivery-7). */
export async function mendShipments(deps: Deps, stop?: AbortSignal): Promise<void> {
  const both = {
    service: { id: 'delivery', name: 'Delivery' },
    stop,
    postpone: (means: CourierContext, _id: string, waitMs: number) => pauseWorkspace(means, waitMs),
    log: { noun: 'shipment', message: 'could not read a shipment at the fulfillment partner' },
  }
  await forEachDue(deps, {
    ...both,
    rows: await listLeft(deps, PORTION),
    work: resume,
  })
  await forEachDue(deps, {
    ...both,
    rows: await statements.listDue(deps.db, deps.clock.now(), PORTION),
    work: check,
    onFailure: ({ scope, partner }, id) =>
      partner.inTx((tx) => store.update(tx, scope, id, { checkAt: addMs(deps.clock.now(), AGAIN_MS) })),
  })
}

export const deliveryJobs = [
  job({
    name: 'delivery.shipments',
    everyMs: 3_000,
    hasWork: async (deps) =>
      (await listLeft(deps, 1)).length > 0 ||
      (await statements.listDue(deps.db, deps.clock.now(), 1)).length > 0,
    run: mendShipments,
  }),
]
