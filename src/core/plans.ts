import { addMs } from './time.ts'

/**
 * Plans and their caps (B-plan-1, B-plan-3); null means none. A till never stops selling: sales, shifts and stock
 * have no cap.
 */
export const TIERS = ['free', 'starter', 'growth', 'business'] as const
export type Tier = (typeof TIERS)[number]
export type PaidTier = Exclude<Tier, 'free'>
export const PAID_TIERS = ['starter', 'growth', 'business'] as const satisfies readonly PaidTier[]
export const CURRENCIES = ['IDR', 'USD'] as const
export type Currency = (typeof CURRENCIES)[number]

/** What 30 days of a plan cost, in whole rupiah and whole dollars (B-billing-1). */
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

/** Modules belong to every paid plan, and to no free one (B-module-2). */
export const includesModules = (tier: Tier): boolean => tier !== 'free'

const DAY_MS = 24 * 3_600_000
const PERIOD_MS = 30 * DAY_MS
/** A shop that pays a little late keeps what it had; one that canceled has said that it will not. */
const GRACE_MS = 3 * DAY_MS

/** What a workspace has paid for. */
export type Paid = { tier: PaidTier; status: 'active' | 'canceled'; currentPeriodEnd: string }

/** The instant at which the plan ends for good (B-billing-4). */
export const lapseOf = ({ status, currentPeriodEnd }: Omit<Paid, 'tier'>): string =>
  status === 'canceled' ? currentPeriodEnd : addMs(currentPeriodEnd, GRACE_MS)

/** The end of the period that a payment for `tier` at `now` buys: behind what is left of the same plan, else from now on. */
export const periodBought = (before: Paid | undefined, tier: PaidTier, now: string): string =>
  addMs(before?.tier === tier && before.currentPeriodEnd > now ? before.currentPeriodEnd : now, PERIOD_MS)

/** The better of what is paid for and what every workspace of the installation has (`DEFAULT_TIER`). */
export function effectiveTier(defaultTier: Tier, paid: Paid | undefined, now: string): Tier {
  const tier = paid && now < lapseOf(paid) ? paid.tier : 'free'
  return TIERS.indexOf(tier) > TIERS.indexOf(defaultTier) ? tier : defaultTier
}

export type Cap = keyof (typeof CAPS)['free']
