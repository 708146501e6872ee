import { type Static, Type } from 'typebox'

/** A notice as partners of our protocol send it; one that speaks its own has other fields (B-notice-3). */
export const Notice = Type.Object(
  {
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    order_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Of Midtrans or Biteship, which is asked for all else about it',
      }),
    ),
    event: Type.Optional(Type.String({ maxLength: 100, description: 'Of Biteship' })),
  },
  { title: 'PartnerNotice' },
)

/** The part of a checkout session that is used of it. */
export const Session = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  amount: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
  currency: Type.String({ maxLength: 10 }),
  metadata: Type.Record(Type.String(), Type.Unknown()),
})

export type Session = Static<typeof Session>
