import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError } from '../../../core/errors.ts'
import { addMs, parseInstant } from '../../../core/time.ts'
import { inTx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { retrying } from '../../../platform/http/idempotency.ts'
import { serviceMeans } from '../../../platform/http/service-means.ts'
import { rateLimitWaitMs } from '../../../platform/partners/answer.ts'
import { isCircuitOpen, type PartnerClient, pathOf } from '../../../platform/partners/client.ts'
import { nextCheck } from './rules.ts'
import { applyPlan } from './service.ts'
import * as store from './store.ts'

const CheckedSession = Type.Object({
  status: Type.String({ maxLength: 40 }),
  amount: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
  currency: Type.String({ maxLength: 10 }),
  paidAt: Type.Optional(Type.Unknown()),
})

function checkedSessionIn(data: unknown): Static<typeof CheckedSession> {
  if (Check(CheckedSession, data)) return data as Static<typeof CheckedSession>
  throw new ApiError('PARTNER_ERROR', 'The payment partner returned no valid checkout session')
}

/** Checkouts per run; the next run continues. */
const PORTION = 50
const SERVICE = { id: 'billing', name: 'Billing' }

/**
 * Asks the payment partner about checkouts whose payment was not reported: the notice is lost if the service was off
 * for days (B-billing-6). Ends early if the partner is out of order, or after a 429.
 */
export async function checkCheckouts(deps: Deps, stop?: AbortSignal): Promise<void> {
  const client = deps.partners.payment
  if (client === null) return
  for (const checkout of await store.listUnreported(deps.db, deps.clock.now(), PORTION)) {
    if (stop?.aborted) return
    const { accountId, sessionId } = checkout
    const means = serviceMeans(deps, { accountId, service: SERVICE })
    try {
      await checkCheckout(deps, client, { checkout, means })
    } catch (error) {
      deps.log.warn(
        { err: error, session: sessionId },
        'could not read the checkout of a plan at the partner',
      )
      const waitMs = rateLimitWaitMs(error)
      if (waitMs !== null) {
        const again = addMs(deps.clock.now(), waitMs)
        await inTx(deps.db, (tx) => store.setCheck(tx, means.scope, sessionId, again))
        return
      }
      if (isCircuitOpen(error)) return
    }
  }
}

async function checkCheckout(
  deps: Deps,
  client: PartnerClient,
  {
    checkout: { accountId, sessionId, createdAt },
    means: { scope, partner },
  }: { checkout: store.UnreportedCheckout; means: ReturnType<typeof serviceMeans> },
) {
  // Postponed before the request, so that a failing checkout delays no other.
  await inTx(deps.db, (tx) => store.setCheck(tx, scope, sessionId, nextCheck(createdAt, scope.now)))
  const asked = {
    method: 'GET',
    path: pathOf('v1', 'checkout-sessions', sessionId),
    key: client.platformKey,
  } as const
  const { data } = await partner.call((forward) => client.ask(asked, forward))
  const { status, amount, currency, paidAt } = checkedSessionIn(data)
  if (status === 'open') return
  const payment = {
    sessionId,
    amount,
    currency,
    paidAt: typeof paidAt === 'string' ? parseInstant(paidAt) : null,
  }
  const fault = await retrying(scope, () =>
    inTx(deps.db, async (tx) => {
      const found = status === 'completed' ? await applyPlan(tx, scope, payment) : null
      await store.setCheck(tx, scope, sessionId, null)
      return found
    }),
  )
  if (fault !== null) deps.log.warn({ session: sessionId, account: accountId, amount, currency }, fault)
}

export const hasUnreported = async ({ db, clock, partners }: Deps): Promise<boolean> =>
  partners.payment !== null && (await store.listUnreported(db, clock.now(), 1)).length > 0
