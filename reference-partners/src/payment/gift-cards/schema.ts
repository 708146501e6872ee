import { FreeText, Instant, Nullable, Timestamps, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { Money } from '../sessions/schema.ts'

export const KINDS = ['GIFT_CARD', 'STORE_CREDIT'] as const
export const ENTRY_TYPES = ['ISSUE', 'REDEEM', 'REFUND', 'VOID'] as const

const fields = {
  id: Type.String(),
  code: Type.String(),
  kind: Words(KINDS),
  initialAmount: Type.Integer(),
  balance: Type.Integer(),
  status: Words(['ACTIVE', 'REDEEMED', 'VOIDED']),
  note: Nullable(Type.String()),
  voidedAt: Nullable(Instant),
  ...Timestamps,
}
export const GiftCard = Type.Object(fields, { title: 'GiftCard' })
export type GiftCard = Static<typeof GiftCard>

const Entry = Type.Object({
  id: Type.String(),
  type: Words(ENTRY_TYPES),
  amount: Type.Integer({ description: 'Signed' }),
  balanceAfter: Type.Integer(),
  reference: Nullable(Type.String()),
  createdAt: Instant,
})
export type Entry = Static<typeof Entry>
export const GiftCardWithEntries = Type.Object(
  { ...fields, entries: Type.Array(Entry, { description: 'The last fifty, newest first' }) },
  { title: 'GiftCardWithEntries' },
)
export const Voided = Type.Object(
  { giftCard: GiftCard, writtenOff: Type.Integer() },
  { title: 'GiftCardVoided' },
)

export const GiftCardCreate = Type.Object(
  {
    amount: Money,
    code: Type.Optional(
      Type.String({ minLength: 4, maxLength: 64, description: '4 to 32 letters and digits' }),
    ),
    kind: Type.Optional(Words(KINDS, { default: 'GIFT_CARD' })),
    note: Type.Optional(FreeText(300)),
  },
  { title: 'GiftCardCreate' },
)
export type GiftCardCreate = Static<typeof GiftCardCreate>
export const GiftCardMove = Type.Object(
  {
    amount: Money,
    reference: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 120, description: 'What it is for' })),
    ),
  },
  { title: 'GiftCardMove' },
)
