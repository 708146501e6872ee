import type { Deps } from '../../../platform/deps.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { job } from '../../../platform/jobs/worker.ts'
import { rateLimitWaitMs } from '../../../platform/partners/answer.ts'
import { isCircuitOpen } from '../../../platform/partners/client.ts'
import { settle } from './sessions.ts'
import * as store from './store.ts'

/** Sessions per run; the next run continues. */
const PORTION = 50
const SERVICE = { id: 'payments', name: 'Payments' }

/**
 * Cancels sessions that no bill waits for, and reads outcomes that the partner has not reported (B-collect-5).
 * Ends early if the circuit breaker of the partner is open, or after a 429.
 */
export async function settleLoose(deps: Deps, stop?: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  for (const { accountId, id } of await store.listLoose(deps.db, now, PORTION)) {
    if (stop?.aborted) return
    const means = serviceMeans(deps, { accountId, service: SERVICE })
    try {
      const row = await store.find(deps.db, means.scope, id)
      // Canceling an expired session changes nothing at the partner; the answer has its outcome.
      if (row) await settle(means, row, 'cancel')
    } catch (error) {
      deps.log.warn({ err: error, session: id }, 'could not read a session at the payment partner')
      if (isCircuitOpen(error)) return
      if (rateLimitWaitMs(error) === null) continue
      // The limit may be that of the workspace. Its other sessions wait too, so that they do not come first in the next run.
      await means.partner.inTx((tx) => store.touchAll(tx, means.scope))
      return
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
