/**
 * Plans and their caps (B-plan-1, B-plan-3); null means none. A till never stops selling: sales, shifts and stock
 * have no cap.
 */
export const TIERS = ['free', 'starter', 'growth', 'business'] as const
export type Tier = (typeof TIERS)[number]

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

export type Cap = keyof (typeof CAPS)['free']
