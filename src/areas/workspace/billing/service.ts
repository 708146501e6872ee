import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { assert } from '../../../core/assert.ts'
import { ApiError, invalid } from '../../../core/errors.ts'
import { newId, newUlid } from '../../../core/ids.ts'
import {
  CAPS,
  effectiveTier,
  includesModules,
  inPaymentOrder,
  lapseOf,
  PLANS,
  type PlanPeriod,
  periodAt,
  periodsBought,
  TIERS,
} from '../../../core/plans.ts'
import { parseInstant } from '../../../core/time.ts'
import { foundAccountId } from '../../../platform/auth/tokens.ts'
import { type Db, inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Partner } from '../../../platform/http/partner.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import { type Forward, keyed, keyedFor } from '../../../platform/partners/forward.ts'
import { requirePartner } from '../../../platform/partners/partners.ts'
import { type Scope, scopeFor } from '../../../platform/scope.ts'
import { subscriptionChanged } from './events.ts'
import { nextCheck } from './rules.ts'
import type { Billing, BillingSubscription, Checkout, CheckoutIn, PlanTier } from './schema.ts'
import * as store from './store.ts'

/** Returns all plans with prices and features, from one table. */
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
  following: [],
  createdAt: null,
  updatedAt: null,
}

function toBillingSubscription(row: store.PlanSubscriptionRow | undefined, now: string): BillingSubscription {
  if (!row) return NEVER_PAID
  const { lapsesAt: _lapsesAt, canceledAt: _canceledAt, ...rest } = row
  const { following, ...period } = periodAt(row, now)
  const isLapsed = row.status === 'active' && lapseOf(row) <= now
  return {
    ...rest,
    ...period,
    following: [...following],
    status: isLapsed ? 'lapsed' : row.status,
    cancelAtPeriodEnd: row.status === 'canceled',
  }
}

const stateOf = ({ defaultTier, now }: Scope, row: store.PlanSubscriptionRow | undefined) => ({
  subscription: toBillingSubscription(row, now),
  effectiveTier: effectiveTier(defaultTier, row, now),
})

export async function getBilling(db: Db, scope: Scope): Promise<Billing> {
  return { ...stateOf(scope, await store.find(db, scope)), tiers: plans() }
}

const CheckoutSession = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  hostedUrl: Type.String({ minLength: 1, maxLength: 2000, pattern: '^https?://' }),
  expiresAt: Type.String({ maxLength: 40 }),
  status: Type.Optional(Type.String()),
})
type CheckoutSession = Static<typeof CheckoutSession>

const noPageError = () =>
  new ApiError('PARTNER_ERROR', 'The payment partner returned no payment page; try again later')

function sessionIn(data: unknown): CheckoutSession {
  if (!Check(CheckoutSession, data)) throw noPageError()
  const expiresAt = parseInstant((data as CheckoutSession).expiresAt)
  if (expiresAt === null) throw noPageError()
  return { ...(data as CheckoutSession), expiresAt }
}

/**
 * Returns true if a session can no longer be paid. A partner can repeat its first, outdated answer, so the stored
 * payments count too.
 */
const isOver = async (partner: Partner, scope: Scope, { id, status = 'open', expiresAt }: CheckoutSession) =>
  status !== 'open' || expiresAt <= scope.now || (await partner.read((db) => store.isPaid(db, scope, id)))

type BillingContext = { deps: Pick<Deps, 'partners'>; scope: Scope; partner: Partner }

/**
 * Opens a payment page of the partner for 30 days of a plan. Returns the write that records the price. The plan
 * begins when the partner reports the payment (B-billing-2). `country` is the country of the visitor, from the proxy.
 */
