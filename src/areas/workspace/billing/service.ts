import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError, invalid } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import {
  CAPS,
  CURRENCIES,
  type Currency,
  effectiveTier,
  includesModules,
  lapseOf,
  PAID_TIERS,
  type PaidTier,
  PLANS,
  periodBought,
  TIERS,
} from '../../../core/plans.ts'
import { parseInstant } from '../../../core/time.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import { type Db, inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Partner } from '../../../platform/http/partner.ts'
import { emit } from '../../../platform/outbox.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import { requirePartner } from '../../../platform/partners/partners.ts'
import { type Scope, scopeFor } from '../../../platform/scope.ts'
import { subscriptionChanged } from './events.ts'
import type { Billing, BillingSubscription, Checkout, CheckoutIn, PlanTier } from './schema.ts'
import * as store from './store.ts'

/** Every plan with what it costs and what it includes, from one table. */
export const plans = (): PlanTier[] =>
  TIERS.map((tier) => ({
    tier,
    ...PLANS[tier],
    caps: CAPS[tier],
    modulesAllowed: includesModules(tier),
  }))

const NEVER_PAID: BillingSubscription = {
  id: null,
  tier: 'free',
  status: 'free',
  currency: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  createdAt: null,
  updatedAt: null,
}

function shown(row: store.SubscriptionRow | undefined, now: string): BillingSubscription {
  if (!row) return NEVER_PAID
  const { lapsesAt: _lapsesAt, ...rest } = row
  const isLapsed = row.status === 'active' && lapseOf(row) <= now
  return {
    ...rest,
    status: isLapsed ? 'lapsed' : row.status,
    cancelAtPeriodEnd: row.status === 'canceled',
  }
}

const stateOf = ({ defaultTier, now }: Scope, row: store.SubscriptionRow | undefined) => ({
  subscription: shown(row, now),
  effectiveTier: effectiveTier(defaultTier, row, now),
})

export async function getBilling(db: Db, scope: Scope): Promise<Billing> {
  return { ...stateOf(scope, await store.find(db, scope)), tiers: plans() }
}

const Session = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  hostedUrl: Type.String({ minLength: 1, maxLength: 2000, pattern: '^https?://' }),
  expiresAt: Type.String({ maxLength: 40 }),
})

type Means = { deps: Pick<Deps, 'partners'>; scope: Scope; partner: Partner }

/**
 * A page of the payment partner where 30 days of a plan are paid. Nothing is written here: the plan begins when the partner
 * says that it was paid (B-billing-2). `country` is what the edge says of the visitor.
 */
export async function checkout(
  { deps, scope, partner }: Means,
  { tier, currency: wanted }: CheckoutIn,
  country: string | undefined,
): Promise<Checkout> {
  if (tier === 'free') {
    throw invalid('tier', 'Nothing is to be paid for the free plan; cancel to leave a paid one')
  }
  const currency = wanted ?? (country === undefined || country.toUpperCase() === 'ID' ? 'IDR' : 'USD')
  const amount = PLANS[tier].prices[currency]
  const client = requirePartner(deps.partners, 'payment')
  const { data } = await partner.call((forward) =>
    client.ask(
      {
        method: 'POST',
        path: pathOf('v1', 'checkout-sessions'),
        key: client.platformKey,
        body: {
          amount,
          currency,
          method: 'hosted',
          description: `Kasir ${PLANS[tier].name}, 30 days`,
          metadata: { accountId: scope.accountId, tier },
        },
      },
      forward,
    ),
  )
  const expiresAt = Check(Session, data) ? parseInstant((data as Static<typeof Session>).expiresAt) : null
  if (expiresAt === null) {
    throw new ApiError('PARTNER_ERROR', 'The payment partner opened no page to pay on; try again later')
  }
  const { id, hostedUrl } = data as Static<typeof Session>
  return { sessionId: id, hostedUrl, tier, currency, amount, expiresAt }
}

/** Ends the plan with the period that is paid for; without one that is still good, nothing changes (B-billing-4). */
export async function cancel(tx: Tx, scope: Scope): Promise<Billing> {
  const row = await store.lock(tx, scope)
  if (row?.status === 'active' && lapseOf(row) > scope.now) {
    const { tier, currency, currentPeriodEnd } = row
    await store.save(tx, scope, { tier, currency, currentPeriodEnd, status: 'canceled' })
    await announce(tx, scope)
  }
  return getBilling(tx, scope)
}

async function announce(tx: Tx, scope: Scope) {
  const row = await store.find(tx, scope)
  if (row) await emit(tx, scope, subscriptionChanged, row.id, stateOf(scope, row))
}

/** A checkout session of the installation itself that was paid, as the partner's notice tells it. */
export type PlanPaid = { sessionId: string; tier: PaidTier; currency: Currency; amount: number }

/** What a notice says was paid for; null when it names no plan that can be. */
export function planIn(session: {
  id: string
  amount: number
  currency: string
  metadata: Readonly<Record<string, unknown>>
}): PlanPaid | null {
  const tier = PAID_TIERS.find((one) => one === session.metadata['tier'])
  const currency = CURRENCIES.find((one) => one === session.currency)
  if (tier === undefined || currency === undefined) return null
  return { sessionId: session.id, tier, currency, amount: session.amount }
}

/** Begins or extends the plan that was paid for, once for each checkout session (B-billing-3). */
export async function applyPlan(tx: Tx, scope: Scope, { sessionId, tier, currency, amount }: PlanPaid) {
  const before = await store.lock(tx, scope)
  const currentPeriodEnd = periodBought(before, tier, scope.now)
  const paid = { sessionId, tier, currency, amount, periodEnd: currentPeriodEnd }
  if (!(await store.insertPayment(tx, scope, paid))) return
  await store.save(tx, scope, { tier, currency, status: 'active', currentPeriodEnd })
  await announce(tx, scope)
}

/** Plans announced as ended in one run; more wait for the next. */
const LAPSES = 500

/** Announces plans that ran out. What holds is read from the clock at every request, whether this has run or not. */
export async function announceLapses({ db, clock, config }: Deps, stop?: AbortSignal): Promise<void> {
  const now = clock.now()
  for (const { accountId } of await store.listLapsed(db, now, LAPSES)) {
    if (stop?.aborted) return
    const actor = { kind: 'service', id: 'billing', name: 'Billing', role: 'OWNER', readOnly: false } as const
    const scope = scopeFor(
      { accountId: foundAccountId(accountId), actor },
      { defaultTier: config.defaultTier, requestId: newId('request'), address: null, now },
    )
    await inTx(db, async (tx) => {
      await store.lock(tx, scope)
      if (await store.endLapse(tx, scope)) await announce(tx, scope)
    })
  }
}

export const hasLapses = async ({ db, clock }: Deps): Promise<boolean> =>
  (await store.listLapsed(db, clock.now(), 1)).length > 0
