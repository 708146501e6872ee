import type { Deps } from '../../../platform/deps.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { job } from '../../../platform/jobs/worker.ts'
import { payOwed, reverseMove } from './moves.ts'
import * as moves from './store-moves.ts'

/** Movements per run; the next run continues. */
const PORTION = 50
const SERVICE = { id: 'gift-cards', name: 'Gift cards' }

/** Pays open debts to cards at the partner, and reverses movements of failed requests (B-card-9). */
export async function settleMoves(deps: Deps, stop?: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  for (const { accountId, ...move } of await moves.listDue(deps.db, now, PORTION)) {
    if (stop?.aborted) return
    const means = serviceMeans(deps, { accountId, service: SERVICE })
    await (move.state === 'OWED' ? payOwed(means, move) : reverseMove(means, move)).catch(
      (error: unknown) => {
        deps.log.warn(
          { err: error, move: move.id, card: move.giftCardId },
          'could not settle a gift card at the payment partner yet',
        )
      },
    )
  }
}

export const giftCardJobs = [
  job({
    name: 'giftCards.moves',
    everyMs: 2_000,
    hasWork: async ({ db, clock }) => (await moves.listDue(db, clock.now(), 1)).length > 0,
    run: settleMoves,
  }),
]
