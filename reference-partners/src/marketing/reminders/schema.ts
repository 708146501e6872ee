import { Nullable, Text, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'

export const STATUSES = ['queued', 'sent', 'unsubscribed'] as const

export const ReminderCreate = Type.Object(
  {
    reference: Type.String({ minLength: 1, maxLength: 64, description: 'The merchant’s own name for it' }),
    to: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@<>,;:"()]+@[^\\s@<>,;:"()]+$' }),
      name: Type.Optional(Nullable(Type.String({ maxLength: 120 }))),
    }),
    subject: Text(200),
    preview: Type.Optional(Nullable(Text(200))),
    cart: Type.Object({
      total: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description: 'Whole rupiah' }),
      items: Type.Array(
        Type.Object({ name: Type.String({ maxLength: 250 }), quantity: Type.Integer({ minimum: 1 }) }),
        { maxItems: 100 },
      ),
    }),
    discountCode: Type.Optional(Nullable(Text(64))),
  },
  { title: 'ReminderCreate' },
)
export const Reminder = Type.Object(
  {
    id: Type.String(),
    reference: Type.String(),
    status: Words(STATUSES, {
      description:
        'queued until the mail is handed over; unsubscribed: its reader wants none, so none was sent',
    }),
    createdAt: Type.String(),
  },
  { title: 'Reminder' },
)
export type ReminderCreate = Static<typeof ReminderCreate>
export type Reminder = Static<typeof Reminder>