export async function checkout(
  { deps, scope, partner }: BillingContext,
  { tier, currency: wanted }: CheckoutIn,
  country: string | undefined,
): Promise<(tx: Tx) => Promise<Checkout>> {
  if (tier === 'free') {
    throw invalid('tier', 'The free plan costs nothing. To leave a paid plan, cancel it')
  }
  const currency = wanted ?? (country === undefined || country.toUpperCase() === 'ID' ? 'IDR' : 'USD')
  const amount = PLANS[tier].prices[currency]
  const client = requirePartner(deps.partners, 'payment')
  const body = {
    amount,
    currency,
    method: 'hosted',
    description: `Kasir ${PLANS[tier].name}, 30 days`,
    metadata: { accountId: scope.accountId, tier },
  }
  const open = async (keyOf: (forward: Forward) => Forward) => {
    const asked = {
      method: 'POST',
      path: pathOf('v1', 'checkout-sessions'),
      key: client.platformKey,
      body,
    } as const
    const session = sessionIn((await partner.call((forward) => client.ask(asked, keyOf(forward)))).data)
    return (await isOver(partner, scope, session)) ? null : session
  }
  // If the caller reuses a key after a month, the partner repeats a session that has ended. Then a new key opens a
  // new session.
  const session =
    (await open((forward) => keyedFor(scope.accountId, forward, body))) ??
    (await open((forward) => keyed(forward, newUlid())))
  if (session === null) throw noPageError()
  const { id, hostedUrl, expiresAt } = session
  const opened = { sessionId: id, tier, currency, amount, expiresAt }
  return async (tx) => {
    await store.insertCheckout(tx, scope, { ...opened, checkAt: nextCheck(scope.now, scope.now) })
    return { ...opened, hostedUrl }
  }
}

/** Cancels the plan at the end of its paid period. Changes nothing if no paid period is active (B-billing-4). */
export async function cancel(tx: Tx, scope: Scope): Promise<Billing> {
  const row = await store.lock(tx, scope)
  if (row?.status === 'active' && lapseOf(row) > scope.now) {
    const { currency } = row
    const period = periodAt(row, scope.now)
    await store.save(tx, scope, { ...period, currency, status: 'canceled', canceledAt: scope.now })
    await announce(tx, scope)
  }
  return getBilling(tx, scope)
}

async function announce(tx: Tx, scope: Scope) {
  const row = await store.find(tx, scope)
  if (row) await emit(tx, scope, subscriptionChanged, row.id, stateOf(scope, row))
}

/** The payment of a checkout session, as the partner reports it. */
export type PlanPayment = { sessionId: string; currency: string; amount: number; paidAt: string | null }

/**
 * Records the payment of a plan once per checkout session, and derives the plan from all payments (B-billing-3).
 * Returns the reason if a payment buys nothing, else null.
 */
export async function applyPlan(tx: Tx, scope: Scope, payment: PlanPayment): Promise<string | null> {
  const before = await store.lock(tx, scope)
  const opened = await store.findCheckout(tx, scope, payment.sessionId)
  if (!opened) return 'ignored a payment of a session that no checkout opened'
  if (payment.amount !== opened.amount || payment.currency !== opened.currency)
    return 'ignored a payment that differs from the price of the plan'
  const earlier = await store.listPayments(tx, scope)
  if (earlier.some(({ sessionId }) => sessionId === opened.sessionId)) return null
  const paidAt = payment.paidAt === null || payment.paidAt > scope.now ? scope.now : payment.paidAt
  const paid = { ...opened, paidAt, createdAt: scope.now }
  await store.insertPayment(tx, scope, paid)
  await store.setCheck(tx, scope, opened.sessionId, null)
  const payments = inPaymentOrder([...earlier, paid])
  const [current, ...following] = periodsBought(payments)
  const last = payments.at(-1)
  assert(current && last, 'a payment buys a period')
  const canceledAt = before?.canceledAt ?? null
  const isCanceled = canceledAt !== null && canceledAt > last.paidAt
  await store.save(tx, scope, {
    ...periodAt({ ...current, following }, scope.now),
    currency: last.currency,
    status: isCanceled ? 'canceled' : 'active',
    canceledAt: isCanceled ? canceledAt : null,
  })
  await announce(tx, scope)
  return null
}

/** Gives a workspace a plan without a payment, such as the demo's. Its next payment replaces it. */
export async function grantPlan(tx: Tx, scope: Scope, period: PlanPeriod) {
  await store.lock(tx, scope)
  await store.save(tx, scope, {
    ...period,
    following: [],
    currency: 'IDR',
    status: 'active',
    canceledAt: null,
  })
  await announce(tx, scope)
}

/** Plans per run; the next run continues. */
const LAPSES = 500

/**
 * Announces plans that have ended or were followed by the next one. The effective plan does not depend on this job:
 * every request computes it from the clock.
 */
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
      const row = await store.lock(tx, scope)
      if (row && row.following.length > 0 && row.currentPeriodEnd <= now) {
        const { status, currency, canceledAt } = row
        await store.save(tx, scope, { ...periodAt(row, now), status, currency, canceledAt })
        await announce(tx, scope)
      } else if (await store.endLapse(tx, scope)) await announce(tx, scope)
    })
  }
}

export const hasLapses = async ({ db, clock }: Deps): Promise<boolean> =>
  (await store.listLapsed(db, clock.now(), 1)).length > 0
