import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { forEachDue } from '../../../platform/http/due-rows.ts'
import { job } from '../../../platform/jobs/worker.ts'
import { isCircuitOpen } from '../../../platform/partners/client.ts'
import { payOwed, reverseMove } from './moves.ts'
import * as statements from './statements.ts'
import * as moves from './store-moves.ts'

/** Movements per run; the next run continues. */
const PORTION = 50

/** Pays open debts to cards at the partner, and reverses movements of failed requests (B-card-9). */
export async function settleMoves(deps: Deps, stop?: AbortSignal): Promise<void> {
  await forEachDue(deps, {
    service: { id: 'gift-cards', name: 'Gift cards' },
    rows: await statements.listDueMoves(deps.db, deps.clock.now(), PORTION),
    stop,
    work: async (means, id) => {
      const move = await moves.find(deps.db, means.scope, id)
      if (move) await (move.state === 'OWED' ? payOwed(means, move) : reverseMove(means, move))
    },
    postpone: ({ scope, partner }, id, waitMs) =>
      partner.inTx(async (tx) => {
        await moves.uncount(tx, scope, id)
        await moves.postpone(tx, scope, addMs(deps.clock.now(), waitMs))
      }),
    onFailure: async ({ scope, partner }, id, error) => {
      // Nothing was sent, so the movement does not wait longer than the breaker is open.
      if (isCircuitOpen(error)) await partner.inTx((tx) => moves.uncount(tx, scope, id))
    },
    log: { noun: 'move', message: 'could not settle a gift card at the payment partner yet' },
  })
}

export const giftCardJobs = [
  job({
    name: 'giftCards.moves',
    everyMs: 2_000,
    hasWork: async ({ db, clock }) => (await statements.listDueMoves(db, clock.now(), 1)).length > 0,
    run: settleMoves,
  }),
]
