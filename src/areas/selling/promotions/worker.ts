import { ApiError } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { Deps } from '../../../platform/deps.ts'
import { eachWorkspace } from '../../../platform/each-workspace.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { placeAtPartner } from '../../workspace/modules/index.ts'
import { nextAttempt } from './rules.ts'
import * as store from './store.ts'

/** Workspaces of one run, and sales taken at once: all of them are told within the lease, however slow the partner is. */
const WORKSPACES = 50
const PORTION = 20
const TIMEOUT_MS = 5_000
const LEASE_MS = 5 * 60_000
const FAILURE = 'could not tell the marketing partner how sales of a workspace ended; trying again later'

export const hasToTell = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> =>
  (await store.listDue(db, clock.now(), 1)).length > 0

/** Tells the partner how sales ended (B-sale-15). No transaction is open while it is told. */
export async function tellEnds(deps: Deps, stop?: AbortSignal): Promise<void> {
  if (deps.partners.marketing === null) return
  const due = await store.listDue(deps.db, deps.clock.now(), WORKSPACES)
  await eachWorkspace({ log: deps.log, failure: FAILURE, stop }, due, ({ accountId }) =>
    tellEndsOf(deps, accountId, stop),
  )
}

async function tellEndsOf(deps: Deps, accountId: AccountId, stop?: AbortSignal) {
  const now = deps.clock.now()
  const until = addMs(now, LEASE_MS)
  const tell = tellerOf(deps, accountId)
  for (const due of await store.claim(deps.db, { accountId }, { now, until, limit: PORTION })) {
    if (stop?.aborted) return
    const again = await tell(due)
    const lease = { id: due.id, until }
    // What nobody has is forgotten once the partner knows, or nobody tries any more.
    if (again === null && due.wanted === 'released') await store.remove(deps.db, { accountId }, lease)
    else await store.postpone(deps.db, { accountId }, lease, { dueAt: again, now: deps.clock.now() })
  }
}

/** Answers when the partner is to be told again; null for never. */
function tellerOf(deps: Deps, accountId: AccountId) {
  const { scope, partner } = serviceMeans(deps, {
    accountId,
    service: { id: 'promotions', name: 'Promotions' },
    timeoutMs: TIMEOUT_MS,
  })
  return async ({ id, wanted, attempts }: store.Due): Promise<string | null> => {
    const verb = wanted === 'released' ? 'release' : 'confirm'
    try {
      const { client, key } = await placeAtPartner({ deps, scope, partner }, 'marketing')
      await partner.call((forward) =>
        client.ask({ method: 'POST', path: pathOf('v1', 'redemptions', id, verb), key }, forward),
      )
      return null
    } catch (error) {
      // It never heard of what it was asked for: there is nothing to give back.
      if (wanted === 'released' && error instanceof ApiError && error.status === 404) return null
      const again = isFinal(error) ? null : nextAttempt(deps.clock.now(), attempts)
      deps.log.warn(
        { err: error, promotion: id, attempt: attempts },
        'the marketing partner was not told how a sale ended',
      )
      return again
    }
  }
}

/** What the partner refuses for what it says is refused tomorrow as well. */
const isFinal = (error: unknown) =>
  error instanceof ApiError && [400, 404, 409, 413, 422].includes(error.status)
