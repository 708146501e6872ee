import { type Static, Type } from 'typebox'
import { CURRENCIES, TIERS } from '../../../core/plans.ts'
import { Id, Instant, Nullable, Words } from '../../../platform/http/shapes.ts'

const Price = Type.Integer({ minimum: 0, description: 'Of 30 days, in whole units of the currency' })
const Limit = Nullable(Type.Integer({ minimum: 0, description: 'null is no limit' }))

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
    tier: Words(TIERS, { description: 'What was paid for last; `effectiveTier` is what holds' }),
    status: Words(STATUSES, {
      description:
        'free without a payment ever; active until three days after the end of the period; canceled by hand, and then good until that end; lapsed when it ran out',
    }),
    currency: Nullable(Words(CURRENCIES)),
    currentPeriodEnd: Nullable(Instant),
    cancelAtPeriodEnd: Type.Boolean(),
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
        description: 'Without it the country of the visitor decides: rupiah in Indonesia',
      }),
    ),
  },
  { title: 'BillingCheckout' },
)

export const Checkout = Type.Object({
  sessionId: Type.String({ description: 'The session of the payment partner' }),
  hostedUrl: Type.String({ format: 'uri', description: 'The page where the plan is paid' }),
  tier: Words(TIERS),
  currency: Words(CURRENCIES),
  amount: Price,
  // Without a title: an instant is no record whose fields a request could send back.
  expiresAt: Type.String({ format: 'date-time' }),
})

export type PlanTier = Static<typeof PlanTier>
export type BillingSubscription = Static<typeof BillingSubscription>
export type Billing = Static<typeof Billing>
export type CheckoutIn = Static<typeof CheckoutIn>
export type Checkout = Static<typeof Checkout>
