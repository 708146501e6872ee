import { newId } from '../../../core/ids.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import type { Deps } from '../../../platform/deps.ts'
import { partnerOf } from '../../../platform/http/partner.ts'
import { scopeFor } from '../../../platform/scope.ts'
import { job } from '../../../platform/worker.ts'
import { giveBack, payOwed } from './moves.ts'
import * as moves from './store-moves.ts'

/** Movements settled in one run; more wait for the next. */
const PORTION = 50
const ACTOR = {
  kind: 'service',
  id: 'gift-cards',
  name: 'Gift cards',
  role: 'OWNER',
  readOnly: false,
} as const

/** Pays cards of the partner what they are owed, and undoes what requests that failed or died have left there (B-card-9). */
export async function settleMoves(deps: Deps, stop?: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  for (const { accountId, ...move } of await moves.listDue(deps.db, now, PORTION)) {
    if (stop?.aborted) return
    const requestId = newId('request')
    const scope = scopeFor(
      { accountId: foundAccountId(accountId), actor: ACTOR },
      { defaultTier: deps.config.defaultTier, requestId, address: null, now },
    )
    const { partner } = partnerOf(deps, {
      requestId,
      idem: null,
      timeoutMs: undefined,
      within: (work) => work(),
    })
    const means = { deps, scope, partner }
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
