import type { Deps } from '../../../platform/deps.ts'
import { forEachDue } from '../../../platform/http/due-rows.ts'
import { job } from '../../../platform/jobs/worker.ts'
import { settle } from './sessions.ts'
import * as store from './store.ts'

/** Sessions per run; the next run continues. */
const PORTION = 50

/** Cancels sessions that no bill waits for, and reads outcomes that the partner has not reported (B-collect-5). */
export async function settleLoose(deps: Deps, stop?: AbortSignal): Promise<void> {
  await forEachDue(deps, {
    service: { id: 'payments', name: 'Payments' },
    rows: await store.listLoose(deps.db, deps.clock.now(), PORTION),
    stop,
    work: async (means, id) => {
      const row = await store.find(deps.db, means.scope, id)
      // Canceling an expired session changes nothing at the partner; the answer has its outcome.
      if (row) await settle(means, row, 'cancel')
    },
    // The other sessions of the workspace wait too, so that they do not come first in the next run.
    postpone: ({ scope, partner }) => partner.inTx((tx) => store.touchAll(tx, scope)),
    log: { noun: 'session', message: 'could not read a session at the payment partner' },
  })
}

export const paymentJobs = [
  job({
    name: 'payments.sessions',
    everyMs: 3_000,
    hasWork: async ({ db, clock }) => (await store.listLoose(db, clock.now(), 1)).length > 0,
    run: settleLoose,
  }),
]
