import { type Static, Type } from 'typebox'
import {
  FreeText,
  Id,
  Instant,
  Nullable,
  Text,
  Timestamps,
  WholeQuery,
  Words,
} from '../../../platform/http/shapes.ts'

export const REWARD_TYPES = ['percent', 'fixed', 'shipping_percent', 'shipping_fixed'] as const
export const ATTRIBUTION_STATUSES = ['pending', 'rewarded', 'rejected', 'expired'] as const

/** Whole rupiah or dollars, or a percentage. */
const Value = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const Required = {
  rewardType: Words(REWARD_TYPES, {
    description: 'Part of the goods, an amount, part of the delivery fee, or an amount off the delivery fee',
  }),
  referrerValue: Value,
  refereeValue: Value,
  currency: Type.String({ minLength: 1, maxLength: 8, description: 'IDR or USD' }),
}
const Optional = {
  enabled: Type.Boolean(),
  minPurchaseAmount: Nullable(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Rupiah; a smaller sale earns nothing' }),
  ),
  rewardExpiryDays: Type.Integer({ minimum: 1, maximum: 365 }),
  attributionWindowDays: Type.Integer({
    minimum: 1,
    maximum: 180,
    description: 'How long after a link was made, or last followed, a sale counts',
  }),
  maxRewardsPerReferrer: Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  programTerms: FreeText(10_000),
  landingUrl: Nullable(
    Type.String({
      maxLength: 600,
      pattern: '^([hH][tT][tT][pP][sS]?://[^\\s/?#]\\S*)?$',
      description:
        'Where a link leads; `{code}` in it is replaced. Without it to the site that `productUrl` of the feeds is on',
    }),
  ),
  marketingCampaignId: FreeText(64),
}

export const ProgramIn = Type.Object(
  { ...Required, ...Type.Partial(Type.Object(Optional)).properties },
  { title: 'ReferralProgramReplace' },
)
export const Program = Type.Object(
  { ...Required, ...Optional, createdAt: Nullable(Instant), updatedAt: Nullable(Instant) },
  { title: 'ReferralProgram' },
)

export const Link = Type.Object(
  {
    id: Id,
    customerId: Id,
    code: Text(8),
    url: Type.String({ description: 'To be given to friends: counts and leads to the shop' }),
    clicks: Type.Integer({ minimum: 0 }),
    conversions: Type.Integer({ minimum: 0, description: 'Sales that named the code and were not rejected' }),
    ...Timestamps,
  },
  { title: 'ReferralLink' },
)
export const Attribution = Type.Object(
  {
    id: Id,
    linkId: Id,
    transactionId: Type.String({ description: 'The sale that named the code' }),
    status: Words(ATTRIBUTION_STATUSES, {
      description:
        'pending until the referrer uses the reward (rewarded) or it is too late (expired); rejected when the sale was too small, one too many, voided or refunded',
    }),
    referrerReward: Type.Integer({ minimum: 0 }),
    refereeReward: Type.Integer({ minimum: 0 }),
    currency: Type.String({ description: 'Of both rewards' }),
    ...Timestamps,
  },
  { title: 'ReferralAttribution' },
)
export const WholeList = Type.Object(WholeQuery)
export const Stats = Type.Object(
  {
    links: Type.Integer(),
    clicks: Type.Integer(),
    conversions: Type.Integer(),
    rewardsIssued: Type.Integer({ description: 'Rewards that were used' }),
    revenue: Type.Integer({ description: 'Rupiah that the conversions brought, after refunds' }),
  },
  { title: 'ReferralStats' },
)

export type ProgramIn = Static<typeof ProgramIn>
export type Program = Static<typeof Program>
export type Link = Static<typeof Link>
export type Attribution = Static<typeof Attribution>
export type Stats = Static<typeof Stats>
