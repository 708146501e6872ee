import { type Static, Type } from 'typebox'

/** What a notice must have to be one; partners may add to it (B-notice-3). */
export const Notice = Type.Object(
  {
    type: Type.String({ minLength: 1, maxLength: 200 }),
    data: Type.Record(Type.String(), Type.Unknown()),
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

export type Notice = Static<typeof Notice>
export type Session = Static<typeof Session>
