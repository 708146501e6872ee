import { ApiError } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { eachWorkspace } from '../../../platform/jobs/each-workspace.ts'
import { rateLimitWaitMs } from '../../../platform/partners/answer.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { findPartnerAccount } from '../../workspace/modules/index.ts'
import { nextAttempt } from './rules.ts'
import * as store from './store.ts'

/**
 * Workspaces per run, and sales per claim. A claim is small enough to finish within the lease, even with a slow
 * partner.
 */
const WORKSPACES = 50
const PORTION = 20
const TIMEOUT_MS = 5_000
const LEASE_MS = 5 * 60_000
const FAILURE = 'could not notify the marketing partner of the sales of a workspace; retrying later'

export const hasToTell = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> =>
  (await store.listDue(db, clock.now(), 1)).length > 0

/** Notifies the partner of completed and cancelled sales (B-sale-15). No transaction is open during the request. */
export async function settlePromotions(deps: Deps, stop?: AbortSignal): Promise<void> {
  if (deps.partners.marketing === null) return
  const due = await store.listDue(deps.db, deps.clock.now(), WORKSPACES)
  await eachWorkspace({ log: deps.log, failure: FAILURE, stop }, due, ({ accountId }) =>
    settlePromotionsOf(deps, accountId, stop),
  )
}

async function settlePromotionsOf(deps: Deps, accountId: AccountId, stop?: AbortSignal) {
  const now = deps.clock.now()
  const until = addMs(now, LEASE_MS)
  const tell = tellerOf(deps, accountId)
  let waitMs: number | null = null
  for (const due of await store.claim(deps.db, { accountId }, { now, until, limit: PORTION })) {
    if (stop?.aborted) return
    const lease = { id: due.id, until }
    const outcome: SettlementOutcome = waitMs === null ? await tell(due) : { waitMs }
    const at = deps.clock.now()
    if ('waitMs' in outcome) {
      // The partner's rate limit is reached. The rest of the portion waits too, and this attempt does not count.
      waitMs = outcome.waitMs
      const later = { dueAt: addMs(at, waitMs), now: at, attempts: due.attempts - 1 }
      await store.postpone(deps.db, { accountId }, lease, later)
    } else if (outcome.dueAt === null && due.wanted === 'released') {
      // A released promotion belongs to no sale. Its row is deleted when the partner is notified, or after the last
      // attempt.
      await store.remove(deps.db, { accountId }, lease)
    } else {
      await store.postpone(deps.db, { accountId }, lease, { ...outcome, now: at, attempts: due.attempts })
    }
  }
}

/** The time of the next attempt (null if there is none), or the delay that the partner requested. */
type SettlementOutcome = { dueAt: string | null } | { waitMs: number }

function tellerOf(deps: Deps, accountId: AccountId) {
  const { scope, partner } = serviceMeans(deps, {
    accountId,
    service: { id: 'promotions', name: 'Promotions' },
    timeoutMs: TIMEOUT_MS,
  })
  return async ({ id, wanted, points, attempts }: store.DueSettlement): Promise<SettlementOutcome> => {
    const verb = wanted === 'released' ? 'release' : 'confirm'
    try {
      const { client, key } = await findPartnerAccount({ deps, scope, partner }, 'marketing')
      await partner.call((forward) =>
        client.ask(
          {
            method: 'POST',
            path: pathOf('v1', 'redemptions', id, verb),
            key,
            ...(verb === 'confirm' && points > 0 ? { body: { points } } : {}),
          },
          forward,
        ),
      )
      return { dueAt: null }
    } catch (error) {
      if (wanted === 'released' && error instanceof ApiError && error.status === 404) {
        // There is nothing to release, for example because the partner was down when the code was valued.
        deps.log.info(
          { promotion: id },
          'the marketing partner does not know a promotion that was to be released',
        )
        return { dueAt: null }
      }
      deps.log.warn(
        { err: error, promotion: id, attempt: attempts },
        'could not notify the marketing partner of the end of a sale',
      )
      const waitMs = rateLimitWaitMs(error)
      if (waitMs !== null) return { waitMs }
      return { dueAt: isFinal(error) ? null : nextAttempt(deps.clock.now(), attempts) }
    }
  }
}

/** With these statuses the partner rejects the content of the request, so a retry would fail too. */
const isFinal = (error: unknown) =>
  error instanceof ApiError && [400, 404, 409, 413, 422].includes(error.status)
