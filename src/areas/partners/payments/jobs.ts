import type { Deps } from '../../../platform/deps.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { job } from '../../../platform/worker.ts'
import { settle } from './sessions.ts'
import * as store from './store.ts'

/** Sessions asked about in one run; more wait for the next. */
const PORTION = 50
const SERVICE = { id: 'payments', name: 'Payments' }

/** Has the partner close what no bill waits for any more, and hears of ends that nobody reported (B-collect-5). */
export async function settleLoose(deps: Deps, stop?: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  for (const { accountId, id } of await store.listLoose(deps.db, now, PORTION)) {
    if (stop?.aborted) return
    const means = serviceMeans(deps, { accountId, service: SERVICE })
    try {
      const row = await store.find(deps.db, means.scope, id)
      // Canceling one whose time is over changes nothing at the partner, and answers how it ended.
      if (row) await settle(means, row, 'cancel')
    } catch (error) {
      deps.log.warn({ err: error, session: id }, 'the payment partner could not be asked about a session')
    }
  }
}

export const paymentJobs = [
  job({
    name: 'payments.sessions',
    everyMs: 3_000,
    hasWork: async ({ db, clock }) => (await store.listLoose(db, clock.now(), 1)).length > 0,
    run: settleLoose,
  }),
]
