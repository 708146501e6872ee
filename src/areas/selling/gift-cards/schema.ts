import { type Static, Type } from 'typebox'
import {
  Amount,
  FilterId,
  FreeText,
  Id,
  Instant,
  Nullable,
  PageQuery,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'

export const CARD_KINDS = ['GIFT_CARD', 'STORE_CREDIT'] as const
export const CARD_STATUSES = ['ACTIVE', 'REDEEMED', 'VOIDED'] as const
export const CARD_ENTRY_TYPES = ['ISSUE', 'REDEEM', 'REFUND', 'VOID'] as const

export const GiftCardIn = Type.Object(
  {
    amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Whole rupiah' }),
    customerId: Type.Optional(Nullable(Id)),
    code: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description:
            '4 to 32 letters and digits, not counting dashes. If absent, the service creates a code',
        }),
      ),
    ),
    note: Type.Optional(FreeText(300)),
  },
  { title: 'GiftCardIssue' },
)
export const GiftCardQuery = Type.Object({
  ...PageQuery,
  customerId: FilterId,
  status: Type.Optional(Words(CARD_STATUSES)),
})

const Fields = {
  id: Id,
  code: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'Owners, managers and keys with write access see the whole code, and so does a request by code. Others see only **** and the last four characters',
  }),
  kind: Words(CARD_KINDS),
  initialAmount: Amount,
  balance: Amount,
  status: Words(CARD_STATUSES),
  customerId: Nullable(Id),
  note: FreeText(300),
  sourceRefundId: Nullable(Id),
  ...Timestamps,
  voidedAt: Nullable(Instant),
}
export const GiftCardEntry = Type.Object(
  {
    id: Id,
    giftCardId: Id,
    type: Words(CARD_ENTRY_TYPES),
    amount: Type.Integer({ description: 'Signed amount in whole rupiah' }),
    balanceAfter: Amount,
    transactionId: Nullable(Id),
    refundId: Nullable(Id),
    ...Timestamps,
  },
  { title: 'GiftCardEntry' },
)
export const GiftCard = Type.Object(Fields, { title: 'GiftCard' })
export const GiftCardDetail = Type.Object(
  { ...Fields, entries: Type.Array(GiftCardEntry, { description: 'The last 50 entries, newest first' }) },
  { title: 'GiftCardDetail' },
)
export const CodeParams = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) })

export type GiftCardIn = Static<typeof GiftCardIn>
export type GiftCardQuery = Static<typeof GiftCardQuery>
export type GiftCard = Static<typeof GiftCard>
export type GiftCardDetail = Static<typeof GiftCardDetail>
export type GiftCardEntry = Static<typeof GiftCardEntry>
