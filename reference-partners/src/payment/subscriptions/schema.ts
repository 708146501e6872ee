import { Id, Instant, Nullable, PageQuery, Timestamps, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'

export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'canceled'] as const

export const Subscription = Type.Object(
  {
    id: Type.String(),
    customerId: Type.String(),
    priceId: Type.String(),
    status: Words(SUBSCRIPTION_STATUSES),
    currentPeriodStart: Instant,
    currentPeriodEnd: Instant,
    cancelAtPeriodEnd: Type.Boolean(),
    canceledAt: Nullable(Instant),
    latestInvoiceId: Type.String({ description: 'A checkout session with this `invoiceId` pays it' }),
    ...Timestamps,
  },
  { title: 'Subscription' },
)
export type Subscription = Static<typeof Subscription>

export const SubscriptionCreate = Type.Object(
  { customerId: Id, priceId: Id },
  { title: 'SubscriptionCreate' },
)
export const SubscriptionPatch = Type.Object(
  {
    priceId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'From the next period on' }),
    ),
    cancelAtPeriodEnd: Type.Optional(Type.Boolean()),
  },
  { title: 'SubscriptionPatch' },
)
export const SubscriptionCancel = Type.Object(
  { atPeriodEnd: Type.Optional(Type.Boolean({ default: false })) },
  { title: 'SubscriptionCancel' },
)
export const SubscriptionQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(Words(SUBSCRIPTION_STATUSES)),
  customerId: Type.Optional(Id),
})
