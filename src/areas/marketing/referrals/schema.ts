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

/** Whole rupiah, whole dollars, or a percentage. */
const Value = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const Required = {
  rewardType: Words(REWARD_TYPES, {
    description:
      'A percentage of the goods, an amount, a percentage of the delivery fee, or an amount off the delivery fee',
  }),
  referrerValue: Value,
  refereeValue: Value,
  currency: Type.String({ minLength: 1, maxLength: 8, description: 'IDR or USD' }),
}
const Optional = {
  enabled: Type.Boolean(),
  minPurchaseAmount: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'In rupiah; a smaller sale earns no reward',
    }),
  ),
  rewardExpiryDays: Type.Integer({ minimum: 1, maximum: 365 }),
  attributionWindowDays: Type.Integer({
    minimum: 1,
    maximum: 180,
    description: 'Days after the last click on a link, or after its creation, in which a sale counts',
  }),
  maxRewardsPerReferrer: Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  programTerms: FreeText(10_000),
  landingUrl: Nullable(
    Type.String({
      maxLength: 600,
      pattern: '^([hH][tT][tT][pP][sS]?://[^\\s/?#]\\S*)?$',
      'x-form': 'a web address such as https://example.com',
      description:
        'The target of a link; the service replaces `{code}` in it. The default is the site of the feeds’ `productUrl`',
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
    url: Type.String({
      description: 'The address for friends of the customer; it counts the click and redirects to the shop',
    }),
    clicks: Type.Integer({ minimum: 0 }),
    conversions: Type.Integer({ minimum: 0, description: 'Sales with the code that were not rejected' }),
    ...Timestamps,
  },
  { title: 'ReferralLink' },
)
export const Attribution = Type.Object(
  {
    id: Id,
    linkId: Id,
    transactionId: Type.String({ description: 'The sale with the code' }),
    status: Words(ATTRIBUTION_STATUSES, {
      description:
        'pending: not used yet; rewarded: the referrer has used the reward; expired: not used in time; rejected: the sale was too small, exceeded the number of rewards, or was voided or refunded',
    }),
    referrerReward: Type.Integer({ minimum: 0 }),
    refereeReward: Type.Integer({ minimum: 0 }),
    currency: Type.String({ description: 'The currency of both rewards' }),
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
    rewardsIssued: Type.Integer({ description: 'Number of used rewards' }),
    revenue: Type.Integer({ description: 'Revenue of the conversions in rupiah, after refunds' }),
  },
  { title: 'ReferralStats' },
)

export type ProgramIn = Static<typeof ProgramIn>
export type Program = Static<typeof Program>
export type Link = Static<typeof Link>
export type Attribution = Static<typeof Attribution>
export type Stats = Static<typeof Stats>
