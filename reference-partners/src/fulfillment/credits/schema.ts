import { Instant, Nullable, PageQuery, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'

export const ENTRY_TYPES = ['sandbox', 'topup', 'shipment', 'refund'] as const
export const TOPUP_STATUSES = ['open', 'paid', 'canceled', 'expired'] as const

export const CreditBalance = Type.Object(
  { balance: Type.Integer({ description: 'Whole rupiah; never below zero' }) },
  { title: 'ShippingCredits' },
)

export const CreditEntry = Type.Object(
  {
    id: Type.String(),
    type: Words(ENTRY_TYPES),
    amount: Type.Integer({ description: 'Signed: above zero adds to the credits' }),
    balanceAfter: Type.Integer(),
    shipmentId: Nullable(Type.String()),
    topupId: Nullable(Type.String()),
    createdAt: Instant,
  },
  { title: 'ShippingCreditTransaction' },
)
export type CreditEntry = Static<typeof CreditEntry>
export const EntryQuery = Type.Object({ ...PageQuery, type: Type.Optional(Words(ENTRY_TYPES)) })

export const TopupCreate = Type.Object(
  {
    amount: Type.Integer({ minimum: 10_000, maximum: 100_000_000, description: 'Whole rupiah' }),
    returnUrl: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'The address that the page leads back to',
        }),
      ),
    ),
  },
  { title: 'ShippingCreditTopupCreate' },
)
export type TopupCreate = Static<typeof TopupCreate>

export const Topup = Type.Object(
  {
    id: Type.String(),
    amount: Type.Integer(),
    status: Words(TOPUP_STATUSES),
    hostedUrl: Type.String({ description: 'The payment page; anyone with the address can pay' }),
    returnUrl: Nullable(Type.String()),
    paidAt: Nullable(Instant),
    expiresAt: Instant,
    createdAt: Instant,
  },
  { title: 'ShippingCreditTopup' },
)
export type Topup = Static<typeof Topup>
