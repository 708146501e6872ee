import { addMs } from './time.ts'

/**
 * Plans and their caps (B-plan-1, B-plan-3); null means no cap. A till never stops selling: sales, shifts and stock
 * have no cap.
 */
export const TIERS = ['free', 'starter', 'growth', 'business'] as const
export type Tier = (typeof TIERS)[number]
export type PaidTier = Exclude<Tier, 'free'>
export const CURRENCIES = ['IDR', 'USD'] as const
export type Currency = (typeof CURRENCIES)[number]

/** The price of 30 days of a plan, in whole rupiah and whole dollars (B-billing-1). */
export const PLANS = {
  free: { name: 'Free', prices: { IDR: 0, USD: 0 } },
  starter: { name: 'Starter', prices: { IDR: 99_000, USD: 7 } },
  growth: { name: 'Growth', prices: { IDR: 199_000, USD: 13 } },
  business: { name: 'Business', prices: { IDR: 449_000, USD: 29 } },
} as const satisfies Record<Tier, { name: string; prices: Record<Currency, number> }>

export const CAPS = {
  free: { outlets: 3, products: 200, members: 3, tables: 100, apiKeys: 5, webhookSubscriptions: 5 },
  starter: { outlets: 5, products: 2_000, members: 10, tables: 300, apiKeys: 10, webhookSubscriptions: 10 },
  growth: {
    outlets: 20,
    products: 20_000,
    members: 50,
    tables: 1_000,
    apiKeys: 25,
    webhookSubscriptions: 25,
  },
  business: {
    outlets: null,
    products: null,
    members: null,
    tables: null,
    apiKeys: 100,
    webhookSubscriptions: 100,
  },
} as const satisfies Record<Tier, Record<string, number | null>>

/** Every paid plan includes the modules; the free plan does not (B-module-2). */
export const includesModules = (tier: Tier): boolean => tier !== 'free'

const DAY_MS = 24 * 3_600_000
const PERIOD_MS = 30 * DAY_MS
/** A shop that pays a little late keeps its plan meanwhile; a canceled plan has no such grace period. */
const GRACE_MS = 3 * DAY_MS

/** A paid period; it begins when the previous one ends. */
export type PlanPeriod = { tier: PaidTier; currentPeriodEnd: string }

/** The periods that a workspace has paid for: the current one and the following ones. */
export type PaidPlan = PlanPeriod & { status: 'active' | 'canceled'; following: readonly PlanPeriod[] }

/** The instant at which the plan finally ends (B-billing-4). */
export function lapseOf({ status, currentPeriodEnd, following }: Omit<PaidPlan, 'tier'>): string {
  const end = following.at(-1)?.currentPeriodEnd ?? currentPeriodEnd
  return status === 'canceled' ? end : addMs(end, GRACE_MS)
}

/** The period that contains `now`, or else the last one, with the periods that follow it. */
export function periodAt(
  { tier, currentPeriodEnd, following }: PlanPeriod & Pick<PaidPlan, 'following'>,
  now: string,
): PlanPeriod & { following: readonly PlanPeriod[] } {
  const [next, ...rest] = following
  return next === undefined || currentPeriodEnd > now
    ? { tier, currentPeriodEnd, following }
    : periodAt({ ...next, following: rest }, now)
}

const rankOf = (tier: Tier) => TIERS.indexOf(tier)
const later = ({ tier, currentPeriodEnd }: PlanPeriod): PlanPeriod => ({
  tier,
  currentPeriodEnd: addMs(currentPeriodEnd, PERIOD_MS),
})

/**
 * The periods after another 30 days of `tier` are paid: an upgrade begins immediately, a downgrade waits
 * (B-billing-3).
 */
function withPayment(
  periods: readonly PlanPeriod[],
  { tier, createdAt }: Pick<Payment, 'tier' | 'createdAt'>,
): PlanPeriod[] {
  const running = periods.filter(({ currentPeriodEnd }) => currentPeriodEnd > createdAt)
  const asGood = running.filter((period) => rankOf(period.tier) >= rankOf(tier))
  const lesser = running.filter((period) => rankOf(period.tier) < rankOf(tier))
  const last = asGood.at(-1)
  const better = last?.tier === tier ? asGood.slice(0, -1) : asGood
  const bought = { tier, currentPeriodEnd: addMs(last?.currentPeriodEnd ?? createdAt, PERIOD_MS) }
  return last === undefined ? [bought] : [...better, bought, ...lesser.map(later)]
}

type Payment = { tier: PaidTier; paidAt: string; createdAt: string }

/** Sorts payments by payment time, however late each was reported. */
export const inPaymentOrder = <P extends Payment>(payments: readonly P[]): P[] =>
  payments.toSorted((a, b) => `${a.paidAt} ${a.createdAt}`.localeCompare(`${b.paidAt} ${b.createdAt}`))

/**
 * The periods that payments have bought. `payments` are in order of payment time. A period begins when its payment is
 * reported (`createdAt`), so a late notice costs no days.
 */
export const periodsBought = (payments: readonly Pick<Payment, 'tier' | 'createdAt'>[]): PlanPeriod[] =>
  payments.reduce<PlanPeriod[]>(withPayment, [])

/** The higher of the paid plan and the installation's default (`DEFAULT_TIER`). */
export function effectiveTier(defaultTier: Tier, paid: PaidPlan | undefined, now: string): Tier {
  const tier = paid && now < lapseOf(paid) ? periodAt(paid, now).tier : 'free'
  return rankOf(tier) > rankOf(defaultTier) ? tier : defaultTier
}

export type Cap = keyof (typeof CAPS)['free']
