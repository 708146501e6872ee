import { type Static, Type } from 'typebox'

/** A notice in our protocol. A partner with its own protocol sends other fields (B-notice-3). */
export const Notice = Type.Object(
  {
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    order_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Sent by Midtrans or Biteship; the service requests the other fields from them',
      }),
    ),
    event: Type.Optional(Type.String({ maxLength: 100, description: 'Of Biteship' })),
  },
  { title: 'PartnerNotice' },
)

/** The fields of a checkout session that the service uses. */
export const NoticeSession = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  amount: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
  currency: Type.String({ maxLength: 10 }),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  paidAt: Type.Optional(Type.Unknown()),
})

export type NoticeSession = Static<typeof NoticeSession>
