import { type Static, Type } from 'typebox'
import {
  Amount,
  FreeText,
  Id,
  Instant,
  Nullable,
  Text,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'

const Settable = {
  enabled: Type.Boolean(),
  delayHours: Type.Integer({
    minimum: 1,
    maximum: 168,
    description: 'Hours without a change after which the customer is reminded',
  }),
  emailSubject: Text(200),
  emailPreview: Text(200),
  discountCodeId: FreeText(64),
  marketingCampaignId: FreeText(64),
}

export const CartPatch = Type.Partial(Type.Object(Settable), { title: 'AbandonedCartUpdate' })
export const Cart = Type.Object(
  {
    ...Settable,
    createdAt: Nullable(Instant),
    updatedAt: Nullable(Type.String({ ...Instant, description: 'Null until it is first changed' })),
  },
  { title: 'AbandonedCart' },
)

export const REMINDER_STATUSES = ['scheduled', 'sent', 'recovered', 'failed'] as const
export const Reminder = Type.Object(
  {
    id: Id,
    transactionId: Type.String({ description: 'The bill' }),
    customerId: Id,
    email: Nullable(Type.String({ description: 'The address of the customer; null after it is removed' })),
    cartTotal: Amount,
    status: Words(REMINDER_STATUSES, {
      description:
        'recovered: the bill was paid after the reminder was sent; failed: the reminder could not be sent',
    }),
    scheduledAt: Instant,
    sentAt: Nullable(Instant),
    ...Timestamps,
  },
  { title: 'CartReminder' },
)

const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 50 })
export const ReminderQuery = Type.Object({ limit: Type.Optional(Limit) as unknown as typeof Limit })

const Window = Type.Integer({ minimum: 1, maximum: 365, default: 30 })
export const StatsQuery = Type.Object({ windowDays: Type.Optional(Window) as unknown as typeof Window })
export const CartStats = Type.Object(
  {
    windowDays: Type.Integer(),
    sent: Type.Integer({ description: 'Reminders sent in these days' }),
    recovered: Type.Integer({ description: 'The number of their bills that were paid afterwards' }),
    recoveryRateBps: Type.Integer({
      description: 'recovered / sent in hundredths of a percent, rounded down',
    }),
    recoveredRevenue: Type.Integer({
      ...Amount,
      description: 'Revenue of those bills after refunds and voids',
    }),
  },
  { title: 'AbandonedCartStats' },
)

export type CartPatch = Static<typeof CartPatch>
export type Cart = Static<typeof Cart>
export type Reminder = Static<typeof Reminder>
export type CartStats = Static<typeof CartStats>
