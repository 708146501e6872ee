import type { Deps } from '../../../platform/deps.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { job } from '../../../platform/worker.ts'
import { giveBack, payOwed } from './moves.ts'
import * as moves from './store-moves.ts'

/** Movements settled in one run; more wait for the next. */
const PORTION = 50
const SERVICE = { id: 'gift-cards', name: 'Gift cards' }

/** Pays cards of the partner what they are owed, and undoes what requests that failed or died have left there (B-card-9). */
export async function settleMoves(deps: Deps, stop?: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  for (const { accountId, ...move } of await moves.listDue(deps.db, now, PORTION)) {
    if (stop?.aborted) return
    const means = serviceMeans(deps, { accountId, service: SERVICE })
    await (move.state === 'OWED' ? payOwed(means, move) : giveBack(means, move)).catch((error: unknown) => {
      deps.log.warn(
        { err: error, move: move.id, card: move.giftCardId },
        'a gift card at the payment partner is not settled yet',
      )
    })
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
