import { type Static, Type } from 'typebox'
import { CURRENCIES, TIERS } from '../../../core/plans.ts'
import { Id, Instant, Nullable, Words } from '../../../platform/http/shapes.ts'

const Price = Type.Integer({ minimum: 0, description: 'Price for 30 days, in whole units of the currency' })
const Limit = Nullable(Type.Integer({ minimum: 0, description: 'Null means no limit' }))

export const PlanTier = Type.Object(
  {
    tier: Words(TIERS),
    name: Type.String(),
    prices: Type.Object({ IDR: Price, USD: Price }),
    caps: Type.Object({
      outlets: Limit,
      products: Limit,
      members: Limit,
      tables: Limit,
      apiKeys: Limit,
      webhookSubscriptions: Limit,
    }),
    modulesAllowed: Type.Boolean(),
  },
  { title: 'PlanTier' },
)

export const STATUSES = ['free', 'active', 'canceled', 'lapsed'] as const
export const BillingSubscription = Type.Object(
  {
    id: Nullable(Id),
    tier: Words(TIERS, {
      description: 'The plan of the current or last period. `effectiveTier` is the plan that applies now',
    }),
    status: Words(STATUSES, {
      description:
        'free: never paid; active: until three days after the end of the period; canceled: by a user, valid until the end of the period; lapsed: expired',
    }),
    currency: Nullable(Words(CURRENCIES)),
    currentPeriodEnd: Nullable(Instant),
    cancelAtPeriodEnd: Type.Boolean(),
    following: Type.Array(Type.Object({ tier: Words(TIERS), currentPeriodEnd: Instant }), {
      description:
        'Lower plans that are already paid. They begin one after another when the current period ends',
    }),
    createdAt: Nullable(Instant),
    updatedAt: Nullable(Instant),
  },
  { title: 'BillingSubscription' },
)

export const Billing = Type.Object(
  {
    subscription: BillingSubscription,
    effectiveTier: Words(TIERS),
    tiers: Type.Array(PlanTier),
  },
  { title: 'Billing' },
)

export const CheckoutIn = Type.Object(
  {
    tier: Words(TIERS),
    currency: Type.Optional(
      Words(CURRENCIES, {
        description: 'The default is USD for a visitor outside Indonesia, otherwise IDR',
      }),
    ),
  },
  { title: 'BillingCheckout' },
)

export const Checkout = Type.Object({
  sessionId: Type.String({ description: 'The id of the session at the payment partner' }),
  hostedUrl: Type.String({ format: 'uri', description: 'The page where the plan is paid' }),
  tier: Words(TIERS),
  currency: Words(CURRENCIES),
  amount: Price,
  // No title: clients need no separate type for this instant.
  expiresAt: Type.String({ format: 'date-time' }),
})

export type PlanTier = Static<typeof PlanTier>
export type BillingSubscription = Static<typeof BillingSubscription>
export type Billing = Static<typeof Billing>
export type CheckoutIn = Static<typeof CheckoutIn>
export type Checkout = Static<typeof Checkout>
