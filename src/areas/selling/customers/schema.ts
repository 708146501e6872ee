import { type Static, Type } from 'typebox'
import {
  FreeText,
  Id,
  Instant,
  Nullable,
  Search,
  Text,
  Timestamps,
  WholeQuery,
  Words,
} from '../../../platform/http/shapes.ts'

const GroupIds = Type.Array(Id, {
  maxItems: 50,
  description: 'Customer groups. Managers, owners and API keys of theirs set them',
})
const Settable = {
  phone: FreeText(40),
  email: Nullable(Type.String({ format: 'email', maxLength: 200 })),
  note: FreeText(500),
}
/** The most that a customer may owe; rupiah. */
const CreditLimit = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description:
    'The most that the customer may owe, in whole rupiah. Managers, owners and API keys of theirs set it',
})

export const CustomerIn = Type.Object(
  {
    name: Text(120),
    ...Type.Partial(Type.Object({ ...Settable, groupIds: GroupIds, creditLimit: CreditLimit })).properties,
  },
  { title: 'CustomerCreate' },
)
export const CustomerPatch = Type.Partial(
  Type.Object({ name: Text(120), ...Settable, groupIds: GroupIds, creditLimit: CreditLimit }),
  {
    title: 'CustomerUpdate',
  },
)
export const Customer = Type.Object(
  {
    id: Id,
    name: Text(120),
    phone: FreeText(40),
    email: Nullable(Type.String({ maxLength: 200 })),
    note: FreeText(500),
    isActive: Type.Boolean({ description: 'False after the personal data was erased' }),
    pointsBalance: Type.Integer({
      description: 'Can be negative after a refund took back points that were already spent',
    }),
    totalSpent: Type.Integer({ description: 'Total of completed sales minus refunds, in whole rupiah' }),
    visitCount: Type.Integer({ description: 'Completed sales' }),
    lastVisitAt: Nullable(Instant),
    groupIds: GroupIds,
    creditLimit: CreditLimit,
    creditBalance: Type.Integer({ description: 'What the customer owes, in whole rupiah' }),
    ...Timestamps,
  },
  { title: 'Customer' },
)
export const CustomerWarning = Type.Object(
  {
    code: Words(['PHONE_NOT_PLAUSIBLE']),
    field: Type.String({ description: 'The field of the request' }),
    message: Type.String(),
  },
  { title: 'CustomerWarning' },
)
export const CustomerQuery = Type.Object({ q: Search, ...WholeQuery })

export const LOYALTY_TYPES = ['EARN', 'REDEEM', 'ADJUST', 'REVERSE'] as const
export const LoyaltyEntry = Type.Object(
  {
    id: Id,
    customerId: Id,
    type: Words(LOYALTY_TYPES),
    points: Type.Integer({ description: 'Signed' }),
    balanceAfter: Type.Integer(),
    transactionId: Nullable(Id),
    refundId: Nullable(Id),
    reason: FreeText(200),
    actorId: Id,
    ...Timestamps,
  },
  { title: 'LoyaltyEntry' },
)
export const Loyalty = Type.Object({
  balance: Type.Integer({ description: 'Points' }),
  entries: Type.Array(LoyaltyEntry),
})

export const LoyaltyQuery = Type.Object(WholeQuery)

const MAX_POINTS = 1_000_000_000
export const PointsAdjustmentIn = Type.Object(
  {
    points: Type.Integer({ minimum: -MAX_POINTS, maximum: MAX_POINTS }),
    reason: Type.Optional(FreeText(200)),
  },
  { title: 'LoyaltyAdjust' },
)
export const RedeemIn = Type.Object(
  { points: Type.Integer({ minimum: 1, maximum: MAX_POINTS }) },
  { title: 'LoyaltyRedeem' },
)

export type CustomerIn = Static<typeof CustomerIn>
export type CustomerPatch = Static<typeof CustomerPatch>
export type Customer = Static<typeof Customer>
export type CustomerWarning = Static<typeof CustomerWarning>
export type LoyaltyEntry = Static<typeof LoyaltyEntry>
export type PointsAdjustmentIn = Static<typeof PointsAdjustmentIn>
